package appclient

import (
	"context"
	"errors"
)

// within calls f and returns its result, or the context's error as soon as ctx
// ends: a call in the SDK blocks while the peer does not read. A panic in f, for
// example in a middleware of the client, is repeated in the caller's goroutine,
// where it can be recovered.
func within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		v        T
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.err = errors.New("the call ended its goroutine") // replaced if f returns
		o.v, o.err = f()
	}()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.v, o.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
