package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// ownPage is a minimal host page: a frame for the view, and messages both ways.
const ownPage = `<!doctype html><title>chat</title><script>
	const view = %s, frame = document.createElement("iframe");
	frame.sandbox = view.sandbox, frame.allow = view.allow, frame.src = view.origin + "/";
	new EventSource("/to-view").onmessage = (e) => frame.contentWindow.postMessage(JSON.parse(e.data), view.origin);
	let sent = Promise.resolve();
	addEventListener("message", (e) => {
		if (e.source !== frame.contentWindow || e.origin !== view.origin) return;
		sent = sent.then(() => fetch("/from-view", { method: "POST", body: JSON.stringify(e.data) }));
	});
	document.documentElement.append(frame);
</script>`

const ownView = `<!doctype html><title>view</title><script type="module">
	import { App } from "mcp-app";
	const app = new App({ name: "view", version: "1" });
	const log = (data) => app.sendLog({ level: "info", data });
	app.ontoolresult = async (r) => {
		await log("drew " + r.content[0].text);
		await log((await app.callServerTool({ name: "again", arguments: {} })).content[0].text);
		try { parent.parent.document; } catch { await log("the page is out of reach"); }
		await fetch("https://api.example.com/").catch(() => {});
		// net/http itself rejects this path, and its response has no policy.
		const f = parent.document.body.appendChild(parent.document.createElement("iframe"));
		f.src = "/%zz";
	};
	await app.connect();
</script>`

// A program with a page of its own shows a view in the sandbox of the package.
func TestAPageOfOnesOwn(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	text := func(s string) mcp.ToolHandlerFor[struct{}, any] {
		return func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}, nil, nil
		}
	}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://t/view.html"}, Document: bundle.Handler(fstest.MapFS{"view.html": {Data: []byte(ownView)}}, "view.html", nil),
	}, text("the result"))
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "again"}, mcpapps.AppOnly(""), text("called again"))
	server, err := host.Connect(t.Context(), host.Target{Server: s}, nil)
	require.NoError(t, err)
	defer server.Close()

	var mu sync.Mutex
	var seen []string
	note := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, s)
	}
	bridge, err := server.Open(t.Context(), "show", nil, &host.BridgeOptions{
		Log: func(m host.LogMessage) { note(string(m.Data)) },
		Trace: func(e host.TraceEntry) {
			if e.Direction == host.Note {
				note(e.Text)
			}
		},
	})
	require.NoError(t, err)
	app, err := bridge.WaitApp(t.Context())
	require.NoError(t, err)
	toView := make(chan json.RawMessage, 100)
	bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error { toView <- msg; return nil }))

	var pageOrigin, viewOrigin string
	views := httptest.NewUnstartedServer(nil)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "frame-src "+viewOrigin)
		w.Header().Set("Content-Type", "text/html")
		view, _ := json.Marshal(map[string]string{"origin": viewOrigin, "sandbox": host.SandboxAttribute, "allow": app.UI.Permissions.Allow()})
		fmt.Fprintf(w, ownPage, view)
	})
	mux.HandleFunc("POST /from-view", func(w http.ResponseWriter, r *http.Request) {
		msg, _ := io.ReadAll(r.Body)
		bridge.Receive(msg)
	})
	mux.HandleFunc("GET /to-view", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case msg := <-toView:
				fmt.Fprintf(w, "data: %s\n\n", msg)
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})
	page := httptest.NewServer(mux)
	defer page.Close()
	port := func(s string) string { u, _ := url.Parse(s); return u.Port() }
	pageOrigin = "http://chat.localhost:" + port(page.URL)
	views.Config.Handler = host.SandboxHandler(pageOrigin, func(r *http.Request) *host.Bridge {
		if r.Host == strings.TrimPrefix(viewOrigin, "http://") {
			return bridge
		}
		return nil
	}, nil)
	viewOrigin = "http://v1.views.localhost:" + port("http://"+views.Listener.Addr().String())
	views.Start()
	defer views.Close()

	b := e2e.SharedBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	g, err := b.Open(ctx, pageOrigin+"/", 800, 600, false)
	require.NoError(t, err)
	defer g.Close()
	all := func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(seen, "\n")
	}
	for _, want := range []string{
		`"drew the result"`, `"called again"`, `"the page is out of reach"`,
		`"connectDomains": ["https://api.example.com"]`, "policy: frame-src stopped " + viewOrigin + "/%zz",
	} {
		// Reports and messages arrive independently of each other.
		for !strings.Contains(all(), want) && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		assert.Contains(t, all(), want, "console: %s", g.Console())
	}
}
