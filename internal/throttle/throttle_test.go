package throttle

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count atomic.Int32
		runs := func() int { return int(count.Load()) }
		th := New(time.Second, func() { count.Add(1) })
		for range 1000 {
			th.Call()
		}
		assert.Equal(t, 1, runs(), "the first call runs at once")
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 2, runs(), "the others are one at the end of the interval")
		time.Sleep(time.Minute)
		assert.Equal(t, 2, runs())
		th.Call()
		th.Call()
		assert.Equal(t, 3, runs())
		th.Stop()
		time.Sleep(time.Minute)
		th.Call()
		assert.Equal(t, 3, runs())
	})
}

func TestThrottleDoesNotOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var count atomic.Int32
		runs := func() int { return int(count.Load()) }
		th := New(time.Second, func() { count.Add(1); <-release })
		go th.Call()
		synctest.Wait()
		th.Call()
		time.Sleep(time.Minute)
		assert.Equal(t, 1, runs())
		release <- struct{}{}
		synctest.Wait()
		assert.Equal(t, 2, runs(), "the call that came meanwhile")
		close(release)
	})
}
