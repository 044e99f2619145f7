package host

import (
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// ConnectOptions say how [Connect] connects. A nil pointer and zero fields mean
// the defaults.
type ConnectOptions struct {
	// ClientInfo names the program to the server. Default: this package.
	ClientInfo *mcp.Implementation
	// Client configures the SDK's client: capabilities, and the handlers for
	// what a server asks of it, such as ElicitationHandler and
	// CreateMessageHandler. It is copied; the MCP Apps capability is added. An
	// ElicitationHandler is not asked for schemas that are not those of a form
	// (recursive, deeply nested or very large ones), and sees no default that the
	// requested schema itself rejects.
	Client *mcp.ClientOptions
	// TextOnly connects without the MCP Apps capability, as a client that can't
	// show views.
	TextOnly bool
	// ProtocolVersion is the version of MCP to ask for. Default: the newest.
	ProtocolVersion string

	// MessageBytes bounds one message of the server; a larger one ends the
	// connection. Default 16 MiB.
	MessageBytes int
	// DocumentBytes bounds the HTML of an app. Default 8 MiB.
	DocumentBytes int64
	// KeepDocuments keeps documents of apps for as long as the server says, from
	// protocol version 2026-07-28 on. Otherwise each read asks the server: a
	// connection may live longer than a build of the server, and [Connection.ReadApp]
	// reads the document of now.
	KeepDocuments bool
	// ConnectTimeout bounds the start of a server and the handshake. Default 30 s.
	ConnectTimeout time.Duration
	// CallTimeout bounds a tool call that [Connection.Call] makes. The default of 5
	// minutes has room for long polls, and for servers that ask the user something.
	CallTimeout time.Duration
	// ListTimeout, ListPages, ListItems and ListBytes bound the list of tools.
	// Defaults: 60 s, 100, 10,000 and 64 MiB.
	ListTimeout time.Duration
	ListPages   int
	ListItems   int
	ListBytes   int

	// Stderr receives the standard error of a command as it is. If nil, it is
	// discarded.
	Stderr io.Writer
	// Logger receives a warning for each line of a command's standard output that
	// is not a JSON-RPC message, with the line, truncated to 1 KiB, as the
	// attribute "line". If nil, such lines are discarded. The SDK's client has a
	// logger of its own in Client.
	Logger *slog.Logger
	// StateChanged is called when the connection is made (nil) and lost (why), in
	// order and one at a time, until the Connection is closed. It may use the
	// Connection, and should not wait: the method that connected may wait for it. A
	// connection that a method of Connection ends is not lost, unless connecting
	// again fails. Each Restart that fails is reported, whatever was before.
	StateChanged func(error)

	endNotice time.Duration // other than the constant in tests
}

func (o ConnectOptions) withDefaults() ConnectOptions {
	if o.ClientInfo == nil {
		o.ClientInfo = &mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}
	}
	if o.MessageBytes <= 0 {
		o.MessageBytes = 16 << 20
	}
	if o.DocumentBytes <= 0 {
		o.DocumentBytes = 8 << 20
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = connectTimeout
	}
	if o.CallTimeout <= 0 {
		o.CallTimeout = callTimeout
	}
	if o.endNotice <= 0 {
		o.endNotice = endNotice
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func (l listBounds) withDefaults() listBounds {
	if l.pages <= 0 {
		l.pages = 100
	}
	if l.items <= 0 {
		l.items = 10000
	}
	if l.bytes <= 0 {
		l.bytes = 64 << 20
	}
	if l.timeout <= 0 {
		l.timeout = listTimeout
	}
	return l
}

func (o *ConnectOptions) noise(line string) {
	o.Logger.Warn("on standard output, where messages belong", "line", line)
}
