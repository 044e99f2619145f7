package check_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// patience is how long a view may take on a machine that does other things too.
const patience = 3 * time.Minute

// liveDocument calls a tool as soon as it is initialized.
const liveDocument = `<!doctype html>
<meta name="color-scheme" content="light dark">
<p id="out">Hello</p>
<script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
onmessage = ({ data }) => {
  if (!(data.id === 0 && data.result)) return;
  send({ method: "ui/notifications/initialized" });
  send({ method: "ui/notifications/size-changed", params: { height: 100 } });
  send({ id: 1, method: "tools/call", params: { name: "wipe", arguments: {} } });
  send({ id: 2, method: "tools/call", params: { name: "wipe", arguments: { all: true } } });
};
send({ id: 0, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {},
} });
</script>`

// TestLiveCalls shows that the live part calls no tool that the check may not
// call, neither itself nor for a view.
func TestLiveCalls(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	for _, c := range []struct {
		name     string
		calls    []check.Call
		overHTTP bool
		codes    []string
		called   []string
	}{
		{"none is named", nil, false, []string{"result-unchecked"}, nil},
		{"what the view calls is asked for by itself", []check.Call{{Tool: "open"}}, false, nil, []string{"open"}},
		{"with the arguments that the author named, and no others", []check.Call{{Tool: "open"}, {Tool: "wipe"}}, true, nil, []string{"open", "wipe"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var called []string
			s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://s/v"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML(liveDocument))
			for name, ui := range map[string]mcpapps.ToolUIMetadata{"open": {ResourceURI: "ui://s/v"}, "wipe": mcpapps.AppOnly("")} {
				mcpapps.RegisterRawAppTool(s, &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, ui,
					func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						mu.Lock()
						defer mu.Unlock()
						called = append(called, strings.TrimSuffix(name+string(req.Params.Arguments), "{}"))
						return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
					})
			}
			target := host.Target{Server: s}
			if c.overHTTP {
				hs := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
				t.Cleanup(hs.Close)
				target = host.Target{URL: hs.URL}
			}
			r, err := check.Target(t.Context(), target, check.Live(t, check.Options{Timeout: patience, Calls: c.calls}, liveview.Limits{}))
			require.NoError(t, err)
			assert.Equal(t, c.codes, codes(r), "%v", r.Findings)
			mu.Lock()
			defer mu.Unlock()
			assert.Equal(t, c.called, slices.Compact(slices.Sorted(slices.Values(called))))
		})
	}
}

// TestLiveWithoutBrowser shows that a check whose live part fails is an error, and
// that the report has all else.
func TestLiveWithoutBrowser(t *testing.T) {
	e2e.CloseBrowser() // which tests before this one may have opened
	t.Setenv("MCPAPPS_CHROMIUM", "/nonexistent/chromium")
	r, err := check.Server(t.Context(), appServer(), &check.Options{Live: true, Timeout: 5 * time.Second})
	assert.ErrorContains(t, err, "the live part")
	assert.ErrorContains(t, err, "/nonexistent/chromium")
	require.NotNil(t, r)
	assert.Equal(t, 1, r.Apps)
	require.Len(t, r.Unchecked, 1)
	assert.Equal(t, "live", r.Unchecked[0].Part)
	assert.Contains(t, r.Unchecked[0].Reason, "/nonexistent/chromium")
}

