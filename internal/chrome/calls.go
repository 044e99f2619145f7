package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A message is one of the debugging protocol: a call, its answer, or an event.
type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// A call waits for its answer.
type call struct {
	id        int
	session   string
	contextID string // of the execution context that it needs; "" for none
	method    string
	answer    chan answer // of capacity 1
}

type answer struct {
	result json.RawMessage
	err    error
}

var errBrowserGone = errors.New("the browser is gone")

// errContextGone is the error of an evaluation whose document is gone, be it
// that its frame was removed, went elsewhere, or crashed.
var errContextGone = errors.New("the document is gone")

// IsGone reports whether an error says that a document is gone.
func IsGone(err error) bool { return errors.Is(err, errContextGone) }

// call makes a call in a session, "" for the browser's, and returns its result.
func (b *Browser) call(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	c, err := b.send(ctx, &call{session: session, method: method}, params)
	if err != nil {
		return nil, err
	}
	return b.wait(ctx, c)
}

// send sends a call, whose answer wait returns.
func (b *Browser) send(ctx context.Context, c *call, params any) (*call, error) {
	raw := json.RawMessage(`{}`)
	if params != nil {
		var err error
		if raw, err = json.Marshal(params); err != nil {
			return nil, err
		}
	}
	c.answer = make(chan answer, 1)
	b.mu.Lock()
	b.nextID++
	c.id = b.nextID
	b.pending[c.id] = c
	b.mu.Unlock()
	msg, err := json.Marshal(message{ID: c.id, SessionID: c.session, Method: c.method, Params: raw})
	if err != nil {
		return nil, err
	}
	select {
	case b.outgoing <- msg:
		return c, nil
	case <-b.done:
		err = errBrowserGone
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.forget(c)
	return nil, fmt.Errorf("%s: %w", c.method, err)
}

func (b *Browser) wait(ctx context.Context, c *call) (json.RawMessage, error) {
	var err error
	select {
	case a := <-c.answer:
		if a.err == nil {
			return a.result, nil
		}
		err = a.err
	case <-b.done:
		err = errBrowserGone
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.forget(c)
	return nil, fmt.Errorf("%s: %w", c.method, err)
}

func (b *Browser) forget(c *call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.pending, c.id)
}

// failCalls fails the pending calls that match. The caller holds b.mu.
func (b *Browser) failCalls(matches func(*call) bool) {
	for id, c := range b.pending {
		if matches(c) {
			delete(b.pending, id)
			c.answer <- answer{err: errContextGone}
		}
	}
}

// write writes calls in the order in which they are sent. It is a goroutine of
// its own because the browser may stop reading until its own messages are read.
func (b *Browser) write() {
	for {
		select {
		case msg := <-b.outgoing:
			if b.conn.write(msg) != nil {
				b.conn.close() // which ends read
				return
			}
		case <-b.done:
			return
		}
	}
}

func (b *Browser) read() {
	defer close(b.done)
	for {
		raw, err := b.conn.read()
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		if m.ID == 0 {
			b.event(m)
			continue
		}
		b.mu.Lock()
		c := b.pending[m.ID]
		delete(b.pending, m.ID)
		b.mu.Unlock()
		if c == nil {
			continue
		}
		if m.Error != nil {
			c.answer <- answer{err: errors.New(m.Error.Message)}
		} else {
			c.answer <- answer{result: m.Result}
		}
	}
}
