package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// A queue holds messages that wait, oldest first.
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
		const keep = 64 // slots: a burst's are not kept
		q.head = 0
		if q.msgs = q.msgs[:0]; cap(q.msgs) > keep {
			q.msgs = nil
		}
	}
	return msg
}

// Attach gives the bridge the transport to its view, or another one in place
// of the last: a frame that was moved or made anew. Messages that wait go to
// it. Nil takes the transport away, so that messages wait.
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
	if !utf8.Valid(msg) { // a server's: JSON is UTF-8, and a browser's socket breaks on anything else
		msg = bytes.ToValidUTF8(msg, []byte("\uFFFD"))
	}
	b.out.push(msg)
}

// unlock releases b.mu and sends what is queued. It waits for the transport, so
// it is for goroutines that are this view's own.
func (b *Bridge) unlock() {
	send, err := b.flush()
	b.mu.Unlock()
	switch {
	case err != nil:
		b.fail(err)
	case send:
		b.send()
	}
}

// release releases b.mu and has what is queued sent by a goroutine. It never
// waits, so it is for those who have others to serve: the reader of the server's
// connection, and whoever promised to be back in time.
func (b *Bridge) release() {
	send, err := b.flush()
	b.mu.Unlock()
	switch {
	case err != nil:
		go b.fail(err)
	case send:
		go b.send()
	}
}

// flush reports whether its caller is the one to send, and an error where too
// much waits for the transport. b.mu is held.
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

// send sends until nothing waits. One goroutine at a time is in it, without the
// lock while it sends, so that a transport may call Receive from Send.
func (b *Bridge) send() {
	returned := false
	defer func() {
		if !returned { // Send or Trace panicked, and somebody may recover
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
		if b.attached != attached { // the old transport's end: the new one gets the message
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
