// Package throttle bounds how often a change is acted upon.
package throttle

import (
	"sync"
	"time"
)

// A Throttle runs a function at most once in an interval, and once more at the
// end of the interval if it was called meanwhile. The function does not overlap
// itself, so one that never returns costs one goroutine.
type Throttle struct {
	interval time.Duration
	f        func()

	mu      sync.Mutex
	last    time.Time
	timer   *time.Timer
	running bool
	again   bool // called while f ran
	stopped bool
}

// New returns a throttle that runs f at most once in an interval.
func New(interval time.Duration, f func()) *Throttle {
	return &Throttle{interval: interval, f: f}
}

// Call runs the function now, or when the interval is over. In the first case it
// returns when the function does.
func (t *Throttle) Call() {
	t.mu.Lock()
	if t.running || t.stopped || t.timer != nil {
		t.again = t.running
		t.mu.Unlock()
		return
	}
	now := time.Now()
	if wait := t.interval - now.Sub(t.last); !t.last.IsZero() && wait > 0 {
		t.timer = time.AfterFunc(wait, t.fire)
		t.mu.Unlock()
		return
	}
	t.run(now)
}

func (t *Throttle) fire() {
	t.mu.Lock()
	t.timer = nil
	if t.stopped {
		t.mu.Unlock()
		return
	}
	t.run(time.Now())
}

// run unlocks t.mu and runs f.
func (t *Throttle) run(now time.Time) {
	t.last, t.running = now, true
	t.mu.Unlock()
	t.f()
	t.mu.Lock()
	again := t.again
	t.running, t.again = false, false
	t.mu.Unlock()
	if again {
		t.Call()
	}
}

// Stop prevents all further runs. It does not wait for one that goes on.
func (t *Throttle) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
}
