package preview

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// The switch "text-only" connects as a client without views does, so that the
// author sees the results that such a client gets.
func TestTheTextOnlyClient(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://t/view.html", Name: "view"}, Document: mcpapps.HTML("<!doctype html><p>view</p>"),
	}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return mcpapps.TextFor(ctx, req, "short, beside the view", "everything in words"), nil, nil
	})
	p := start(t, s)
	g := p.open(t, "", 1000, 700)
	g.call(t, "show", "{}")
	g.wait(t, `document.getElementById("result").textContent.includes("short, beside the view")`)
	g.wait(t, `document.querySelector("#frames iframe")`)
	g.eval(t, `{ const c = document.getElementById("client"); c.value = "text-only"; c.dispatchEvent(new Event("change")) }`, nil)
	g.wait(t, `document.getElementById("result").textContent.includes("everything in words")`)
	g.wait(t, `!document.querySelector("#frames iframe")`)
	g.shoot(t, "text-only")
}
