package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// relayed are messages that the page and the view send each other through the proxy,
// in this order. Those of the proxy's own protocol go no further.
const relayed = `[
	{"jsonrpc":"2.0","id":1,"method":"ping"}, {"jsonrpc":"2.0","id":"a","result":{"x":1}}, {"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"m"}},
	{"jsonrpc":"2.0","method":"ui/notifications/sandbox-other","params":{}}, {"jsonrpc":"2.0","method":"ui/notifications/sandboxed"},
	{"jsonrpc":"2.0","method":7}, "text", null, {"jsonrpc":"2.0","method":"end"}]`

// relayPage records what it gets, and tells the proxy to load the view. After the last
// message of the view it sends its own. A second frame of the page, which is not a
// view, sends messages to the proxy all the time.
const relayPage = `<!doctype html><title>page</title><script>
window.got = [];
addEventListener("message", (e) => {
	got.push(e.data);
	if (e.data?.method === "ui/notifications/sandbox-proxy-ready")
		e.source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: {} }, e.origin);
	if (e.data?.method === "end") for (const m of %s) e.source.postMessage(m, e.origin);
});
</script><iframe src="%s/" sandbox="%s"></iframe>
<iframe srcdoc="<script>setInterval(() => parent.frames[0].postMessage({ method: 'foreign' }, '*'), 20)</script>"></iframe>`

// relayView sends its messages, and then what it got by way of an unknown key.
const relayView = `<!doctype html><title>view</title><script>
const got = [];
addEventListener("message", (e) => {
	got.push(e.data);
	if (e.data?.method === "end") setTimeout(() => parent.postMessage({ got }, "*"), 200);
});
for (const m of ` + relayed + `) parent.postMessage(m, "*");
</script>`

// The proxy says when it can take the document, relays every message but those of
// its own protocol, in both directions and as it is, takes none from other windows,
// and sends no request of its own.
func TestProxyRelays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "x"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://t/x.html"}, Document: mcpapps.HTML(relayView)},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	conn, err := host.Connect(t.Context(), host.Target{Server: s}, nil)
	require.NoError(t, err)
	defer conn.Close()
	b, err := conn.Open(t.Context(), "x", nil, nil)
	require.NoError(t, err)
	_, err = b.WaitApp(t.Context())
	require.NoError(t, err)
	var sandbox http.Handler
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, port, _ := strings.Cut(r.Host, ":"); name == "localhost" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, relayPage, relayed, "http://view.localhost:"+port, host.SandboxAttribute)
			return
		}
		sandbox.ServeHTTP(w, r)
	}))
	defer srv.Close()
	origin := strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	sandbox = host.SandboxHandler(origin, func(*http.Request) *host.Bridge { return b }, nil)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	page, err := e2e.SharedBrowser(t).Open(ctx, origin+"/", 600, 600, false)
	require.NoError(t, err)
	defer page.Close()
	var got string
	for got == "" { // the blank page before it goes away, which fails the evaluation
		if err := page.Eval(ctx, `new Promise((ok) => setInterval(() => { if (window.got?.some((m) => m?.got)) ok(JSON.stringify(window.got)) }, 20))`, &got); err != nil {
			require.NoError(t, ctx.Err(), "%v", err)
		}
	}
	const ready, forged = `{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}},`,
		`{"jsonrpc":"2.0","method":"ui/notifications/sandbox-forged","params":{"method":"ui/notifications/sandbox-other"}}`
	const own = `{"jsonrpc":"2.0","method":"ui/notifications/sandbox-other","params":{}},`
	list := strings.TrimSuffix(relayed, "]")
	assert.JSONEq(t, "["+ready+strings.TrimPrefix(strings.Replace(list, own, forged+",", 1), "[")+`,{"got":`+strings.Replace(relayed, own, "", 1)+"}]", got)
}
