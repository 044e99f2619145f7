package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
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
)

func TestChat(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://t/view.html"}, Document: mcpapps.HTML("<!doctype html><p>view</p>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "shown"}}}, nil, nil
	})
	server, err := host.Connect(t.Context(), host.Target{Server: s}, nil)
	require.NoError(t, err)
	defer server.Close()
	c := newChat(server, "localhost:8090", "localhost:8091")
	page := httptest.NewServer(c.page())
	defer page.Close()
	views := httptest.NewServer(c.sandbox())
	defer views.Close()
	do := func(method, url, hostName, body string, header ...string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		require.NoError(t, err)
		req.Host = hostName
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	text := func(r *http.Response) string {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return string(body)
	}
	const call = `{"tool":"show","arguments":{}}`

	assert.Contains(t, text(do("GET", page.URL, "localhost:8090", "")), `<option data-arguments="{}">show</option>`)
	assert.Equal(t, http.StatusMisdirectedRequest, do("GET", page.URL, "evil.example.com", "").StatusCode)
	assert.Equal(t, http.StatusForbidden, do("POST", page.URL+"/open", "localhost:8090", call, "Sec-Fetch-Site", "cross-site").StatusCode)
	assert.Contains(t, text(do("POST", page.URL+"/open", "localhost:8090", `{"tool":"none"}`)), `the server has no tool "none"`)

	var view struct{ Name, Origin, Sandbox string }
	require.NoError(t, json.Unmarshal([]byte(text(do("POST", page.URL+"/open", "localhost:8090", call))), &view))
	assert.Equal(t, "http://"+view.Name+".localhost:8091", view.Origin)
	assert.Equal(t, host.SandboxAttribute, view.Sandbox)
	document := do("GET", views.URL+"/view", view.Name+".localhost:8091", "")
	assert.Equal(t, "<!doctype html><p>view</p>", text(document))
	assert.Contains(t, document.Header.Get("Content-Security-Policy"), "frame-ancestors 'self' http://localhost:8090;")
	assert.Equal(t, http.StatusNotFound, do("GET", views.URL+"/view", "other.localhost:8091", "").StatusCode)

	ctx, closePage := context.WithCancel(t.Context())
	defer closePage()
	req, err := http.NewRequestWithContext(ctx, "GET", page.URL+"/to-view/"+view.Name, nil)
	require.NoError(t, err)
	req.Host = "localhost:8090"
	stream, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return "end of stream"
	}
	send := func(msg string) {
		t.Helper()
		assert.Equal(t, http.StatusOK, do("POST", page.URL+"/from-view/"+view.Name, "localhost:8090", msg).StatusCode)
	}
	send(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`)
	assert.Contains(t, next(), `"id":0,"result":{"hostCapabilities":{"openLinks":{}`)
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	assert.Contains(t, next(), "ui/notifications/tool-input")
	assert.Contains(t, next(), `"text":"shown"`)
	bridge := c.view(view.Name).bridge
	closePage()
	<-bridge.Done()
	require.Eventually(t, func() bool { return c.view(view.Name) == nil }, time.Minute, 10*time.Millisecond, "the view is forgotten when the page's stream ends")
}

func TestRequiredArguments(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"name":{"type":"string"},"loud":{"default":true}},"required":["name"]}`:                 `{"name":""}`,
		`{"properties":{"n":{"type":"integer"},"e":{"enum":["x"]},"d":{"default":3}},"required":["n","e","d"]}`: `{"n":0,"e":"x","d":3}`,
		`{"required":["unknown"]}`:        `{"unknown":null}`,
		`{"properties":{"a":{"type":5}}}`: `{}`,
		`{"required":"x"}`:                `{}`,
		`{"properties":{"a":true}}`:       `{}`,
		``:                                `{}`,
	} {
		assert.JSONEq(t, want, requiredArguments(json.RawMessage(schema)), schema)
	}
}
