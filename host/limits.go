package host

import "time"

// Limits bound what one view may cost. A zero field means its default.
type Limits struct {
	// MessageBytes bounds one message of the view. A longer one is dropped and
	// reported, and a request gets an error with [CodeDenied]. The result of a
	// tool that the view offers may have 10 MiB in any case. Default 4 MiB.
	MessageBytes int
	// Rate and Burst bound the messages of the view: Rate a second over time,
	// Burst at once. Requests over the limit get an error with [CodeDenied],
	// what else is over it is dropped, and both are reported once a second.
	// Answers that the bridge waits for do not count. Defaults 200, and twice
	// the Rate but 400 at least.
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
	// QueueBytes bounds what waits, each way: messages for a transport that does
	// not take them, where the bridge closes when it is exceeded, and the
	// parameters of the view's open requests, where further ones are refused
	// with [CodeDenied]. Default 64 MiB.
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
	dur(&l.CallTimeout, 5*time.Minute)
	dur(&l.AppToolTimeout, 30*time.Second)
	dur(&l.TeardownTimeout, 2*time.Second)
	return l
}
