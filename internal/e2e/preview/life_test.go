package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

const silence = "the view does not answer"

// lively serves the view "well" and the view "blocks", whose script waits, in one
// synchronous request, until the test calls release. arrived gets a value once it no longer
// answers.
func lively(t *testing.T) (s *mcp.Server, arrived <-chan struct{}, release func()) {
	reached, released := make(chan struct{}), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		select {
		case reached <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		select {
		case <-released:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })

	s = mcp.NewServer(&mcp.Implementation{Name: "lively", Version: "1"}, nil)
	for name, script := range map[string]string{
		"well":   ``,
		"blocks": fmt.Sprintf(`const request = new XMLHttpRequest(); request.open("GET", %q, false); request.send();`, web.URL),
	} {
		uri, html := "ui://lively/"+name, fmt.Sprintf(handWritten, script)
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
			})
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html,
				Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []string{web.URL}}}},
			}}}, nil
		})
	}
	return s, reached, func() { released <- struct{}{} }
}

// askEvery sets the milliseconds after which the page asks the view again whether
// it is alive. With 0 only [page.ask] asks.
func (g page) askEvery(t *testing.T, ms int) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`import("/app.js").then((m) => m.life).then((life) => life.askEvery(%d))`, ms), nil)
}

// ask asks the view n times whether it is alive, without waiting for answers.
// The sixth question in a row without an answer reports the view.
func (g page) ask(t *testing.T, n int) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`import("/app.js").then((m) => m.life).then((life) => { for (let i = 0; i < %d; i++) life.askAll() })`, n), nil)
}

// What the page says of views that do not answer, for a while or for ever.
func TestViewsThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s, arrived, release := lively(t)
	g := start(t, s).open(t, "", 900, 700)
	g.askEvery(t, 0)

	// While the tab is hidden, the page does not ask. A view that leaves fewer than six
	// questions unanswered is not reported.
	g.eval(t, `window.away = true; Object.defineProperty(document, "hidden", { get: () => away })`, nil)
	g.call(t, "blocks", "{}")
	receive(t, arrived)
	g.ask(t, 20)
	g.eval(t, `window.away = false`, nil)
	g.ask(t, 5)
	release()
	g.waitRecord(t, "done")
	g.ask(t, 1)
	assert.NotContains(t, g.record(t), silence)

	// A view that was reported and answers again is reported as back, and still works.
	g.call(t, "blocks", "{}")
	receive(t, arrived)
	g.ask(t, 6)
	g.waitRecord(t, silence)
	release()
	g.waitRecord(t, "done")
	g.ask(t, 1)
	g.waitRecord(t, "the view answers again")
	record := g.record(t)
	assert.Less(t, strings.Index(record, silence), strings.Index(record, "answers again"))

	// A view whose process died is closed, with the reason. The next call opens a new view.
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")
	require.NoError(t, g.Crash(t.Context(), "/view"))
	g.wait(t, `document.querySelector("#frames iframe").contentWindow.length === 0`)
	g.ask(t, 6)
	g.waitRecord(t, "closed: "+silence+": its process died")
	g.wait(t, `!document.querySelector("#frames iframe") && document.getElementById("stage-empty").textContent.includes("its process died")`)
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")

	// A view whose script hangs is reported once. The next call opens a new view.
	g.call(t, "blocks", "{}")
	receive(t, arrived)
	g.ask(t, 6)
	g.waitRecord(t, silence)
	g.ask(t, 20)
	assert.Equal(t, 1, strings.Count(g.record(t), silence), "it is said once")
	g.askEvery(t, 3000)
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 1`)
}

func receive(t *testing.T, c <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case <-c:
	case <-ctx.Done():
		t.Fatal("the view sent no request")
	}
}
