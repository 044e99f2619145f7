package host

import (
	"fmt"
	"time"
)

// Limits bound what one view may cost. A zero field means its default.
type Limits struct {
	// MessageBytes bounds one message of the view. A larger one is dropped and
	// noted, and a request is answered with [CodeDenied]. The result of a tool that
	// the view offers may always have 10 MiB. Default 4 MiB.
	MessageBytes int
	// Rate and Burst bound the messages of the view: Rate per second over time,
	// Burst at once. Requests over the limit are answered with [CodeDenied], other
	// messages over it are dropped, and a note once a second says so. Answers that
	// the bridge waits for do not count. Defaults: 200, and twice the Rate but at
	// least 400.
	Rate, Burst int
	// Calls bounds the requests of the view that are at the server at the same
	// time, and those in a callback of the program: as many again. Of each, up to
	// Waiting more wait for their turn; further ones are refused with
	// [CodeDenied]. Defaults 16 and 256.
	Calls, Waiting int
	// CallTimeout bounds a forwarded request and a tool call made by
	// [Connection.Open]. The default of 5 minutes has room for long polls and for
	// servers that ask the user something.
	CallTimeout time.Duration
	// AppToolTimeout bounds a call of a tool that the view offers. Default 30 s.
	AppToolTimeout time.Duration
	// TeardownTimeout bounds the wait for the answer to ui/resource-teardown.
	// Default 2 s.
	TeardownTimeout time.Duration
	// QueueBytes bounds two queues. When the messages that wait for the transport
	// exceed it, the bridge closes. When the parameters of the view's open requests
	// exceed it, further requests are refused with [CodeDenied]. Default 64 MiB.
	QueueBytes int
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	dur := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.MessageBytes, 4<<20)
	def(&l.Rate, 200)
	def(&l.Burst, max(400, 2*l.Rate))
	def(&l.Calls, 16)
	def(&l.Waiting, 256)
	def(&l.QueueBytes, 64<<20)
	dur(&l.CallTimeout, callTimeout)
	dur(&l.AppToolTimeout, 30*time.Second)
	dur(&l.TeardownTimeout, 2*time.Second)
	return l
}

// allow reports whether a message is within the view's rate limit, and refuses it
// otherwise. It allows every answer that the bridge waits for.
func (b *Bridge) allow(m message) bool {
	lim := &b.opts.Limits
	b.mu.Lock()
	if b.phase == phaseClosed {
		b.mu.Unlock()
		return false
	}
	if m.isResponse && b.calls[string(m.id)] != nil || b.rate.Allow() {
		b.mu.Unlock()
		return true
	}
	dropped := b.rate.Refused()
	if m.id != nil && !m.isResponse {
		b.post(encodeError(m.id, denied("too many messages: the limit is %d a second", lim.Rate)))
	}
	b.unlock()
	if dropped > 0 {
		b.note(LevelError, NoteLimit, fmt.Sprintf("refused %d messages: the view sends more than %d a second", dropped, lim.Rate))
	}
	return false
}
