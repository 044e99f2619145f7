package check_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

// A script of answers is a server on HTTP: for each method the result, or
// whatever else a function does with the response.
type answers map[string]any

func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	switch v := a[req.Method].(type) {
	case func(http.ResponseWriter, *http.Request):
		v(w, r)
	case string:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, v)
	default:
		if req.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no %s"}}`, req.ID, req.Method)
	}
}

// with returns the server with another answer.
func (a answers) with(method string, v any) answers {
	b := answers{}
	for k, v := range a {
		b[k] = v
	}
	b[method] = v
	return b
}

const (
	toolOf  = `{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://h/v"},"ui/resourceUri":"ui://h/v"}}`
	readOf  = `{"contents":[{"uri":"ui://h/v","mimeType":"text/html;profile=mcp-app","text":"<!doctype html><p>Hello</p>"}]}`
	helloOf = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/ui":{}}},"serverInfo":{"name":"h","version":"1"}}`
)

var plainAnswers = answers{
	"initialize": helloOf, "ping": `{}`,
	"tools/list":     `{"tools":[` + toolOf + `]}`,
	"resources/list": `{"resources":[{"uri":"ui://h/v","name":"v","mimeType":"text/html;profile=mcp-app"}]}`,
	"resources/read": readOf,
	"tools/call":     `{"content":[{"type":"text","text":"done"}]}`,
}

func overHTTP(t *testing.T, h http.Handler, target host.Target, o *check.Options) (*check.Report, error) {
	t.Helper()
	hs := httptest.NewServer(h)
	defer hs.Close()
	target.URL = hs.URL
	return check.Target(t.Context(), target, o)
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestHTTPHostile(t *testing.T) {
	t.Parallel()
	r, err := overHTTP(t, plainAnswers, host.Target{}, nil)
	require.NoError(t, err)
	require.Empty(t, r.Findings)
	drip := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
	for _, c := range []struct {
		name, method string
		answer       any
		code, err    string
	}{
		{"hangs on the notification", "notifications/initialized", hang, "", "no answer in time"},
		{"drips on the notification", "notifications/initialized", drip, "", ""},
		{"drips", "initialize", drip, "", "no answer in time"},
		{"bomb", "resources/read", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 4 {
				_, _ = z.Write(make([]byte, 1<<20))
			}
			z.Close()
		}, "server-flood", ""},
		{"endless events", "tools/list", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for {
				if _, err := fmt.Fprintf(w, "data: %s\n\n", strings.Repeat("x", 1<<16)); err != nil {
					return
				}
			}
		}, "server-flood", ""},
		{"wrong id", "tools/list", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n\n")
		}, "server-died", ""},
		{"unauthorized", "tools/list", status(401), "server-list-failed", ""},
		{"internal error", "resources/read", status(500), "resource-unreadable", ""},
		{"no body", "tools/list", status(200), "server-list-failed", ""},
		{"too deep", "tools/list", `{"tools":[` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `]}`, "server-list-failed", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := &check.Options{Timeout: time.Second, MaxBytes: 1 << 20}
			if c.code != "" { // which is not waited for, and found in time on a busy machine too
				o.Timeout = time.Minute
			}
			start := time.Now()
			r, err := overHTTP(t, plainAnswers.with(c.method, c.answer), host.Target{}, o)
			assert.Less(t, time.Since(start), 55*time.Second)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			if c.code != "" {
				assert.Contains(t, codes(r), c.code)
			}
		})
	}
}

// TestHTTPRedirect shows that a check goes to no other server than the named
// one: neither do headers, nor does the word of a server on this machine count
// for one elsewhere.
func TestHTTPRedirect(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		plainAnswers.ServeHTTP(w, r)
	}))
	defer other.Close()
	redirect := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Redirect(w, r, other.URL, http.StatusPermanentRedirect)
	}
	for _, method := range []string{"initialize", "tools/call"} {
		_, err := overHTTP(t, plainAnswers.with(method, redirect), host.Target{Header: http.Header{"X-Key": {"secret"}}}, nil)
		if method == "initialize" {
			require.ErrorContains(t, err, other.URL)
		} else {
			require.NoError(t, err)
		}
		assert.Zero(t, asked.Load(), method)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp/", plainAnswers)
	mux.Handle("/", http.RedirectHandler("/mcp/", http.StatusPermanentRedirect))
	r, err := overHTTP(t, mux, host.Target{}, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings, "the same server may name another path")
}

// TestAnswersOfWrongShape shows that an answer of the wrong shape is not taken
// for an empty one.
func TestAnswersOfWrongShape(t *testing.T) {
	for _, c := range []struct{ method, answer, code, err string }{
		{"tools/list", `[]`, "server-list-failed", ""},
		{"tools/list", `"none"`, "server-list-failed", ""},
		{"tools/list", `null`, "server-list-failed", ""},
		{"tools/list", `{"tools":null}`, "server-list-failed", ""},
		{"tools/list", `{"tools":{}}`, "server-list-failed", ""},
		{"resources/list", `[]`, "server-list-failed", ""},
		{"resources/list", `{"resources":null}`, "server-list-failed", ""},
		{"resources/read", `null`, "resource-contents", ""},
		{"resources/read", `{"contents":[null]}`, "resource-contents", ""},
		{"resources/read", `{"contents":[{"uri":"ui://h/v","text":1e999}]}`, "resource-contents", ""},
		{"initialize", `null`, "", `the protocolVersion ""`},
		{"initialize", `{}`, "", `the protocolVersion ""`},
		{"initialize", `[]`, "", "the result is a JSON array"},
		{"initialize", strings.Replace(helloOf, "2025-11-25", "1.0", 1), "", `the protocolVersion "1.0"`},
	} {
		t.Run(c.method+c.answer, func(t *testing.T) {
			r, err := overHTTP(t, plainAnswers.with(c.method, c.answer), host.Target{}, nil)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Contains(t, codes(r), c.code)
		})
	}
}

