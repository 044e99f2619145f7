package main

import (
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

func open(t *testing.T, server *mcp.Server, tool string, args any, as string) *mcpappstest.Page {
	t.Helper()
	return mcpappstest.Open(t, server, tool, args, &mcpappstest.PageOptions{Width: 900, Timeout: time.Minute, Host: as})
}

// A user of ChatGPT opens the board from the sidebar, writes a note, changes and deletes it,
// and then follows links.
func TestBoard(t *testing.T) {
	t.Parallel()
	server, s := newTestServer(t)
	page := open(t, server, "show_board", nil, "chatgpt")
	page.Locator("#count").WaitText("4 notes")
	assert.Empty(t, page.Accessibility())
	page.ByRole("button", "New note").Click()
	page.ByRole("textbox", "Title").Fill("Tea")
	page.ByRole("textbox", "Text").Fill("Green")
	page.Locator("#list").Select("Doing")
	assert.Empty(t, page.Accessibility())
	page.Locator("#save").Click()
	page.Locator("#count").WaitText("5 notes")

	page.Locator(`[data-note="5"]`).Press("Enter")
	page.ByRole("textbox", "Title").Fill("Coffee")
	page.Locator("#title").Press("Escape")
	page.Locator("#problem").WaitText("changes that are not saved")
	// Meanwhile the model moves it.
	require.NoError(t, s.update(func(d *document) error {
		n := *d.find(5)
		n.List = "Done"
		return d.put(n)
	}))
	page.Locator("#save").Click()
	page.Locator("#problem").WaitText(errChanged.Error())
	page.Locator("#cancel").Click()
	page.Eval(`document.dispatchEvent(new Event("visibilitychange"))`, nil)
	page.Locator(`section:nth-child(3) [data-note="5"]`).Click()
	page.Locator("#delete").Click()
	page.Locator("#count").WaitText("4 notes")
	page.Locator("#editor").WaitGone()
	followLinks(t, page, s)
}

// followLinks shows that a link opens a note, also while the board is open, and that what is
// being written stays.
func followLinks(t *testing.T, page *mcpappstest.Page, s *store) {
	t.Helper()
	link := func(url string) {
		c := page.Bridge().Context()
		c.Extra = map[string]any{"openai/deepLink": map[string]any{"url": url}}
		require.NoError(t, page.Bridge().SetContext(c))
	}
	link("/n/1?from=chat")
	page.Locator("#editor").Wait()
	assert.Equal(t, "Groceries", page.Locator("#title").Value())
	page.ByRole("textbox", "Title").Fill("Fruit")
	link("/n/2")
	page.Locator("#problem").WaitText("Save or cancel this note first.")
	assert.Equal(t, "Fruit", page.Locator("#title").Value())
	page.Locator("#cancel").Click()
	link("/n/99")
	page.Locator("#notice").WaitText("This note was deleted")

	// More notes than the settings show of a list appear on request.
	require.NoError(t, s.update(func(d *document) error {
		for range 30 {
			require.NoError(t, d.put(Note{Title: "Many", List: "To do"}))
		}
		return nil
	}))
	page.Eval(`document.dispatchEvent(new Event("visibilitychange"))`, nil)
	page.ByRole("button", "12 more").Click()
	assert.Equal(t, 32, page.Locator("section:nth-child(1) .card").Count())
}

// The model opens an empty note for the user, in a host that knows nothing of ChatGPT's
// layer, and a view of files says that the host opens no files.
func TestOtherHosts(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, _ := newTestServer(t)
	page := open(t, server, "show_board", map[string]any{"new": true}, "")
	page.Locator("#heading").WaitText("New note")
	page.Locator("#cancel").Click()
	page.Locator(`[data-note="1"]`).Click()
	page.Locator("#ask").Click()
	page.Locator("#problem").WaitText("This host takes no drafts")
	page.Locator("#cancel").Click()

	// The view has the host's theme, and with an open note it fits frames of 320 to 1,200 pixels.
	var light, dark string
	page.Eval("getComputedStyle(document.body).backgroundColor", &light)
	page.SetTheme(host.ThemeDark)
	page.Eval("getComputedStyle(document.body).backgroundColor", &dark)
	assert.NotEqual(t, light, dark)
	page.Locator(`[data-note="1"]`).Click()
	page.Locator("#heading").WaitText("Note")
	for _, width := range []int{320, 390, 700, 1200} {
		page.SetSize(width, 700)
		var overflow float64
		page.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &overflow)
		assert.Zero(t, overflow, "%d pixels", width)
		var together bool
		page.Eval(`document.getElementById("cancel").offsetTop === document.getElementById("save").offsetTop`, &together)
		assert.True(t, together, "%d pixels: Cancel and Save are in two rows", width)
	}

	page = open(t, server, "open_note_file", map[string]any{"file": map[string]any{"name": "a.note", "resourceUri": "host-resource://a"}}, "")
	page.Locator("#notice").WaitText("This host does not open files in views.")
	assert.Empty(t, page.Accessibility())
}
