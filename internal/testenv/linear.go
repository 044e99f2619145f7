package testenv

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
)

// The bounds of [Linear]. What grows with the square takes 64 times the time for 8
// times the size.
const (
	timesSize = 8
	timesTime = 28
	attempts  = 20
)

// Linear fails the test if 8 times the size takes more than about 8 times the
// processor time. prepare makes the input of a size and returns what is measured,
// which runs several times. The size should be one that takes some milliseconds, so
// that what does not depend on it counts little. Like [Measure], it skips the test
// under the race detector.
func Linear(t testing.TB, size int, prepare func(size int) (run func())) {
	t.Helper()
	Measure(t)
	small, large := prepare(size), prepare(timesSize*size)
	var a, b time.Duration
	for range attempts { // other processes disturb some, by caches and by interrupts
		a, b = best(small, a), best(large, b)
		if b <= timesTime*a {
			break
		}
	}
	t.Logf("size %d: %v, size %d: %v, %.1f times", size, a, timesSize*size, b, float64(b)/float64(max(a, 1)))
	if b > timesTime*a {
		t.Errorf("%d times the size takes %.1f times the time: %v and %v", timesSize, float64(b)/float64(max(a, 1)), a, b)
	}
}

// best returns the time of a run if it is shorter than a former one, if there is one.
func best(run func(), before time.Duration) time.Duration {
	// The collector runs only during the larger inputs, with all idle processors.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // of what was before
	start := cputime.Used()
	run()
	took := cputime.Used() - start
	if before == 0 {
		return took
	}
	return min(before, took)
}
