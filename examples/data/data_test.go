package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// Each program does in a browser what docs/data.md says. A second view of the same user has
// the notes of the first.
func TestPrograms(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	for name, c := range map[string]struct {
		tool string
		args any
		use  func(*testing.T, *mcpappstest.Page)
		then func(*testing.T, *mcpappstest.Page) // in a second view
	}{
		"result": {"show_sales", Year{2025}, func(t *testing.T, page *mcpappstest.Page) {
			page.ByText("Best of 8760 hours: 15 sold, as of now").Wait()
			assert.Equal(t, []string{"show_sales_data"}, tools(page), "too large for the result")
		}, nil},
		"pages": {"list_stations", Line{"North"}, func(t *testing.T, page *mcpappstest.Page) {
			page.ByText("50 stations").Wait()
			for _, want := range []string{"100", "150"} {
				page.ByRole("button", "More").Click()
				page.ByText(want + " stations").Wait()
			}
			page.ByText("North 150").Wait()
			for _, c := range page.Calls()[1:] {
				assert.Contains(t, string(c.Arguments), "view_cursor")
			}
		}, nil},
		"state": {"show_board", nil, func(t *testing.T, page *mcpappstest.Page) {
			page.Locator("#notes:enabled").Wait()
			page.Locator("#notes").Fill("milk")
			saved := page.WaitCall("view_state")
			assert.Contains(t, string(saved.Arguments), `"text":"milk"`)
			assert.False(t, saved.Result.IsError)
		}, func(t *testing.T, page *mcpappstest.Page) {
			page.Locator("#notes:enabled").Wait()
			assert.Equal(t, "milk", page.Locator("#notes").Value())
		}},
		"live": {"show_load", nil, func(t *testing.T, page *mcpappstest.Page) {
			page.Locator("#status").WaitText("live")
			assert.Regexp(t, `^\d+$`, page.Locator("#load").Text())
		}, nil},
		"form": {"invite", Invitation{"ada@example.com"}, func(t *testing.T, page *mcpappstest.Page) {
			page.ByText("open").Wait()
			assert.Equal(t, "ada@example.com", page.Locator("#email").Value())
			page.Locator("#email").Fill("grace@example.com")
			page.ByRole("button", "Send").Click()
			page.ByText("Invitation 1 was sent to grace@example.com.").Wait()
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, o := serverOf(name), &mcpappstest.PageOptions{Width: 400, Height: 300}
			page := mcpappstest.Open(t, server, c.tool, c.args, o)
			c.use(t, page)
			assert.Empty(t, page.Accessibility())
			if c.then != nil {
				page.Close()
				c.then(t, mcpappstest.Open(t, server, c.tool, c.args, o))
			}
		})
	}
}

// tools returns the names of the tools that the view has called.
func tools(page *mcpappstest.Page) (names []string) {
	for _, c := range page.Calls() {
		names = append(names, c.Tool)
	}
	return names
}

// The model reads the text and the small result of a tool, and none of its data. Where
// there are no views, it reads more, and the work of the form is done at once.
func TestWhatTheModelReads(t *testing.T) {
	for name, c := range map[string]struct {
		tool    string
		args    any
		support mcpapps.Support
		text    string
		out     string
	}{
		"result": {"show_sales", Year{2025}, mcpapps.SupportUI, "were sold in 2025. The hours are on screen.", `{"total":52553}`},
		"pages":  {"list_stations", Line{"North"}, mcpapps.SupportUI, "", `{"more":true,"rows":50,"text":"The view shows the first 50 rows, and more on demand."}`},
		"state":  {"show_board", nil, mcpapps.SupportUI, "The notes are on screen.", `{}`},
		"form":   {"invite", Invitation{"ada@example.com"}, mcpapps.SupportUI, "", ``},

		"result without views": {"show_sales", Year{2025}, mcpapps.SupportNone, "52553 were sold in 2025, at most 15 in one hour.", `{"total":52553}`},
		"pages without views":  {"list_stations", Line{"North"}, mcpapps.SupportNone, `{"number":50,"name":"North 50"}`, ``},
		"form without views":   {"invite", Invitation{"ada@example.com"}, mcpapps.SupportNone, "Invitation 1 was sent to ada@example.com.", `{"number":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			program, _, _ := strings.Cut(name, " ")
			result, err := mcpappstest.Client(t, serverOf(program), c.support).CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
			require.NoError(t, err)
			require.False(t, result.IsError)
			text := result.Content[0].(*mcp.TextContent).Text
			assert.Contains(t, text, c.text)
			if name == "form" {
				assert.Nil(t, result.StructuredContent)
				assert.NotContains(t, text, "was sent")
			}
			if c.out == "" {
				return
			}
			assert.NotContains(t, text, "North 50")
			out, err := json.Marshal(result.StructuredContent)
			require.NoError(t, err)
			assert.JSONEq(t, c.out, string(out))
		})
	}
}

// Hosts accept what the servers send.
func TestApps(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	for name := range programs {
		mcpappstest.Check(t, serverOf(name))
	}
}

// A cursor that the client has changed is refused, and is not read by the program.
func TestForeignCursor(t *testing.T) {
	session := mcpappstest.Client(t, serverOf("pages"), mcpapps.SupportUI)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_stations_data", Arguments: map[string]any{"line": "North", "view_cursor": "OTAw"}})
	require.NoError(t, err)
	assert.True(t, result.IsError)
	assert.False(t, strings.Contains(result.Content[0].(*mcp.TextContent).Text, "North"))
}
