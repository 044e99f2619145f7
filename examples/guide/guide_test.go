package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// Each view of the guide shows what the guide says, and does it without an error:
// Open fails the test for those.
func TestViews(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	search := Search{Words: "gardening"}
	for name, c := range map[string]struct {
		tool string
		args any
		use  func(*mcpappstest.Page)
	}{
		"books-connect.html": {"search_books", search, func(page *mcpappstest.Page) {
			page.ByText("Shown by").Wait()
		}},
		"books-result.html": {"search_books", search, func(page *mcpappstest.Page) {
			page.ByText("50 books").Wait()
			page.ByText("Gardening, volume 3").Wait()
		}},
		"books-call.html": {"search_books", search, func(page *mcpappstest.Page) {
			page.ByRole("button", "Borrow the first book").Click()
			page.ByText("It is yours for three weeks.").Wait()
		}},
		"books-theme.html": {"search_books", search, func(page *mcpappstest.Page) {
			color := func(theme host.Theme) any {
				context := page.Bridge().Context()
				context.Theme = theme
				require.NoError(t, page.Bridge().SetContext(context))
				require.NoError(t, page.Bridge().Ping(t.Context()))
				return page.Locator("h1").Eval("(e) => getComputedStyle(e).color")
			}
			assert.NotEqual(t, color(host.ThemeDark), color(host.ThemeLight))
		}},
		"books-size.html": {"search_books", search, func(page *mcpappstest.Page) {
			page.ByText("Volume 50").Wait()
			var scrolls bool
			page.Eval(`document.querySelector("#books").scrollHeight > document.querySelector("#books").clientHeight && document.body.clientHeight <= innerHeight`, &scrolls)
			assert.True(t, scrolls, "the list scrolls, and not the view")
			page.ByRole("button", "Full screen").Click()
			page.ByRole("button", "Full screen").WaitGone()
		}},
		"books-model.html": {"search_books", search, func(page *mcpappstest.Page) {
			for _, button := range []string{"Pick volume 2", "Ask about it", "Website"} {
				page.ByRole("button", button).Click()
			}
			var asked []string
			for _, r := range page.Requests() {
				asked = append(asked, r.Method)
			}
			assert.Equal(t, []string{"ui/initialize", "ui/update-model-context", "ui/message", "ui/open-link"}, asked)
			page.ByText("Picked volume 2").Wait()
		}},
		"books-typed.html": {"search_books", search, func(page *mcpappstest.Page) {
			page.ByText("20 of 50 books").Wait()
		}},
		"book.html": {"show_book", Loan{ID: 51}, func(page *mcpappstest.Page) {
			page.ByText("The Art of Cooking").Wait()
		}},
		"cover.html": {"show_cover", Loan{ID: 1}, func(page *mcpappstest.Page) {
			page.ByText("There is no cover of this book").Wait() // nor such a host
			for _, e := range page.Errors() {
				assert.NotContains(t, e.Text, "policy", "the origin is declared")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := mcpappstest.Open(t, newServer("ui/"+name), c.tool, c.args, &mcpappstest.PageOptions{Width: 400, Height: 300})
			c.use(page)
			assert.Empty(t, page.Accessibility())
		})
	}
}

// The view of one book has it in its document, and knows no other.
func TestTemplate(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	session := mcpappstest.Client(t, newServer("ui/books-result.html"), mcpapps.SupportUI)
	result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://library/book/51"})
	require.NoError(t, err)
	assert.Contains(t, result.Contents[0].Text, `id="data">{"id":51,"title":"The Art of Cooking"}</script>`)
	result, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://library/book"})
	require.NoError(t, err)
	assert.Contains(t, result.Contents[0].Text, `id="data">null</script>`)
	_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://library/book/52"})
	assert.ErrorContains(t, err, "Resource not found")
}

// A failed tool, and a book that can't be borrowed, show the server's words.
func TestFailures(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	page := mcpappstest.Open(t, newServer("ui/books-call.html"), "search_books", Search{Words: "volume 3"})
	page.ByRole("button", "Borrow the first book").Click()
	page.ByText("Not borrowed: book 3 is on loan until Friday").Wait()
}

// The first views that people meet work as they stand, and can be read in both themes:
// that of the README and that of the comment of package view.
func TestFirstViews(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, before, after string }{
		{"README.md", "\n```html\n", "\n```\n"},
		{"view/view.go", "A view is one HTML document:\n//\n", "\n//\n// Package bundle"},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("../..", c.file))
			require.NoError(t, err)
			_, html, found := strings.Cut(string(text), c.before)
			require.True(t, found)
			html, _, found = strings.Cut(html, c.after)
			require.True(t, found)
			html = strings.ReplaceAll("\n"+html, "\n//", "\n")
			server := mcp.NewServer(&mcp.Implementation{Name: "hello", Version: "1"}, nil)
			mcpapps.RegisterApp(server, &mcp.Tool{Name: "greet"}, mcpapps.View{
				Resource: mcp.Resource{URI: "ui://hello/index.html"},
				Document: bundle.Handler(fstest.MapFS{"index.html": {Data: []byte(html)}}, "index.html", nil),
			}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, map[string]string, error) {
				return nil, map[string]string{"greeting": "Hello!"}, nil
			})
			page := mcpappstest.Open(t, server, "greet", nil, &mcpappstest.PageOptions{Width: 400, Height: 300, Theme: host.ThemeDark})
			page.ByText("Hello!").Wait()
			assert.Empty(t, page.Accessibility())
		})
	}
}

// The declarations for typed views match the current tools.
func TestToolTypes(t *testing.T) {
	session := mcpappstest.Client(t, newServer("ui/books-typed.html"), mcpapps.SupportUI)
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}
