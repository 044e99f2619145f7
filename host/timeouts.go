package host

import "time"

// How long a server is waited for, unless an option says otherwise. How long a command is
// waited for at its end, before its process is killed, stands in internal/command/end.go.
const (
	// connectTimeout is the default of ConnectOptions.ConnectTimeout.
	connectTimeout = 30 * time.Second
	// callTimeout is the default of ConnectOptions.CallTimeout and of Limits.CallTimeout.
	callTimeout = 5 * time.Minute
	// listTimeout bounds all pages of a list. appclient waits as long.
	listTimeout = 60 * time.Second
	// pingTimeout bounds the wait for an answer to a ping. It is short: servers that do
	// not answer are still used.
	pingTimeout = 2 * time.Second
	// closeTimeout bounds the end of a session, the program's callbacks included.
	closeTimeout = 10 * time.Second
	// endNotice is how long to wait until the SDK has noticed that its connection
	// failed. It does so at once, unless a handler of one of the server's own
	// requests still runs.
	endNotice = 500 * time.Millisecond
)
