package host

import (
	"context"
	"fmt"
)

// Close closes the view. It asks the view to clean up (ui/resource-teardown), waits
// for an answer, whatever that says, until [Limits.TeardownTimeout] or ctx ends,
// and then cancels everything that runs for the view. The reason is sent to the
// view and passed to [BridgeOptions.Closed]; nil means [ErrClosed]. The frame can
// be removed when Close has returned. Further calls wait for the first.
//
// If ctx has ended before the call, Close does not ask the view: its frame may be
// gone, or its process may have died.
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

// fail closes the bridge of a view that can't be reached, without asking it.
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
		// The call that opened the view ends with the view.
		d.outcome, d.cancelled = cancelledParams(reason.Error()), true
		b.deliver()
	}
	b.phase = phaseClosing
	return ask, true
}

// finish cancels everything that runs for the view and releases what is held.
func (b *Bridge) finish(reason error) {
	b.mu.Lock()
	b.phase = phaseClosed
	b.out = queue{}
	b.incoming, b.serverPool.waiting, b.programPool.waiting = nil, nil, nil
	notes := b.takeNotes()
	b.mu.Unlock()
	b.writeNotes(notes)
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

// lost closes the bridge of a view whose server is gone. It asks the view to clean
// up: the view may have something to save elsewhere.
func (b *Bridge) lost(reason error) {
	b.Close(context.Background(), fmt.Errorf("the view's server is gone: %w", reason))
}

// requestTeardown tells the program that the view asks to be closed. The callback
// may close the bridge, which waits for the view's answer; requests that come
// before the callback has returned are part of the same one.
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
