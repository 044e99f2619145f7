package host

import (
	"sync"
	"time"
)

// A throttle runs f at most once in an interval, and once after the last call:
// what is announced a thousand times is acted upon twice. f does not overlap
// itself, so one that never returns costs one goroutine.
type throttle struct {
	every time.Duration
	f     func()

	mu      sync.Mutex
	last    time.Time
	timer   *time.Timer
	running bool
	again   bool // called while f ran
	stopped bool
}

// call runs f now, or when the interval is over.
func (t *throttle) call() {
	t.mu.Lock()
	if t.running || t.stopped || t.timer != nil {
		t.again = t.running
		t.mu.Unlock()
		return
	}
	now := time.Now()
	if wait := t.every - now.Sub(t.last); !t.last.IsZero() && wait > 0 {
		t.timer = time.AfterFunc(wait, t.fire)
		t.mu.Unlock()
		return
	}
	t.run(now)
}

func (t *throttle) fire() {
	t.mu.Lock()
	t.timer = nil
	if t.stopped {
		t.mu.Unlock()
		return
	}
	t.run(time.Now())
}

// run releases t.mu and runs f.
func (t *throttle) run(now time.Time) {
	t.last, t.running = now, true
	t.mu.Unlock()
	t.f()
	t.mu.Lock()
	again := t.again
	t.running, t.again = false, false
	t.mu.Unlock()
	if again {
		t.call()
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
