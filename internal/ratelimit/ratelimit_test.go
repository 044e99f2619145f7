package ratelimit

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(10, 3)
		allowed := func(n int) (ok int) {
			for range n {
				if l.Allow() {
					ok++
				}
			}
			return ok
		}
		assert.Equal(t, 3, allowed(5), "the burst")
		assert.Equal(t, 2, l.Refused())
		assert.Equal(t, 0, allowed(4))
		assert.Equal(t, 0, l.Refused(), "reported less than a second ago")
		time.Sleep(500 * time.Millisecond)
		assert.Equal(t, 3, allowed(4), "5 tokens came, and no more than the burst is kept")
		time.Sleep(500 * time.Millisecond)
		assert.Equal(t, 5, l.Refused())
		assert.Equal(t, 0, l.Refused())
	})
}
