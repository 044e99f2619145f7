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

// bridgeOf is NewBridge with options that are right.
func bridgeOf(session *mcp.ClientSession, opts *BridgeOptions) *Bridge {
	b, err := NewBridge(session, opts)
	if err != nil {
		panic(err)
	}
	return b
}

// A scriptedView is a transport whose other end is a test.
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

// say has the view post a message and lets everything settle.
func (v *scriptedView) say(format string, args ...any) {
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

// one returns the only message sent since the last take.
func (v *scriptedView) one() string {
	v.t.Helper()
	got := v.take()
	require.Len(v.t, got, 1, "messages to the view: %s", strings.Join(got, "\n"))
	return got[0]
}

const initializeParams = `{"appInfo":{"name":"v","version":"1"},"appCapabilities":%s,"protocolVersion":"2026-01-26"}`

// greet sends ui/initialize and returns the answer's result.
func (v *scriptedView) greet(capabilities string) map[string]json.RawMessage {
	v.t.Helper()
	v.say(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":`+initializeParams+`}`, capabilities)
	var answer struct {
		ID     json.RawMessage
		Result map[string]json.RawMessage
	}
	require.NoError(v.t, json.Unmarshal([]byte(v.one()), &answer))
	require.Equal(v.t, "0", string(answer.ID))
	require.NotNil(v.t, answer.Result)
	return answer.Result
}

func (v *scriptedView) ready() {
	v.say(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
}

// shake does the whole handshake.
func (v *scriptedView) shake() {
	v.t.Helper()
	v.greet(`{}`)
	v.ready()
}

// record collects a bridge's notes.
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

// testServer has a tool for each kind of visibility, and some that misbehave on
// purpose.
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
	add("meta", nil, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		meta, _ := json.Marshal(req.Params.Meta)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(meta)}}}, nil
	})
	s.AddResource(&mcp.Resource{URI: view, Name: "view", MIMEType: "text/html;profile=mcp-app", Meta: ui(map[string]any{"domain": "listed"})}, appHandler("<!doctype html><title>v</title>", nil))
	s.AddResource(&mcp.Resource{URI: "file:///secret", Name: "secret"}, appHandler("secret", nil))
	return s
}

// appHandler serves a document, with a _meta.ui if there is one.
func appHandler(text string, meta map[string]any) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/html;profile=mcp-app", Text: text}
		if meta != nil {
			c.Meta = ui(meta)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
}

// rawServer is a server without an SDK, with the given list of tools. It
// answers each call at once; what it says by itself is written to its end.
func rawServer(tools string) (near mcp.Transport, end mcp.Connection) {
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

// connect connects to s in memory, for the length of the test.
func connect(t testing.TB, s *mcp.Server, opts *ConnectOptions) *Connection {
	t.Helper()
	srv, err := Connect(context.Background(), Target{Server: s}, opts)
	require.NoError(t, err)
	t.Cleanup(func() { srv.Close() })
	return srv
}

// inBubble runs a test over a fake clock. What the test connects is closed
// before it ends, as the clock demands.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
