package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// viewServer returns a server with a tool and its view for each document.
func viewServer(documents map[string]string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "views", Version: "1"}, nil)
	for name, html := range documents {
		uri := "ui://views/" + name
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

// A view that keeps its first height, shows nothing or never speaks has the reason on
// its bar.
func TestWhatAViewHasNotDone(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	p := start(t, viewServer(map[string]string{
		"mute": `<!doctype html><p>hello`,
		"flat": fmt.Sprintf(handWritten, `
			document.body.innerHTML = '<div style="position:absolute">hello</div>'; document.body.style.margin = 0;
			post({ method: "ui/notifications/size-changed", params: { width: innerWidth, height: document.body.getBoundingClientRect().height } })`),
		"blank": fmt.Sprintf(handWritten, `
			document.body.innerHTML = '<div style="width:100px;height:50px"></div>';
			post({ method: "ui/notifications/size-changed", params: { width: innerWidth, height: 50 } })`),
	}))
	g := p.open(t, "", 1000, 800)
	for tool, want := range map[string]string{"mute": "The view has not called app.connect()", "flat": "a height of 0", "blank": "The view shows nothing"} {
		t.Run(tool, func(t *testing.T) {
			g.call(t, tool, "{}")
			g.wait(t, fmt.Sprintf(`!document.getElementById("failure").hidden && document.getElementById("failure-text").textContent.includes(%q)`, want))
			var height int
			g.eval(t, `document.querySelector(".frame:not(.closing) iframe").clientHeight`, &height)
			assert.Equal(t, map[string]int{"mute": 320, "flat": 320, "blank": 50}[tool], height)
			g.shoot(t, "preview-hint-"+tool)
		})
	}
}
