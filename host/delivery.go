package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// delivery is what the view is told of the tool call: partial input, then the input
// once, then the result or the cancellation. It keeps all but the partial input
// for a document that loads again.
type delivery struct {
	partial   json.RawMessage // the newest, not sent yet
	input     json.RawMessage
	outcome   json.RawMessage // params of tool-result or tool-cancelled
	cancelled bool

	sentInput, sentOutcome bool
}

func (d *delivery) restart() { d.sentInput, d.sentOutcome = false, false }

// Errors of the Send methods, for callers that branch on them.
var (
	ErrInputSent   = errors.New("the view already has its tool input")
	ErrNoInput     = errors.New("the view has no tool input yet, which comes before the result")
	ErrOutcomeSent = errors.New("the view already has its result or cancellation")
)

// SendToolInputPartial sends the view the arguments as far as the model has written
// them, as a complete JSON object. Until the view is ready, the newest one waits.
// After the complete input the error is [ErrInputSent].
func (b *Bridge) SendToolInputPartial(args any) error {
	params, err := inputParams(args)
	if err != nil {
		return err
	}
	b.mu.Lock()
	if err := b.open(); err != nil {
		b.mu.Unlock()
		return err
	}
	if b.delivery.input != nil {
		b.mu.Unlock()
		return ErrInputSent
	}
	b.delivery.partial = params
	b.deliver()
	b.unlock()
	return nil
}

// SendToolInput sends the view the complete arguments of the tool call, a JSON
// object; nil means {}. The error of a second call is [ErrInputSent].
func (b *Bridge) SendToolInput(args any) error {
	params, err := inputParams(args)
	if err != nil {
		return err
	}
	b.mu.Lock()
	if err := b.open(); err != nil {
		b.mu.Unlock()
		return err
	}
	if b.delivery.input != nil {
		b.mu.Unlock()
		return ErrInputSent
	}
	b.delivery.partial, b.delivery.input = nil, params
	b.deliver()
	b.unlock()
	return nil
}

// SendToolResult sends the view the result of the tool call, a CallToolResult as the
// server sent it. The error is [ErrNoInput] before the input and [ErrOutcomeSent]
// after a result or a cancellation.
func (b *Bridge) SendToolResult(result json.RawMessage) error {
	return b.sendResult(result, b.unlock)
}

func (b *Bridge) sendResult(result json.RawMessage, unlock func()) error {
	if !isObject(result) || !json.Valid(result) {
		return fmt.Errorf("a tool result must be a JSON object, not %s", clip(result))
	}
	return b.sendOutcome(result, false, unlock)
}

// SendToolCancelled tells the view that the tool call was cancelled or failed. The
// reason may be empty.
func (b *Bridge) SendToolCancelled(reason string) error {
	return b.sendOutcome(cancelledParams(reason), true, b.unlock)
}

func cancelledParams(reason string) json.RawMessage {
	if reason == "" {
		return emptyObject
	}
	return mustJSON(map[string]string{"reason": reason})
}

// sendOutcome sends a result or a cancellation by unlock, which is b.unlock or
// b.release.
func (b *Bridge) sendOutcome(params json.RawMessage, cancelled bool, unlock func()) error {
	b.mu.Lock()
	err := b.open()
	switch {
	case err != nil:
	case b.delivery.outcome != nil:
		err = ErrOutcomeSent
	case b.delivery.input == nil && !cancelled:
		err = ErrNoInput
	}
	if err != nil {
		b.mu.Unlock()
		return err
	}
	b.delivery.partial = nil
	b.delivery.outcome, b.delivery.cancelled = params, cancelled
	b.deliver()
	unlock()
	return nil
}

// open returns [ErrClosed] if the bridge is closed, else nil. b.mu is held.
func (b *Bridge) open() error {
	if b.phase == phaseClosed {
		return ErrClosed
	}
	return nil
}

// deliver posts what the view may receive by now. b.mu is held.
func (b *Bridge) deliver() {
	if b.phase != phaseReady {
		return
	}
	d, e, load := &b.delivery, b.emulation, b.load-b.firstLoad
	if d.partial != nil {
		b.notify("ui/notifications/tool-input-partial", d.partial)
		d.partial = nil
	}
	if d.input != nil && !d.sentInput {
		d.sentInput = true
		if e != nil && e.PartialInput && load == 0 {
			for _, piece := range inputPieces(d.input) {
				b.notify("ui/notifications/tool-input-partial", piece)
			}
		}
		b.notifyOf("ui/notifications/tool-input", e.input(d.input, load))
	}
	if d.outcome != nil && !d.sentOutcome {
		d.sentOutcome = true
		if d.cancelled {
			b.notify("ui/notifications/tool-cancelled", d.outcome)
		} else {
			b.notifyOf("ui/notifications/tool-result", e.result(d.outcome, load))
		}
	}
}

func inputParams(args any) (json.RawMessage, error) {
	raw, err := argsObject(args)
	if err != nil {
		return nil, err
	}
	return slices.Concat(json.RawMessage(`{"arguments":`), raw, json.RawMessage(`}`)), nil
}

// argsObject encodes arguments as a JSON object. Raw JSON stays byte for byte.
func argsObject(args any) (json.RawMessage, error) {
	if args == nil {
		return json.RawMessage(`{}`), nil
	}
	raw, ok := args.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(args); err != nil {
			return nil, fmt.Errorf("arguments: %w", err)
		}
	} else if len(raw) > 0 && !json.Valid(raw) {
		return nil, fmt.Errorf("arguments are not JSON: %s", clip(raw))
	}
	if len(raw) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return json.RawMessage(`{}`), nil
	}
	if !isObject(raw) {
		return nil, fmt.Errorf("arguments must be a JSON object, not %s", clip(raw))
	}
	return raw, nil
}
