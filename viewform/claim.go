package viewform

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long a caller waits for work that another one does, and how often it asks the
// store for it.
const (
	maxWait  = 10 * time.Second
	firstGap = 20 * time.Millisecond
	lastGap  = time.Second
)

// claim does the work of a form if it is open and nobody else does it, and returns the
// form with the outcome. Of all callers that find the form open, the store lets one
// put the state running; the others wait for the outcome, and do not try again if it is
// a failure.
func (f *forms) claim(ctx context.Context, req *mcp.CallToolRequest, k kept, do work) (kept, error) {
	if k.State != open {
		return f.wait(ctx, k)
	}
	mine, err := f.take(ctx, k)
	if errors.Is(err, viewstate.ErrConflict) {
		if k, err = f.read(ctx, k.id); err != nil {
			return k, err
		}
		return f.wait(ctx, k)
	}
	if err != nil {
		return k, err
	}
	mine.record = record{answer: f.run(ctx, req, do)}
	if mine.State == open {
		mine.Data = k.Data
	}
	return f.finish(ctx, mine), nil
}

// take puts the state running. It does not end when the caller goes away, after which
// nobody would know whether the form is claimed.
func (f *forms) take(ctx context.Context, k kept) (kept, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
	defer cancel()
	until := time.Now().Add(f.timeout + grace)
	return f.put(ctx, k.id, record{answer{State: running}, until.UnixMilli()}, k.version)
}

// run does the work and returns its outcome. The work has a goroutine of its own, so that
// the caller is answered whatever ends it.
func (f *forms) run(ctx context.Context, req *mcp.CallToolRequest, do work) answer {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.timeout)
	defer cancel()
	ended := make(chan answer, 1)
	go func() {
		a, returned := answer{State: unknown}, false
		defer func() {
			switch p := recover(); {
			case p != nil:
				f.log.Error("viewform: a panic in Form.Do", "tool", f.name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			case !returned:
				f.log.Error("viewform: Form.Do ended its goroutine", "tool", f.name, "stack", string(debug.Stack()))
			}
			ended <- a
		}()
		o := outcome(do(ctx, req))
		if o.State != open || ctx.Err() == nil {
			a = o
		} // else what was begun before the timeout may have had its effect
		returned = true
	}()
	return <-ended
}

// finish stores the outcome of a form that was claimed. An outcome that the store does
// not take is stored in short. If it takes neither, the form stays in the state
// running, which becomes unknown later.
func (f *forms) finish(ctx context.Context, mine kept) kept {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
	defer cancel()
	stored, err := f.put(ctx, mine.id, mine.record, mine.version)
	if err != nil && !errors.Is(err, viewstate.ErrConflict) {
		short := mine.record
		short.answer = short.shortened()
		if s, again := f.put(ctx, mine.id, short, mine.version); again == nil {
			return s
		}
	}
	if err != nil {
		f.log.Error("viewform: the outcome of a form could not be stored", "tool", f.name, "state", mine.State, "error", err)
		return mine
	}
	return stored
}

// wait returns a form when nobody does its work any more, and after maxWait or when the
// context ends as it is then.
func (f *forms) wait(ctx context.Context, k kept) (kept, error) {
	end := time.Now().Add(maxWait)
	for gap := firstGap; k.State == running && time.Now().Before(end); gap = min(2*gap, lastGap) {
		timer := time.NewTimer(gap)
		select {
		case <-ctx.Done():
			timer.Stop()
			return k, nil
		case <-timer.C:
		}
		var err error
		if k, err = f.read(ctx, k.id); err != nil {
			return k, err
		}
	}
	return k, nil
}
