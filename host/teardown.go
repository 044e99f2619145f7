package host

import (
	"context"
	"fmt"
)

// Close ends the view: it asks it to clean up (ui/resource-teardown), waits for
// the answer as long as [Limits.TeardownTimeout] and ctx allow, whatever the
// answer is, and cancels what the view has running. The reason reaches the view
// and [BridgeOptions.Closed]; nil is [ErrClosed]. The frame can be removed once
// Close returned. Further calls wait for the first.
//
// A view that can't answer, because its frame is gone or its process died, need
// not be asked: Close does not ask if ctx has ended before the call.
func (b *Bridge) Close(ctx context.Context, reason error) {
	if reason == nil {
		reason = ErrClosed
	}
	ask, first := b.startClosing(reason)
	if !first {
		<-b.done
		return
	}
	if ask && ctx.Err() == nil {
		tctx, cancel := context.WithTimeout(ctx, b.opts.Limits.TeardownTimeout)
		_, err := b.call(tctx, "ui/resource-teardown", mustJSON(map[string]string{"reason": reason.Error()}), nil)
		cancel()
		if tctx.Err() != nil && err != nil {
			b.note(LevelWarning, NoteClosed, "the view did not answer ui/resource-teardown in time")
		}
	}
	b.finish(reason)
}

// fail closes the bridge without asking the view, which can't be reached.
func (b *Bridge) fail(reason error) {
	if _, first := b.startClosing(reason); first {
		b.finish(reason)
	}
}

// startClosing reports whether the view can be asked to clean up, and whether
// this caller is the one to close the bridge.
func (b *Bridge) startClosing(reason error) (ask, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase >= phaseClosing {
		return false, false
	}
	ask = b.phase == phaseReady
	if d := &b.delivery; ask && d.sentInput && d.outcome == nil && b.opening != nil {
		// The call that opened the view ends with it.
		d.outcome, d.cancelled = cancelledParams(reason.Error()), true
		b.deliver()
	}
	b.phase = phaseClosing
	return ask, true
}

// finish cancels everything that runs for the view and lets go of it.
func (b *Bridge) finish(reason error) {
	b.mu.Lock()
	b.phase = phaseClosed
	b.out = queue{}
	b.incoming, b.serverPool.waiting, b.programPool.waiting = nil, nil, nil
	b.mu.Unlock()
	if b.appTools != nil {
		b.appTools.Stop()
	}
	b.cancel(reason)
	b.link.forget(b)
	close(b.done)
	b.note(LevelInfo, NoteClosed, "closed: "+reason.Error())
	if b.opts.Closed != nil {
		b.opts.Closed(reason)
	}
}

// lost closes the bridge of a view whose server is gone. The view is asked to
// clean up: it may have something to save elsewhere.
func (b *Bridge) lost(reason error) {
	b.Close(context.Background(), fmt.Errorf("the view's server is gone: %w", reason))
}

// requestTeardown tells the program that the view wants to be closed. The
// program may close the bridge at once, which waits for the view's answer; a
// wish that comes before it is back is the same wish.
func (b *Bridge) requestTeardown() {
	f := b.opts.RequestTeardown
	if f == nil {
		b.note(LevelInfo, NoteDeclined, "ui/notifications/request-teardown: this host does not act on it")
		return
	}
	b.mu.Lock()
	again := b.leaving
	b.leaving = true
	b.mu.Unlock()
	if again {
		return
	}
	go func() {
		f()
		b.mu.Lock()
		b.leaving = false
		b.mu.Unlock()
	}()
}
