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
	"github.com/mcpapps-go/mcpapps/internal/testenv"
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

// TestPreviewWatchesFolders shows that an edit of a file of which a program makes its
// views is noticed, in a folder that only the author knows.
func TestPreviewWatchesFolders(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tool.txt")
	require.NoError(t, os.WriteFile(file, []byte("one"), 0o644))
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var out, errs outbuf.Buffer
	code := make(chan int)
	go func() { code <- run(ctx, []string{"preview", "-watch", dir, "--", self, file}, stdio{&out, &errs}) }()
	require.Eventually(t, func() bool { return strings.HasSuffix(out.String(), "/\n") }, time.Minute, 10*time.Millisecond)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "view.html"), []byte("<p>"), 0o644))
	require.Eventually(t, func() bool { return strings.Count(errs.String(), "serving one") == 2 }, time.Minute, 20*time.Millisecond)
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
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: `<!doctype html><style>html{background:#0a0}</style><p style="margin:30px">x</p><script>
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

func TestNoCommand(t *testing.T) {
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
	} {
		var out outbuf.Buffer
		code := run(t.Context(), strings.Fields(tc.args), stdio{&out, &out})
		assert.Equal(t, tc.code, code, tc.args)
		assert.Contains(t, out.String(), tc.want, tc.args)
	}
}

// TestMistakesOnTheCommandLine shows what each mistake is told: one line, and the exit
// code 2.
func TestMistakesOnTheCommandLine(t *testing.T) {
	const noServer = "name a server: an http URL, or -- and a command with its arguments"
	for args, want := range map[string]string{
		"preview":                                noServer,
		"screenshot -o x.png":                    noServer,
		"check":                                  "name a server, as a URL or as -- and a command, or an HTML file",
		"preview -xyzzy x":                       "no flag -xyzzy",
		"preview -adr localhost:1 http://x":      "no flag -adr: the nearest is -addr",
		"check --jsno x.html":                    "no flag -jsno: the nearest is -json",
		"check -timeout 5s -live -jsno http://x": "no flag -jsno: the nearest is -json",
		"check -live=perhaps http://x":           `invalid boolean value "perhaps" for -live: parse error`,
		"check -timeout":                         "flag needs an argument: -timeout",
		"check -format xml http://x":             `invalid value "xml" for flag -format: write text, json or github`,
		"check -fail-on all http://x":            `invalid value "all" for flag -fail-on: severity "all": it must be note, warning or error`,
		"preview localhost:8080/mcp":             `no such command: "localhost:8080/mcp"; for a URL, name the scheme, as in http://localhost:8080/mcp`,
		"check example.com/mcp":                  `no such command: "example.com/mcp"; for a URL, name the scheme, as in https://example.com/mcp`,
		"types ftp://example.com":                `the URL "ftp://example.com" is not an http or https address`,
		"check http://localhost:80000/mcp":       `the URL "http://localhost:80000/mcp" has the port 80000: a port is a number from 1 to 65535`,
		"preview http://localhost:0/mcp":         `the URL "http://localhost:0/mcp" has the port 0: a port is a number from 1 to 65535`,
		"preview http://x -open":                 `"-open" after the URL "http://x": a URL stands alone, and flags come before it`,
		"preview no-such-command":                `no such command: "no-such-command"`,
		"preview -addr 0.0.0.0:80 http://x":      `-addr "0.0.0.0:80" is not on loopback, where the preview belongs: name localhost (in a container, see -unsafe-listen-on-all-addresses)`,
		"preview -addr localhost http://x":       `-addr "localhost" is not HOST:PORT, such as localhost:6272`,
		"preview -addr localhost:80000 http://x": `-addr "localhost:80000": the port must be a number from 0 to 65534, as in localhost:6272`,
		"preview -header Bearer http://x":        `invalid value "Bearer" for flag -header: write NAME: VALUE`,
		"preview -watch no/such http://x":        `invalid value "no/such" for flag -watch: stat no/such: `,
		"preview -watch main.go http://x":        `invalid value "main.go" for flag -watch: it is a file: name its folder`,
		"version now":                            `"now": the command has no arguments`,
		"screenshot http://x":                    "name the file to write with -o",
		"screenshot -o x.png -size 5x5 http://x": `-size "5x5" is neither WIDTHxHEIGHT, such as 800x600, nor WIDTHx, such as 800x, from 10 to 9999 pixels`,
		"screenshot -o main.go/x.png http://x":   `-o "main.go/x.png": `,
		"screenshot -o x.png -args [] http://x":  `-args "[]" is not a JSON object`,
	} {
		t.Run(args, func(t *testing.T) {
			var out, errs outbuf.Buffer
			command, _, _ := strings.Cut(args, " ")
			assert.Equal(t, 2, run(t.Context(), strings.Fields(args), stdio{&out, &errs}))
			assert.Empty(t, out.String())
			lines := strings.Split(errs.String(), "\n")
			require.Len(t, lines, 3, errs.String())
			if strings.HasSuffix(want, ": ") { // the system's words follow
				assert.Contains(t, lines[0], "mcpapps "+command+": "+want)
			} else {
				assert.Equal(t, "mcpapps "+command+": "+want, lines[0])
			}
			assert.Equal(t, `Run "mcpapps help `+command+`" for its flags.`, lines[1])
		})
	}
}

// TestServerThatCannotBeReached shows that all commands have the same words for it.
func TestServerThatCannotBeReached(t *testing.T) {
	for command, code := range map[string]int{"preview": 1, "types": 1, "check": 2} {
		var out, errs outbuf.Buffer
		assert.Equal(t, code, run(t.Context(), []string{command, testenv.NobodyListens}, stdio{&out, &errs}))
		assert.Contains(t, errs.String(), "; nothing listens there: is the server running?\n", command)
		assert.Empty(t, out.String(), command)
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
