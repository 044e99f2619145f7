package host

import "context"

// A lock is a mutex whose waiters can give up.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

// take waits for the lock until one of the contexts ends.
func (l lock) take(ctxs ...context.Context) error {
	var second <-chan struct{}
	if len(ctxs) > 1 {
		second = ctxs[1].Done()
	}
	select {
	case l <- struct{}{}:
		return nil
	case <-ctxs[0].Done():
		return context.Cause(ctxs[0])
	case <-second:
		return context.Cause(ctxs[1])
	}
}

func (l lock) release() { <-l }