// TestLivePatience shows that a view which will never be initialized is not
// waited for as long as one that may be, and that one which the host can't read
// is told so once.
func TestLivePatience(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	for name, doc := range map[string]string{
		"static":  "<!doctype html><p>Hello</p>",
		"throws":  "<!doctype html><p>Hello</p><script>undefinedFunction()</script>",
		"refused": `<!doctype html><p>Hello</p><script>parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*")</script>`,
		"plain":   "<!doctype html><p>Hello</p>",
	} {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://s/" + name}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
		mime := mcpapps.MIMEType
		if name == "plain" {
			mime = "text/html"
		}
		s.AddResource(&mcp.Resource{URI: "ui://s/" + name, Name: name, MIMEType: mime},
			func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: doc}}}, nil
			})
	}
	start := time.Now()
	r, err := check.Server(t.Context(), s, check.Live(t, check.Options{Timeout: patience}, liveview.Limits{GiveUp: 2 * time.Second}))
	require.NoError(t, err)
	assert.Less(t, time.Since(start), patience)
	because := map[string]string{}
	for _, f := range r.Findings {
		if f.Code == "view-not-ready" {
			because[f.Tool] = f.Message
		}
	}
	assert.Contains(t, because["static"], "nothing calls app.connect()")
	assert.Contains(t, because["throws"], "undefinedFunction is not defined")
	assert.Contains(t, because["refused"], "app.connect() fails: the host answers with the error -32602")
	assert.NotContains(t, because, "plain", "resource-media-type says it")
}

// TestLiveFlood shows that a view whose script fails in a loop has some findings, and
// their number.
func TestLiveFlood(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/v"},
		Document: mcpapps.HTML(strings.Replace(liveDocument, "<script>", `<script>
for (let i = 0; i < 50; i++) { console.error(i); setTimeout(() => { throw new Error(i); }); }`, 1)),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	r, err := check.Server(t.Context(), s, check.Live(t, check.Options{}, liveview.Limits{}))
	require.NoError(t, err)
	messages := make(map[string][]string)
	for _, f := range r.Findings {
		messages[f.Code] = append(messages[f.Code], f.Message)
	}
	for _, code := range []string{"view-exception", "view-console"} {
		assert.Len(t, messages[code], 21)
		assert.Contains(t, messages[code], "and 30 more of this view")
	}
}

// TestLiveHangsAtOnce shows that a view that never returns is not said to have forgotten
// app.connect. The view waits for a request that nobody answers, which takes no
// processor, so that the check can be given all the time that a busy machine needs.
func TestLiveHangsAtOnce(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(mute.Close)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/v"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{mute.URL}}},
		Document: mcpapps.HTML(`<!doctype html><p>Hello</p><script>
			const request = new XMLHttpRequest();
			request.open("GET", "` + mute.URL + `", false);
			request.send();</script>`),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	r, err := check.Server(t.Context(), s, check.Live(t, check.Options{}, liveview.Limits{Ready: 15 * time.Second, Respond: 3 * time.Second}))
	require.NoError(t, err)
	messages := make(map[string]string)
	for _, f := range r.Findings {
		messages[f.Code] = f.Message
	}
	assert.Contains(t, messages["view-gone"], "does not return")
	assert.NotContains(t, messages, "view-not-ready")
}

// TestLiveHangs shows that a view which is ready and then never returns is
// reported, and does not keep the check.
func TestLiveHangs(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	for name, c := range map[string]struct {
		script, says string
		respond      time.Duration // short for what takes a processor meanwhile
	}{
		"a script without an end": {"setTimeout(() => { for (;;); });", "does not return", time.Second},
		"WebRTC":                  {"new RTCPeerConnection();", "RTCPeerConnection", patience},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
				Resource: mcp.Resource{URI: "ui://s/v"},
				Document: mcpapps.HTML(`<!doctype html><p>Hello</p><script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
onmessage = ({ data }) => {
  if (!(data.id === 0 && data.result)) return;
  send({ method: "ui/notifications/initialized" });
  ` + c.script + `
};
send({ id: 0, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {},
} });
</script>`),
			}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
			r, err := check.Server(t.Context(), s, check.Live(t, check.Options{}, liveview.Limits{Respond: c.respond}))
			require.NoError(t, err)
			var gone []string
			for _, f := range r.Findings {
				if f.Code == "view-gone" {
					gone = append(gone, f.Message)
				}
			}
			require.Len(t, gone, 1, "%v", r.Findings)
			assert.Contains(t, gone[0], c.says)
		})
	}
}
