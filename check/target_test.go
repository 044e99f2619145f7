package check_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// mark names the processes of one test in their environment, so that those can
// be found which are left.
const mark = "MCPAPPS_CHECK_TEST"

func command(t *testing.T, argv ...string) host.Target {
	t.Helper()
	e2e.NeedCommand(t, argv[0])
	id := fmt.Sprintf("%s=%d-%s", mark, os.Getpid(), strings.ReplaceAll(t.Name(), "/", "-"))
	t.Cleanup(func() {
		var left string
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if left = processes(id); left == "" {
				return
			}
		}
		t.Errorf("processes are left: %s", left)
	})
	return host.Target{Command: argv, Env: []string{id}}
}

// processes returns the ids of the processes with the variable in their
// environment, where the system shows it.
func processes(variable string) string {
	var ids []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(variable+"\x00")) {
			ids = append(ids, strings.Split(f, "/")[2])
		}
	}
	return strings.Join(ids, " ")
}

// A server in bash, in as many lines as it takes.
const bashServer = `
body=${body:-'<!doctype html><p>Hello</p>'}
while IFS= read -r line; do
  id=$(sed -n 's/.*"id":\([0-9]*\).*/\1/p' <<<"$line")
  method=$(sed -n 's/.*"method":"\([^"]*\)".*/\1/p' <<<"$line")
  case "$method" in
  initialize) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/ui":{}}},"serverInfo":{"name":"bash","version":"5"}}' ;;
  ping) result='{}' ;;
  tools/list) result='{"tools":[{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://bash/view.html"},"ui/resourceUri":"ui://bash/view.html"}}]}' ;;
  resources/list) result='{"resources":[{"uri":"ui://bash/view.html","name":"view","mimeType":"text/html;profile=mcp-app"}]}' ;;
  resources/read) eval "$onread"; result='{"contents":[{"uri":"ui://bash/view.html","mimeType":"text/html;profile=mcp-app","text":"'$body'"}]}' ;;
  tools/call) result='{"content":[{"type":"text","text":"done"}]}' ;;
  notifications/*) continue ;;
  *) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"Method not found"}}'; continue ;;
  esac
  echo '{"jsonrpc":"2.0","id":'$id',"result":'$result'}'
done`

func codes(r *check.Report) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Code)
	}
	return list
}

func TestTargetBash(t *testing.T) {
	r, err := check.Target(t.Context(), command(t, "bash", "-c", bashServer), nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	assert.Equal(t, "bash 5", r.Server)
	assert.Equal(t, []string{"2025-11-25"}, r.Versions)
	assert.Equal(t, 1, r.Apps)
}

func TestTargetPython(t *testing.T) {
	t.Parallel()
	r, err := check.Target(t.Context(), command(t, "python3", "testdata/server.py"), &check.Options{Timeout: time.Minute})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"meta-list-only", "result-text"}, codes(r))
}

// TestTargetMisbehaves shows that a server which does not keep to the protocol
// ends in a finding or an error, in bounded time, and that nothing of it is
// left running.
func TestTargetMisbehaves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		code         string // of a finding, or
		err          string // of the error
	}{
		{"mute", "sleep 1000", "", "initialize: no answer in time"},
		{"deaf", "exec <&-; sleep 1000", "", "initialize"},
		{"dead on start", "echo 'no such module' >&2; exit 3", "", "exit status 3"},
		{"shows standard error", "echo 'no such module' >&2; exit 3", "", "no such module"},
		{"shows standard output", "echo 'Usage: server FILE'; exit 3", "", "Usage: server FILE"},
		{"never a message", "while :; do echo 'still starting'; done", "", "initialize"},
		{"never a line", "yes | tr -d '\\n'", "", "a message is longer than the limit"},
		{"ignores the end", "trap '' TERM PIPE; sleep 1000 & while :; do sleep 1; done", "", "no answer in time"},
		{"banner", "echo 'Server running on stdio'" + bashServer, "server-stdout", ""},
		{"hangs on read", "onread='exec sleep 1000'" + bashServer, "server-timeout", ""},
		{"dies on read", "onread='exit 7'" + bashServer, "server-died", ""},
		{"floods on read", "onread='head -c 2000000 /dev/zero | tr \"\\\\0\" x'" + bashServer, "server-flood", ""},
		{"floods standard error", "yes 'still here' | head -c 20000000 >&2" + bashServer, "", ""},
		{"blank lines on standard error", "yes '' | head -c 5000000 >&2" + bashServer, "", ""},
		{"grandchild holds on", "(trap '' TERM; sleep 1000) & " + bashServer, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// Short where it is waited for in vain; else a busy machine may take
			// its time.
			opts := &check.Options{Timeout: time.Minute, MaxBytes: 1 << 20}
			switch c.name {
			case "mute", "deaf", "never a message", "ignores the end":
				opts.Timeout = 500 * time.Millisecond
			case "hangs on read":
				opts.Timeout = 2 * time.Second
			}
			start := time.Now()
			r, err := check.Target(t.Context(), command(t, "bash", "-c", c.script), opts)
			assert.Less(t, time.Since(start), opts.Timeout+30*time.Second)
			switch {
			case c.err != "":
				assert.ErrorContains(t, err, c.err)
				assert.Nil(t, r)
			case c.code != "":
				require.NoError(t, err)
				assert.Contains(t, codes(r), c.code)
			default:
				require.NoError(t, err)
				assert.Empty(t, r.Findings)
			}
		})
	}
}

func TestTargetCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := check.Target(ctx, command(t, "bash", "-c", "onread='sleep 1000'"+bashServer), nil)
	require.Error(t, err)
}

func appServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "app", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		mcpapps.View{
			Resource: mcp.Resource{URI: "ui://app/view.html"},
			UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}},
			Document: mcpapps.HTML("<!doctype html><p>Hello</p>"),
		},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "shown"}}}, nil, nil
		})
	return s
}

// TestTargetHTTP checks a server of this library over HTTP, with sessions and
// without, which differ in the versions that are offered.
func TestTargetHTTP(t *testing.T) {
	for _, c := range []struct {
		name     string
		opts     mcp.StreamableHTTPOptions
		versions []string
	}{
		{"sessions", mcp.StreamableHTTPOptions{}, []string{"2025-11-25"}},
		{"stateless", mcp.StreamableHTTPOptions{Stateless: true}, []string{"2025-11-25", "2026-07-28"}},
		{"JSON", mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}, []string{"2025-11-25", "2026-07-28"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := appServer()
			hs := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &c.opts))
			defer hs.Close()
			r, err := check.Target(t.Context(), host.Target{URL: hs.URL}, nil)
			require.NoError(t, err)
			assert.Empty(t, r.Findings)
			assert.Equal(t, c.versions, r.Versions)
			assert.Equal(t, 1, r.Apps)
		})
	}
}

func TestTargetHTTPFails(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"404":  http.NotFound,
		"HTML": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><p>Welcome") },
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client go
			<-r.Context().Done()
		},
		"stream": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
		"flood": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, ": nothing\n\n"); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hs := httptest.NewServer(h)
			defer hs.Close()
			r, err := check.Target(t.Context(), host.Target{URL: hs.URL}, &check.Options{Timeout: time.Second, MaxBytes: 1 << 16})
			assert.Error(t, err)
			assert.Nil(t, r)
		})
	}
}

func TestServerAndSession(t *testing.T) {
	r, err := check.Server(t.Context(), appServer(), nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	assert.Equal(t, []string{"2025-11-25", "2026-07-28", "2025-06-18", "2025-03-26", "2024-11-05"}, r.Versions)

	s := appServer()
	near, far := mcp.NewInMemoryTransports()
	_, err = s.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), near, nil)
	require.NoError(t, err)
	defer cs.Close()
	r, err = check.Session(t.Context(), cs, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"result-unchecked"}, codes(r), "a session's tools are not called unasked")
	r, err = check.Session(t.Context(), cs, &check.Options{Calls: []check.Call{{Tool: "show"}}})
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
}

// TestTargetStrayLines shows that of many lines on standard output 20 are findings.
func TestTargetStrayLines(t *testing.T) {
	r, err := check.Target(t.Context(), command(t, "bash", "-c", "for i in {1..200}; do echo line $i; done"+bashServer), &check.Options{Timeout: time.Minute})
	require.NoError(t, err)
	assert.Len(t, r.Findings, 20)
	assert.Equal(t, 20, r.Count(check.SeverityError))
}
