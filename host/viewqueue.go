package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// A queue holds the messages that wait for the transport, oldest first.
type queue struct {
	msgs  []json.RawMessage
	head  int
	bytes int
}

func (q *queue) empty() bool { return q.head == len(q.msgs) }

func (q *queue) push(msg json.RawMessage) {
	q.msgs = append(q.msgs, msg)
	q.bytes += len(msg)
}

func (q *queue) pop() json.RawMessage {
	msg := q.msgs[q.head]
	q.msgs[q.head] = nil
	q.bytes -= len(msg)
	if q.head++; q.empty() {
		const keep = 64 // slots: those of a burst are released
		q.head = 0
		if q.msgs = q.msgs[:0]; cap(q.msgs) > keep {
			q.msgs = nil
		}
	}
	return msg
}

// Attach sets the transport to the view, or replaces it after a frame was moved or
// created again. Messages that wait are sent to it. With nil there is no
// transport, and messages wait.
func (b *Bridge) Attach(t Transport) {
	b.mu.Lock()
	b.transport = t
	b.attached++
	b.unlock()
}

// post queues a message for the view. b.mu is held; unlock or release sends.
func (b *Bridge) post(msg json.RawMessage) {
	if b.phase == phaseClosed {
		return
	}
	if !utf8.Valid(msg) { // from a server: JSON is UTF-8, and a browser's socket fails on anything else
		msg = bytes.ToValidUTF8(msg, []byte("\uFFFD"))
	}
	b.out.push(msg)
}

// unlock unlocks b.mu and sends what is queued. It waits for the transport: only
// goroutines of this view may call it.
func (b *Bridge) unlock() {
	send, err := b.flush()
	notes := b.takeNotes()
	b.mu.Unlock()
	b.writeNotes(notes)
	switch {
	case err != nil:
		b.fail(err)
	case send:
		b.send()
	}
}

// release unlocks b.mu and starts a goroutine that sends what is queued. It never
// waits, so that goroutines which serve others too may call it: the reader of the
// server's connection, and methods that must return by a deadline.
func (b *Bridge) release() {
	send, err := b.flush()
	notes := b.takeNotes()
	b.mu.Unlock()
	b.writeNotes(notes)
	switch {
	case err != nil:
		go b.fail(err)
	case send:
		go b.send()
	}
}

// flush reports whether its caller must send. It fails if too much waits for the
// transport. b.mu is held.
func (b *Bridge) flush() (send bool, err error) {
	if !b.sending && b.transport != nil {
		b.sending = !b.out.empty()
		return b.sending, nil
	}
	if n := b.out.bytes; n > b.opts.Limits.QueueBytes {
		b.out = queue{}
		return false, fmt.Errorf("the view's transport took nothing until %d bytes waited for it", n)
	}
	return false, nil
}

// send sends until nothing waits. Only one goroutine at a time runs it, without the
// lock while it sends, so that a transport may call Receive from Send.
func (b *Bridge) send() {
	returned := false
	defer func() {
		if !returned { // Send or Trace panicked, and a caller may recover
			b.mu.Lock()
			b.sending = false
			b.mu.Unlock()
		}
	}()
	for {
		b.mu.Lock()
		if b.out.empty() || b.transport == nil || b.phase == phaseClosed {
			b.sending, returned = false, true
			b.mu.Unlock()
			return
		}
		msg, t, attached := b.out.pop(), b.transport, b.attached
		b.mu.Unlock()
		b.trace(ToView, msg)
		err := t.Send(msg)
		if err == nil {
			continue
		}
		b.mu.Lock()
		if b.attached != attached { // the old transport failed: the new one gets the message
			b.out.msgs = append([]json.RawMessage{msg}, b.out.msgs[b.out.head:]...)
			b.out.head = 0
			b.out.bytes += len(msg)
			b.mu.Unlock()
			continue
		}
		b.out = queue{}
		b.sending, returned = false, true
		b.mu.Unlock()
		b.fail(fmt.Errorf("sending to the view: %w", err))
		return
	}
}
