package host

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/appclient"
)

// BridgeOptions say what one view gets from the host. Features whose callback is
// nil are not advertised to the view.
//
// Callbacks with a context run on a goroutine of their own and may take until the
// context ends; one that takes longer keeps a place of [Limits.Calls]. Calls of
// Message, UpdateModelContext and DisplayMode are made one at a time and in the
// order of the view's requests; those of the others may overlap. Callbacks
// without a context are called from [Bridge.Receive] unless their comment says
// otherwise, and delay the view's messages until they return. All may call the
// bridge. [Bridge.Close] waits for an answer that Receive brings, so callbacks
// that run in Receive must call it on another goroutine. A panic in a callback is
// not recovered.
type BridgeOptions struct {
	// HostInfo names the host to the view. Default: this package.
	HostInfo *mcp.Implementation
	// Context is the host context that the view starts with; change it with
	// [Bridge.SetContext].
	Context HostContext
	// Tool is the tool whose call opened the view, for the toolInfo of the host
	// context. [Connection.Open] sets it.
	Tool *mcp.Tool
	// App is the view's document and metadata. The bridge sends the document to a
	// sandbox proxy at the other end of the transport (see [Bridge.WaitApp]), and
	// the policy to the view. [Connection.Open] sets it.
	App *appclient.App
	// Limits bound what the view may cost.
	Limits Limits
	// Emulation makes the bridge behave as another host, for tests of views. Nil
	// emulates none.
	Emulation *Emulation

	// AllowCall decides whether a tool call of the view is made; its error refuses
	// the call. It may ask a person. It is called for tools that are visible to
	// apps. Nil allows all of these.
	AllowCall func(ctx context.Context, tool *mcp.Tool, args json.RawMessage) error
	// AllowRead decides whether the view may read a resource outside ui://. Nil
	// allows none: otherwise a view could read whatever its server offers the
	// model.
	AllowRead func(uri string) bool
	// Forward wraps each request that goes to the server, so that the program
	// can put a span around it. It must call next once and return its result.
	// What it sets in f.Meta reaches the server.
	Forward func(ctx context.Context, f *Forwarded, next func(context.Context) (json.RawMessage, error)) (json.RawMessage, error)

	// Answer answers requests of the view in place of the bridge: those of methods that
	// MCP Apps does not have, such as "openai/resources/write", and each resources/read,
	// of which the URI may be the host's own. It returns the result, an object, and
	// whether it has one: the others are answered as without it. An error that is not a
	// *jsonrpc.Error is sent as an internal error. What the view sends is not validated:
	// decode it into a map, because the fields of a struct also take names in another case.
	Answer func(ctx context.Context, method string, params json.RawMessage) (result json.RawMessage, handled bool, err error)
	// Experimental are the features beyond MCP Apps that the view is told under
	// "experimental" of the host's capabilities, by name. The bridge keeps the map: do
	// not change it.
	Experimental map[string]any

	// OpenLink opens an http or https link, in a browser or a new tab. With an
	// error the view is told that the link was declined.
	OpenLink func(ctx context.Context, link *url.URL) error
	// Message adds a message to the conversation in the user's name; ask first.
	Message func(ctx context.Context, m *ViewMessage) error
	// UpdateModelContext receives what the model should know in its next turn. It
	// replaces what the view gave before. [Bridge.ModelContext] returns the last
	// one that was accepted.
	UpdateModelContext func(ctx context.Context, c *ModelContext) error
	// Download saves files for the user; ask first.
	Download func(ctx context.Context, files []Download) error
	// DisplayMode changes how the view is shown and returns the mode that it is
	// shown in afterwards, which must be one that the view declared. It is called
	// only for modes that the host context offers and the view declared. With an
	// error the mode stays as it is.
	DisplayMode func(ctx context.Context, mode DisplayMode) (DisplayMode, error)
	// Sample answers sampling/createMessage with a CreateMessageResult: limit
	// its rate and cost, and ask the user.
	Sample func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

	// SizeChanged receives the size that the view asks for, in CSS pixels, at most
	// [MaxViewSize]. In most views the width is that of the frame, and says nothing
	// about the content.
	SizeChanged func(Size)
	// RequestTeardown is called when the view asks to be closed, which
	// [Bridge.Close] does. It runs on a goroutine of its own, and is not called
	// again before it returned. Nil ignores the request.
	RequestTeardown func()
	// Log receives the view's log messages (notifications/message).
	Log func(LogMessage)
	// AppToolsChanged is called when the tools that the view offers changed, at
	// most once a second. [Bridge.AppTools] lists them.
	AppToolsChanged func()
	// Ready is called when the view sent ui/notifications/initialized, at each load
	// of its document.
	Ready func()
	// Closed is called with the reason after [Bridge.Done], whoever closed the bridge.
	Closed func(reason error)
	// Trace receives every message, and notes of what the bridge refused. It must
	// not wait. The messages of one direction come in their order; calls may
	// overlap.
	Trace func(TraceEntry)
}

// Forwarded is a request of the view on its way to the server.
type Forwarded struct {
	Method string
	// Name is the tool of a tools/call and the URI of a resources/read.
	Name string
	// Meta is the request's _meta as the server will see it, with the view's W3C
	// trace context. It may be nil; a map set here is sent.
	Meta mcp.Meta
}

// ViewMessage is a message that the view adds to the conversation (ui/message).
type ViewMessage struct {
	Role    string // always "user" in this revision
	Content []mcp.Content
	Raw     json.RawMessage // the content array as received
	Meta    mcp.Meta        // the request's _meta, nil if it is absent or invalid
}

// ModelContext is what a view tells the model (ui/update-model-context).
type ModelContext struct {
	Content           []mcp.Content
	StructuredContent json.RawMessage // an object, or nil
	Raw               json.RawMessage // the parameters as received
	// AnswerMeta is the _meta of the answer to the view, if the callback sets it.
	AnswerMeta mcp.Meta
}

// Download is one file of ui/download-file.
type Download struct {
	// Name is safe as a file name: the last segment of the URI without
	// separators, control characters, leading dots and reserved names.
	Name     string
	MIMEType string
	URI      string
	// Data is the content of an embedded resource. A Link has none: the host
	// fetches URI by its own rules.
	Data []byte
	Link bool
}

// Size is the size that a view asks for its frame. A zero side means that the view
// did not name it.
type Size struct{ Width, Height int }

// MaxViewSize bounds each side of a [Size].
const MaxViewSize = 10000

// LogMessage is a log message of the view.
type LogMessage struct {
	Level  string
	Logger string
	Data   json.RawMessage
}
