// Package ratelimit bounds how often something happens and counts what was
// refused, so that the refusals can be reported without a flood of reports.
package ratelimit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Limiter is a token bucket that counts its refusals. It is safe for
// concurrent use.
type Limiter struct {
	tokens *rate.Limiter

	mu       sync.Mutex
	refused  int
	reported time.Time
}

// New returns a limiter that allows burst events at once and perSecond events a
// second over time.
func New(perSecond, burst int) *Limiter {
	return &Limiter{tokens: rate.NewLimiter(rate.Limit(perSecond), burst)}
}

// Allow reports whether an event may happen now.
func (l *Limiter) Allow() bool {
	if l.tokens.Allow() {
		return true
	}
	l.mu.Lock()
	l.refused++
	l.mu.Unlock()
	return false
}

// Refused returns how many events were refused since it last returned a number
// other than 0. It returns a number at most once a second, and else 0.
func (l *Limiter) Refused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.refused == 0 || now.Sub(l.reported) < time.Second {
		return 0
	}
	n := l.refused
	l.refused, l.reported = 0, now
	return n
}
