package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/examples/internal/exampletest"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// speaks is what a page that speaks MCP does: it begins a session and calls a tool
// in it.
const speaks = `(async () => {
	const ask = async (headers, body) => fetch(%q, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
		body: JSON.stringify({ jsonrpc: "2.0", ...body }),
	});
	try {
		const first = await ask({}, { id: 1, method: "initialize", params: {
			protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1" },
		} });
		await first.text();
		const session = { "mcp-session-id": first.headers.get("mcp-session-id"), "mcp-protocol-version": "2025-11-25" };
		await ask(session, { method: "notifications/initialized" });
		const called = await ask(session, { id: 2, method: "tools/call", params: { name: "show_monitor", arguments: {} } });
		return called.status + " " + (await called.text()).includes("goVersion");
	} catch (err) {
		return err.name;
	}
})()`

// In a browser, a page of the allowed origin speaks MCP, and a page of another one
// can't.
func TestPagesInABrowser(t *testing.T) {
	browser := e2e.SharedBrowser(t)
	site := func() *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>host</title>")
		}))
	}
	allowed, other := site(), site()
	defer allowed.Close()
	defer other.Close()
	endpoint, _, stop := exampletest.Start(t, run, firstURL, "-addr", "127.0.0.1:0", "-preview=false", "-origin", allowed.URL)
	for address, want := range map[string]string{allowed.URL: "200 true", other.URL: "TypeError"} {
		page, err := browser.Open(t.Context(), address, 400, 300, false)
		require.NoError(t, err)
		require.NoError(t, page.Wait(t.Context(), `document.title === "host"`))
		var got string
		require.NoError(t, page.Eval(t.Context(), fmt.Sprintf(speaks, endpoint), &got))
		assert.Equal(t, want, got, address)
		page.Close()
	}
	require.NoError(t, stop())
}