// TestUnasked shows which tools are not called unless the author names them.
func TestUnasked(t *testing.T) {
	const (
		ui    = `"_meta":{"ui":{"resourceUri":"ui://h/v"}}`
		hints = `"annotations":{"readOnlyHint":true}`
	)
	for _, c := range []struct {
		name, tools string
		called      bool
	}{
		{"plain", `{"name":"show","inputSchema":{"type":"object"},` + hints + `,` + ui + `}`, true},
		{"optional arguments", `{"name":"show","inputSchema":{"type":"object","properties":{"a":{}},"required":[],"additionalProperties":false},` + hints + `,` + ui + `}`, true},
		{"said twice alike", strings.Repeat(`{"name":"show","inputSchema":{"type":"object"},`+hints+`,`+ui+`},`, 2), true},
		{"no hints", `{"name":"show","inputSchema":{"type":"object"},` + ui + `}`, false},
		{"hint of a wrong type", `{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"true"},` + ui + `}`, false},
		{"hints of a wrong type", `{"name":"show","inputSchema":{"type":"object"},"annotations":[{"readOnlyHint":true}],` + ui + `}`, false},
		{"destructive", `{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true},` + ui + `}`, false},
		{"destructive in another type", `{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":"true"},` + ui + `}`, false},
		{"a hint taken back", `{"name":"show","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"readOnlyHint":false},` + ui + `}`, false},
		{"required", `{"name":"show","inputSchema":{"type":"object","required":["a"]},` + hints + `,` + ui + `}`, false},
		{"required of a wrong type", `{"name":"show","inputSchema":{"type":"object","required":"a"},` + hints + `,` + ui + `}`, false},
		{"required in a part", `{"name":"show","inputSchema":{"type":"object","allOf":[{"required":["a"]}]},` + hints + `,` + ui + `}`, false},
		{"required elsewhere", `{"name":"show","inputSchema":{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"required":["a"]}}},` + hints + `,` + ui + `}`, false},
		{"required in the property", `{"name":"show","inputSchema":{"type":"object","properties":{"a":{"required":true}}},` + hints + `,` + ui + `}`, false},
		{"required by number", `{"name":"show","inputSchema":{"type":"object","minProperties":1},` + hints + `,` + ui + `}`, false},
		{"no schema", `{"name":"show","inputSchema":"none",` + hints + `,` + ui + `}`, false},
		{"for views", `{"name":"show","inputSchema":{"type":"object"},` + hints + `,"_meta":{"ui":{"resourceUri":"ui://h/v","visibility":["app"]}}}`, false},
		{"of unknown visibility", `{"name":"show","inputSchema":{"type":"object"},` + hints + `,"_meta":{"ui":{"resourceUri":"ui://h/v","visibility":"app"}}}`, false},
		{"for views in a stray spelling", `{"name":"show","inputSchema":{"type":"object"},` + hints + `,"_meta":{"ui/resourceUri":"ui://h/v","ui/visibility":["app"]}}`, false},
		{"two of one name", `{"name":"show","inputSchema":{"type":"object"},` + hints + `,` + ui + `},{"name":"show","inputSchema":{"type":"object"}}`, false},
		{"without a view", `{"name":"show","inputSchema":{"type":"object"},` + hints + `}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var called atomic.Bool
			_, err := overHTTP(t, plainAnswers.
				with("tools/list", `{"tools":[`+strings.TrimSuffix(c.tools, ",")+`]}`).
				with("tools/call", func(w http.ResponseWriter, _ *http.Request) {
					called.Store(true)
					w.WriteHeader(500)
				}), host.Target{}, nil)
			require.NoError(t, err)
			assert.Equal(t, c.called, called.Load())
		})
	}
}

// TestHandlerHangs shows that a check of a server in this process ends, though
// a handler does not.
func TestHandlerHangs(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	never := make(chan struct{})
	defer close(never)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://s/v"}, mcpapps.ResourceUIMetadata{},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			<-never
			return nil, context.Canceled
		})
	start := time.Now()
	r, err := check.Server(t.Context(), s, &check.Options{Timeout: 300 * time.Millisecond})
	require.NoError(t, err)
	assert.Contains(t, codes(r), "server-timeout")
	assert.Less(t, time.Since(start), 50*time.Second)
}

// TestErrorsAreShown shows that a server's words can't reach a terminal as
// commands, or as lines of the check's own.
func TestErrorsAreShown(t *testing.T) {
	words := `\u001b[31mred\u009b\u202e\nmcpapps check: fine`
	_, err := overHTTP(t, plainAnswers.with("initialize", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"%s"}}`, words)
	}), host.Target{}, nil)
	require.Error(t, err)
	assert.Contains(t, err.Error(), `\x1b[31mred\u009b\u202e\nmcpapps`)
	assert.NotContains(t, err.Error(), "\n")

	name := `show\u001b[31m\u202e\n` + strings.Repeat("n", 10_000)
	r, err := overHTTP(t, plainAnswers.with("tools/list", `{"tools":[`+strings.Replace(toolOf, "show", name, 1)+`]}`), host.Target{}, nil)
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	assert.NotContains(t, text.String(), "\x1b")
	assert.Less(t, text.Len(), 10_000)
}
