package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests are not run at once, although they wait most of their time: of two
// tabs in a browser one is hidden, and is not asked.

const silence = "the view does not answer"

// lively serves views that stop to answer, each in its way, and one that does
// not.
func lively() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "lively", Version: "1"}, nil)
	for name, script := range map[string]string{
		"well":   ``,
		"hangs":  `say("now"); await wait(300); for (;;);`,
		"busy":   `say("now"); await wait(300); for (const end = Date.now() + 24000; Date.now() < end;);`,
		"pauses": `say("now"); await wait(300); for (const end = Date.now() + 8000; Date.now() < end;);`,
	} {
		uri, html := "ui://lively/"+name, fmt.Sprintf(handWritten, script)
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
			})
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: html}}}, nil
		})
	}
	return s
}

// A view whose script hangs is reported, and the next call has a view.
func TestHangingView(t *testing.T) {
	g := start(t, lively()).open(t, "", 900, 700)
	g.call(t, "hangs", "{}")
	g.waitRecord(t, silence)
	assert.Equal(t, 1, strings.Count(g.record(t), silence), "it is said once")
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")
	g.wait(t, `document.querySelectorAll("#frames iframe").length === 1`)
}

// One that answers after all is reported as back, and still works; one that
// pauses for less than the bound is not reported at all.
func TestBusyView(t *testing.T) {
	g := start(t, lively()).open(t, "", 900, 700)
	g.call(t, "pauses", "{}")
	g.waitRecord(t, "done")
	assert.NotContains(t, g.record(t), silence)
	g.call(t, "busy", "{}")
	g.waitRecord(t, "the view answers again")
	record := g.record(t)
	assert.Less(t, strings.Index(record, silence), strings.Index(record, "answers again"))
	assert.Contains(t, record, silence)
	g.waitRecord(t, "done")
}

// One whose process died is closed with the reason, and the next call has a
// view.
func TestCrashedView(t *testing.T) {
	g := start(t, lively()).open(t, "", 900, 700)
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")
	require.NoError(t, g.Crash(t.Context(), "/view"))
	g.waitRecord(t, "closed: "+silence+": its process died")
	g.wait(t, `!document.querySelector("#frames iframe") && document.getElementById("stage-empty").textContent.includes("its process died")`)
	g.call(t, "well", "{}")
	g.waitRecord(t, "done")
}

// A tab that nobody sees is not asked.
func TestHiddenTabIsNotAsked(t *testing.T) {
	g := start(t, lively()).open(t, "", 900, 700)
	g.eval(t, `Object.defineProperty(document, "hidden", { get: () => true })`, nil)
	g.call(t, "busy", "{}")
	g.waitRecord(t, `"data": "now"`)
	time.Sleep(22 * time.Second)
	assert.NotContains(t, g.record(t), silence)
}
