package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// The test binary, started with the name of a file that ends in tool.txt, is
// also a server over stdio with the one tool that the file names.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && strings.HasSuffix(os.Args[1], "tool.txt") {
		name, err := os.ReadFile(os.Args[1])
		if err != nil {
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "serving %s\n", name)
		s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
		s.AddTool(&mcp.Tool{Name: string(name), InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
		})
		_ = s.Run(context.Background(), &mcp.StdioTransport{})
		os.Exit(0)
	}
	slowStart = 200 * time.Millisecond
	code := m.Run()
	e2e.CloseBrowser()
	os.Exit(code)
}

func TestPreviewStartsACommandAgainWhenItsFilesChange(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tool.txt")
	require.NoError(t, os.WriteFile(file, []byte("one"), 0o644))
	ctx, stop := context.WithCancel(t.Context())
	var out, errs outbuf.Buffer
	code := make(chan int)
	go func() { code <- run(ctx, []string{"preview", "--", self, file}, stdio{&out, &errs}) }()
	eventually := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(errs.String(), text) }, time.Minute, 20*time.Millisecond, text)
	}
	eventually("serving one") // and no later: what changes while the preview starts counts too
	require.NoError(t, os.WriteFile(file, []byte("another"), 0o644))
	eventually("restarting the server after a change: ")
	eventually("serving another")
	stop()
	assert.Zero(t, <-code)
}

func server(t *testing.T) string {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	const uri = "ui://t/view.html"
	add := func(name string, meta mcp.Meta) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: meta}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
		})
	}
	add("a-plain", nil)
	add("an-app-only", mcp.Meta{"ui": map[string]any{"resourceUri": "ui://t/none.html", "visibility": []string{"app"}}})
	add("view", mcp.Meta{"ui": map[string]any{"resourceUri": uri}})
	s.AddResource(&mcp.Resource{URI: uri, Name: "view", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: `<!doctype html><style>html{background:#0a0}</style><script>
			const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
			addEventListener("message", (e) => { const m = e.data;
				if (m.id === 0) post({ method: "ui/notifications/initialized" });
				if (m.method === "ui/notifications/tool-result") document.documentElement.style.background = "#00c" });
			post({ id: 0, method: "ui/initialize", params: { appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
		</script>`}}}, nil
	})
	return serve(t, s)
}

func serve(t *testing.T, s *mcp.Server) string {
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(srv.CloseClientConnections)
	return srv.URL
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, tc := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, "mcpapps preview"},
		{"nope", 2, `no command "nope"`},
		{"help", 0, "screenshot"},
		{"help preview", 0, "-unsafe-listen-on-all-addresses"},
		{"preview -h", 0, "-addr"},
		{"preview", 2, "name a server"},
		{"preview -nope x", 2, "flag provided but not defined"},
		{"preview -addr 0.0.0.0:80 http://x", 2, "not on loopback"},
		{"preview -addr localhost http://x", 2, "not HOST:PORT"},
		{"preview no-such-command", 2, "no such command"},
		{"preview http://127.0.0.1:1/mcp", 1, "connecting to http://127.0.0.1:1/mcp"},
		{"screenshot http://x", 2, "-o"},
		{"screenshot -o x.png -size 5x5 http://x", 2, "WIDTHxHEIGHT"},
		{"screenshot -o no/such/x.png http://x", 2, `-o "no/such/x.png": `},
		{"screenshot -o x.png -args [] http://x", 2, "not a JSON object"},
	} {
		var out outbuf.Buffer
		code := run(t.Context(), strings.Fields(tc.args), stdio{&out, &out})
		assert.Equal(t, tc.code, code, tc.args)
		assert.Contains(t, out.String(), tc.want, tc.args)
	}
}

func TestPreviewServesUntilItIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var out, errs outbuf.Buffer
	code := make(chan int)
	go func() { code <- run(ctx, []string{"preview", server(t)}, stdio{&out, &errs}) }()
	require.Eventually(t, func() bool { return strings.HasSuffix(out.String(), "/\n") }, time.Minute, 10*time.Millisecond, errs.String())
	resp, err := http.Get(strings.TrimSpace(out.String()))
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	stop()
	assert.Zero(t, <-code)
}
