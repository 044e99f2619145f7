package firstday

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/preview"
)

// patience is how long a step may take on a machine that does other things too.
const patience = 2 * time.Minute

// previewed starts a preview of a server of servers.
func previewed(t *testing.T, name string) *preview.Preview {
	t.Helper()
	e2e.Need(t, e2e.Browser)
	p, err := preview.Start(t.Context(), target(t, name), &preview.Options{Connect: &host.ConnectOptions{ConnectTimeout: patience}})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// open opens the preview's page with a tool.
func open(t *testing.T, p *preview.Preview, tool, args string) *chrome.Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	page, err := e2e.SharedBrowser(t).Open(ctx, p.URL()+"?"+url.Values{"tool": {tool}, "args": {args}}.Encode(), 1280, 800, false)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	require.NoError(t, page.Wait(ctx, `document.querySelector("button.tool") && !document.getElementById("call").disabled`))
	return page
}

// says calls the tool of the page, and waits until the value of a JavaScript expression
// there is what is wanted: on a slow machine, a view that has not connected yet is
// mentioned before.
func says(t *testing.T, page *chrome.Page, value, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, page.Eval(ctx, `document.getElementById("call").click()`, nil))
	if page.Wait(ctx, value+" === "+strconv.Quote(want)) == nil {
		return
	}
	var got string
	require.NoError(t, page.Eval(t.Context(), value, &got))
	assert.Equal(t, want, got)
}

// TestThePreviewSays shows what stands on the bar above a view that fails.
func TestThePreviewSays(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	page := open(t, previewed(t, "has views that fail"), "throws", "{}")
	for author, v := range brokenViews {
		if v.bar == "" {
			continue // the tab Policy has what was blocked
		}
		t.Run(author, func(t *testing.T) {
			require.NoError(t, page.Eval(t.Context(), fmt.Sprintf(`document.querySelector("button.tool[data-tool=%s]").click()`, v.tool), nil))
			const bar = `(document.getElementById("failure").hidden ? "" :
				["failure-text", "failure-where"].map((id) => document.getElementById(id).textContent).filter((text) => text).join(" at "))`
			says(t, page, bar, v.bar)
		})
	}
}

// TestThePreviewOfAHandlerThatPanics shows what stands in place of the view, whose
// server is gone.
func TestThePreviewOfAHandlerThatPanics(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	page := open(t, previewed(t, "panics in the handler"), "greet", `{"name":"Ada"}`)
	const crash = `(document.getElementById("crash").hidden ? "" :
		document.getElementById("crash-title").textContent + "\n" + document.getElementById("crash-lines").textContent.split("\n")[0])`
	says(t, page, crash, "the server's process ended: exit status 2\npanic: runtime error: index out of range [0] with length 0")
}

// TestThePreviewOfAMisspelledURI shows what stands in place of a view that the server
// does not have.
func TestThePreviewOfAMisspelledURI(t *testing.T) {
	t.Parallel()
	page := open(t, previewed(t, "misspells a URI"), "greet", `{"name":"Ada"}`)
	const problem = `(document.getElementById("stage-empty").classList.contains("problem") ? document.querySelector("#stage-empty > p").textContent : "")`
	says(t, page, problem, `the view can't be read: reading app "ui://hello/indx.html": the server has no such resource; `+
		`it must register one at exactly the URI that the tool names: calling "resources/read": Resource not found`)
}
