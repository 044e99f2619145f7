package preview

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

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

// A form is built from a schema, with its defaults, and reports invalid values.
func TestForms(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	var got string
	s.AddTool(&mcp.Tool{Name: "form", InputSchema: json.RawMessage(`{"type":"object","required":["name"],"properties":{
		"name":{"type":"string"},"n":{"type":"integer"},"x":{"type":["number","null"],"default":1.5},"on":{"type":"boolean"},"off":{"type":"boolean","default":false},
		"size":{"enum":["s","m",3],"default":"m"},"list":{"type":"array"},"deep":{"type":"object","properties":{"a":{"type":"string","default":"d"}}},
		"any":{},"pick":{"anyOf":[{"const":"p"},{"const":"q"}]}}}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		got = string(req.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
	})
	p := start(t, s)
	g := p.open(t, "", 1000, 900)
	field := func(name, value string) {
		g.eval(t, `{ const l = [...document.querySelectorAll("#fields label")].find((l) => l.firstElementChild.textContent === "`+name+`"); l.control.value = `+value+` }`, nil)
	}
	g.eval(t, `document.getElementById("call").click()`, nil)
	g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent === "This is required.")`)
	field("name", `"Ada"`)
	field("n", `"1.5"`)
	g.eval(t, `document.getElementById("call").click()`, nil)
	g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent === "Enter a whole number.")`)
	field("n", `"7"`)
	field("list", `"[1, {"`)
	g.eval(t, `document.getElementById("call").click()`, nil)
	g.wait(t, `[...document.querySelectorAll(".field-error")].some((e) => e.textContent.startsWith("Enter valid JSON"))`)
	g.shoot(t, "form-mistake")
	field("list", `"[1]"`)
	field("pick", `"1"`)
	g.eval(t, `document.getElementById("call").click()`, nil)
	g.wait(t, `document.getElementById("result").textContent.includes("done")`)
	assert.JSONEq(t, `{"name":"Ada","n":7,"x":1.5,"off":false,"size":"m","list":[1],"pick":"q"}`, got)
}
