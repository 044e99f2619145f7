package host

import "encoding/json"

// A Transport carries a bridge's messages to the view: through a web page's
// postMessage, a webview's script call, a channel in a test.
//
// The other direction is [Bridge.Receive], which the owner of the transport
// calls with each message that the view posted.
type Transport interface {
	// Send delivers one JSON-RPC message. It contains what a server sent as it was
	// written, perhaps with line breaks between values: a transport that carries
	// lines, such as server-sent events, must compact it first. Calls are made one
	// at a time and in order. Send may keep msg but must not change it. It should not
	// wait for the view: it delays only this bridge, until [Limits.QueueBytes] is
	// exceeded and the bridge closes. An error closes the bridge. A panic is not
	// recovered.
	Send(msg json.RawMessage) error
}

// TransportFunc is a function as a [Transport].
type TransportFunc func(msg json.RawMessage) error

// Send calls f.
func (f TransportFunc) Send(msg json.RawMessage) error { return f(msg) }
