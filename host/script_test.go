package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/pipe"
)

// mustNewBridge is NewBridge for valid options: it panics on an error.
func mustNewBridge(session *mcp.ClientSession, opts *BridgeOptions) *Bridge {
	b, err := NewBridge(session, opts)
	if err != nil {
		panic(err)
	}
	return b
}

// A scriptedView is a transport that records the messages to the view. The test
// sends the view's messages.
type scriptedView struct {
	t testing.TB
	b *Bridge

	mu  sync.Mutex
	got []string
}

func newView(t testing.TB, b *Bridge) *scriptedView {
	v := &scriptedView{t: t, b: b}
	b.Attach(v)
	return v
}

func (v *scriptedView) Send(msg json.RawMessage) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	require.True(v.t, json.Valid(msg), "not JSON: %s", msg)
	v.got = append(v.got, string(msg))
	return nil
}

// post delivers a message from the view, and waits until all goroutines of the
// bubble are blocked. With args, the message is a format.
func (v *scriptedView) post(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	v.b.Receive(json.RawMessage(format))
	synctest.Wait()
}

// take returns what was sent to the view since the last take.
func (v *scriptedView) take() []string {
	synctest.Wait()
	v.mu.Lock()
	defer v.mu.Unlock()
	got := v.got
	v.got = nil
	return got
}

// takeOne is take for exactly one message.
func (v *scriptedView) takeOne() string {
	v.t.Helper()
	got := v.take()
	require.Len(v.t, got, 1, "messages to the view: %s", strings.Join(got, "\n"))
	return got[0]
}

const initializeParams = `{"appInfo":{"name":"v","version":"1"},"appCapabilities":%s,"protocolVersion":"2026-01-26"}`

// initialize sends ui/initialize with the view's capabilities and returns the
// result.
func (v *scriptedView) initialize(capabilities string) map[string]json.RawMessage {
	v.t.Helper()
	v.post(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":`+initializeParams+`}`, capabilities)
	var response struct {
		ID     json.RawMessage
		Result map[string]json.RawMessage
	}
	require.NoError(v.t, json.Unmarshal([]byte(v.takeOne()), &response))
	require.Equal(v.t, "0", string(response.ID))
	require.NotNil(v.t, response.Result)
	return response.Result
}

// sendInitialized sends ui/notifications/initialized.
func (v *scriptedView) sendInitialized() {
	v.post(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
}

// handshake sends ui/initialize and ui/notifications/initialized.
func (v *scriptedView) handshake() {
	v.t.Helper()
	v.initialize(`{}`)
	v.sendInitialized()
}

// record collects the notes of a bridge's trace.
type record struct {
	mu    sync.Mutex
	notes []string
}

func (r *record) trace(e TraceEntry) {
	if e.Direction == Note {
		r.mu.Lock()
		r.notes = append(r.notes, e.Text)
		r.mu.Unlock()
	}
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.notes, "\n")
}

func ui(fields map[string]any) mcp.Meta { return mcp.Meta{"ui": fields} }

// testServer returns a server with a tool for each kind of visibility, and tools
// that fail, wait and report progress.
func testServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	object := json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"},"unit":{"type":"string","default":"<C>"},"deep":{"type":"object","properties":{"on":{"type":"boolean","default":true}}}}}`)
	add := func(name string, meta mcp.Meta, h mcp.ToolHandler) {
		if h == nil {
			h = func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{
					Content:           []mcp.Content{&mcp.TextContent{Text: name}},
					StructuredContent: json.RawMessage(`{"big":9007199254740993,"args":` + string(req.Params.Arguments) + `}`),
				}, nil
			}
		}
		s.AddTool(&mcp.Tool{Name: name, InputSchema: object, Meta: meta}, h)
	}
	view := "ui://t/view.html"
	add("both", ui(map[string]any{"resourceUri": view}), nil)
	add("plain", nil, nil)
	add("model-only", ui(map[string]any{"resourceUri": view, "visibility": []string{"model"}}), nil)
	add("app-only", ui(map[string]any{"visibility": []string{"app"}}), nil)
	add("nobody", ui(map[string]any{"visibility": []string{}}), nil)
	add("missing-view", ui(map[string]any{"resourceUri": "ui://t/none.html"}), nil)
	add("fails", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("no luck")
	})
	add("waits", ui(map[string]any{"resourceUri": view}), func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	add("counts", nil, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1)})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	meta := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		meta, _ := json.Marshal(req.Params.Meta)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(meta)}}}, nil
	}
	add("meta", nil, meta)
	add("meta-view", ui(map[string]any{"resourceUri": view}), meta)
	s.AddResource(&mcp.Resource{URI: view, Name: "view", MIMEType: "text/html;profile=mcp-app", Meta: ui(map[string]any{"domain": "listed"})}, appHandler("<!doctype html><title>v</title>", nil))
	s.AddResource(&mcp.Resource{URI: "file:///secret", Name: "secret"}, appHandler("secret", nil))
	return s
}

// appHandler serves text as a view's document. If meta is not nil, it is the content
// item's _meta.ui.
func appHandler(text string, meta map[string]any) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/html;profile=mcp-app", Text: text}
		if meta != nil {
			c.Meta = ui(meta)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
}

// rawServer starts a server without the SDK that has the given list of tools and
// responds to each request at once. It returns the client's transport and the
// server's connection, to which a test may write further messages.
func rawServer(tools string) (client mcp.Transport, server mcp.Connection) {
	near, far := pipe.New()
	conn, _ := far.Connect(context.Background())
	go func() {
		for {
			msg, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			req, ok := msg.(*jsonrpc.Request)
			if !ok || !req.IsCall() {
				continue
			}
			answer := &jsonrpc.Response{ID: req.ID}
			switch req.Method {
			case "initialize":
				answer.Result = json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"raw","version":"1"}}`)
			case "tools/list":
				answer.Result = json.RawMessage(`{"tools":` + tools + `}`)
			case "tools/call":
				answer.Result = json.RawMessage(`{"content":[{"type":"text","text":"ok"}]}`)
			default:
				answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no"}
			}
			if conn.Write(context.Background(), answer) != nil {
				return
			}
		}
	}()
	return near, conn
}

// connect connects to s in memory and closes the connection at the end of the
// test.
func connect(t testing.TB, s *mcp.Server, opts *ConnectOptions) *Connection {
	t.Helper()
	conn, err := Connect(context.Background(), Target{Server: s}, opts)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// inBubble runs f in a synctest bubble, with a fake clock. All connections that f
// opens must be closed when it returns, or synctest reports a deadlock.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
