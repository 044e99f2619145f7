package host

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/appclient"
)

// BridgeOptions say what one view gets from the host. Callbacks that are nil are
// features that the view is told it does not have.
//
// Callbacks with a context run on a goroutine of their own and may take their
// time, until the context ends; one that outlasts it holds one of
// [Limits.Calls]. Messages, model contexts and display modes come one at a time
// and in the view's order, so that the last one is the last one; the others may
// overlap. Callbacks without a context are called from [Bridge.Receive] where
// nothing else is said, and hold up the view's messages until they return. All
// may call the bridge, but [Bridge.Close] waits for an answer that Receive
// brings: call it on another goroutine from those. A panic in a callback is not
// recovered.
type BridgeOptions struct {
	// HostInfo names the host to the view. Default: this package.
	HostInfo *mcp.Implementation
	// Context is what the view is told about its surroundings at first; change
	// it with [Bridge.SetContext].
	Context HostContext
	// Tool is the tool whose call opened the view, for its toolInfo. Set by
	// [Connection.Open].
	Tool *mcp.Tool
	// App is the view's document and metadata. It is needed where the
	// transport speaks with a sandbox proxy (see [Bridge.WaitApp]), and says what
	// the view is told about its policy. Set by [Connection.Open].
	App *appclient.App
	// Limits bound what the view may cost.
	Limits Limits

	// AllowCall may refuse a tool call of the view, after a person was asked
	// for instance. The tool is visible to apps when it is called. Nil allows.
	AllowCall func(ctx context.Context, tool *mcp.Tool, args json.RawMessage) error
	// AllowRead allows a resource outside ui://. Nil allows none: a view could
	// otherwise read whatever its server holds for the model.
	AllowRead func(uri string) bool
	// Forward wraps each request that goes to the server, so that the program
	// can put a span around it. It must call next once and return its result.
	// What it sets in f.Meta reaches the server.
	Forward func(ctx context.Context, f *Forwarded, next func(context.Context) (json.RawMessage, error)) (json.RawMessage, error)

	// OpenLink opens an http or https link, in a browser or a new tab. An
	// error tells the view that it was declined.
	OpenLink func(ctx context.Context, link *url.URL) error
	// Message adds a message to the conversation in the user's name; ask first.
	Message func(ctx context.Context, m *ViewMessage) error
	// UpdateModelContext takes what the model should know in its next turn. It
	// replaces what the view gave before; [Bridge.ModelContext] has the last
	// one accepted.
	UpdateModelContext func(ctx context.Context, c *ModelContext) error
	// Download saves files for the user; ask first.
	Download func(ctx context.Context, files []Download) error
	// DisplayMode changes how the view is shown and returns the mode that it
	// is shown in afterwards, which must be one that the view declared. It is
	// only asked for modes that the host's context offers and the view
	// declared. With an error the mode stays as it is.
	DisplayMode func(ctx context.Context, mode DisplayMode) (DisplayMode, error)
	// Sample answers sampling/createMessage with a CreateMessageResult: limit
	// its rate and cost, and ask the user.
	Sample func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

	// SizeChanged takes the size that the view asks for, in CSS pixels, at
	// most [MaxViewSize]. The width is the frame's own in most views, and says
	// nothing about the content.
	SizeChanged func(Size)
	// RequestTeardown is told that the view wants to be closed; call
	// [Bridge.Close] to do so. It runs on a goroutine of its own, and is not
	// told again before it returned. Nil ignores the wish.
	RequestTeardown func()
	// Log takes the view's log messages (notifications/message).
	Log func(LogMessage)
	// AppToolsChanged is told that the tools that the view offers changed, at
	// most once a second. List them again with [Bridge.AppTools].
	AppToolsChanged func()
	// Ready is told that the view sent ui/notifications/initialized, at each
	// load of its document.
	Ready func()
	// Closed is told the reason once the bridge is closed, whoever closed it.
	Closed func(reason error)
	// Trace records every message and what the bridge refused. It must not
	// wait. The messages of one direction come in their order; calls from
	// several goroutines may overlap.
	Trace func(TraceEntry)
}

// Forwarded is a request of the view on its way to the server.
type Forwarded struct {
	Method string
	// Name is the tool of a tools/call and the URI of a resources/read.
	Name string
	// Meta is the request's _meta as the server will see it, W3C trace context
	// of the view included. It may be nil; a map set here is sent.
	Meta mcp.Meta
}

// ViewMessage is a message that the view adds to the conversation (ui/message).
type ViewMessage struct {
	Role    string // always "user" in this revision
	Content []mcp.Content
	Raw     json.RawMessage // the content array as it came
}

// ModelContext is what a view tells the model (ui/update-model-context).
type ModelContext struct {
	Content           []mcp.Content
	StructuredContent json.RawMessage // an object, or nil
	Raw               json.RawMessage // the parameters as they came
}

// Download is one file of ui/download-file.
type Download struct {
	// Name is safe as a file name: the last segment of the URI without
	// separators, control characters, leading dots and reserved names.
	Name     string
	MIMEType string
	URI      string
	// Data is the content of an embedded resource; a link has none, and is for
	// the host to fetch, by its own rules.
	Data []byte
	Link bool
}

// Size is a view's wish for the size of its frame. Zero means not said.
type Size struct{ Width, Height int }

// MaxViewSize bounds each side of a [Size].
const MaxViewSize = 10000

// LogMessage is a log message of the view.
type LogMessage struct {
	Level  string
	Logger string
	Data   json.RawMessage
}
