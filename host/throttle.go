package host

import (
	"sync"
	"time"
)

// A throttle runs f at most once in an interval, and once after the last call:
// what is announced a thousand times is acted upon twice.
type throttle struct {
	every time.Duration
	f     func()

	mu      sync.Mutex
	last    time.Time
	timer   *time.Timer
	stopped bool
}

// call runs f now, or when the interval is over.
func (t *throttle) call() {
	t.mu.Lock()
	if t.stopped || t.timer != nil {
		t.mu.Unlock()
		return
	}
	now := time.Now()
	if wait := t.every - now.Sub(t.last); !t.last.IsZero() && wait > 0 {
		t.timer = time.AfterFunc(wait, t.fire)
		t.mu.Unlock()
		return
	}
	t.last = now
	t.mu.Unlock()
	t.f()
}

func (t *throttle) fire() {
	t.mu.Lock()
	t.timer = nil
	t.last = time.Now()
	stopped := t.stopped
	t.mu.Unlock()
	if !stopped {
		t.f()
	}
}

func (t *throttle) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
}
