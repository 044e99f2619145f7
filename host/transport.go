package host

import "encoding/json"

// A Transport carries a bridge's messages to the view: through a web page's
// postMessage, a webview's script call, a channel in a test.
//
// The other direction is [Bridge.Receive], which the owner of the transport
// calls with each message that the view posted.
type Transport interface {
	// Send delivers one JSON-RPC message. What a server sent is in it as it was
	// written, with line breaks between its values perhaps: what carries lines,
	// such as server-sent events, compacts it first. Calls come one at a time
	// and in order. Send may keep msg, must not change it, and should not wait for
	// the view: what it holds up is this bridge alone, until
	// [Limits.QueueBytes] is reached and the bridge closes. An error closes
	// the bridge. A panic is not recovered.
	Send(msg json.RawMessage) error
}

// TransportFunc is a function as a [Transport].
type TransportFunc func(msg json.RawMessage) error

// Send calls f.
func (f TransportFunc) Send(msg json.RawMessage) error { return f(msg) }

// CodeDenied is the JSON-RPC error code of what the host's policy refuses: a
// tool that views may not call, a limit that was reached, a model context that
// the program declined. It is the implementation-defined code that the MCP Apps
// specification names for denials.
const CodeDenied = -32000
