package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// An outgoing is a request to the view that is not answered yet.
type outgoing struct {
	answer   chan message // buffered
	progress func(json.RawMessage)
}

// call sends a request to the view and waits for its answer.
func (b *Bridge) call(ctx context.Context, method string, params json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error) {
	if b.emulation.holds(method) {
		b.mu.Lock()
		b.heldBack(method)
		b.release()
		return nil, fmt.Errorf("the emulated host does not send %s", method)
	}
	out := &outgoing{answer: make(chan message, 1), progress: progress}
	b.mu.Lock()
	if b.phase == phaseClosed {
		b.mu.Unlock()
		return nil, ErrClosed
	}
	b.nextID++
	id := fmt.Sprint(b.nextID)
	if b.calls == nil {
		b.calls = make(map[string]*outgoing)
	}
	b.calls[id] = out
	if progress != nil { // params is an object with members, made by this package
		params = slices.Concat(params[:len(params)-1], json.RawMessage(`,"_meta":{"progressToken":`), json.RawMessage(id), json.RawMessage(`}}`))
	}
	b.post(encodeCall(json.RawMessage(id), method, params))
	b.release()

	defer func() {
		b.mu.Lock()
		delete(b.calls, id)
		b.mu.Unlock()
	}()
	select {
	case m := <-out.answer:
		if m.err != nil {
			return nil, m.err
		}
		return m.result, nil
	case <-b.done:
		return nil, ErrClosed
	case <-ctx.Done():
		b.mu.Lock()
		if b.phase == phaseReady {
			b.post(encodeCall(nil, "notifications/cancelled", mustJSON(map[string]any{
				"requestId": json.RawMessage(id), "reason": context.Cause(ctx).Error(),
			})))
		}
		b.release()
		return nil, context.Cause(ctx)
	}
}

func (b *Bridge) receiveResponse(m message) {
	b.mu.Lock()
	out := b.calls[string(m.id)]
	delete(b.calls, string(m.id))
	b.mu.Unlock()
	if out == nil {
		b.note(LevelWarning, NoteOrder, fmt.Sprintf("the view answered a request that is not open: id %s", clip(m.id)))
		return
	}
	out.answer <- m
}
