package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
	"github.com/mcpapps-go/mcpapps/preview"
)

// A user opens views from the entrypoints, as the preview emulates ChatGPT on the desktop:
// a note by a link, from which they write a draft, and a file, which they save.
func TestEntrypoints(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, _ := newTestServer(t)
	browser := testbrowser.Shared(t)
	desktop, ok := compat.Lookup("chatgpt-desktop")
	require.True(t, ok)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := preview.Start(ctx, host.Target{Server: server}, &preview.Options{Emulate: desktop})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	page, err := browser.Open(ctx, p.URL(), 1280, 800, false)
	require.NoError(t, err)
	t.Cleanup(page.Close)

	require.NoError(t, page.Wait(ctx, `document.querySelectorAll("#entrypoint-list .entrypoint").length === 3`))
	require.NoError(t, page.Eval(ctx, `(() => {
		const path = document.querySelector("#entrypoint-list [data-link=show_board]");
		path.value = "/n/1";
		path.dispatchEvent(new Event("change"));
		path.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
	})()`, nil))
	within(ctx, t, page, `document.getElementById("title").value === "Groceries"`)
	within(ctx, t, page, `document.getElementById("context").textContent.includes("knows")`)
	within(ctx, t, page, `(document.getElementById("ask").click(), !document.getElementById("editor").open)`)
	require.NoError(t, page.Wait(ctx, `document.body.textContent.includes("About my note “Groceries”: ")`))
	require.NoError(t, page.Wait(ctx, `document.body.textContent.includes("Append to the draft of a message")`))

	require.NoError(t, page.Eval(ctx, `document.querySelector(".frame-bar button").click()`, nil)) // out of full screen
	require.NoError(t, page.Eval(ctx, `(() => {
		const input = document.querySelector("#entrypoint-list [data-tool=open_note_file] input[type=file]");
		const chosen = new DataTransfer();
		chosen.items.add(new File(["Some text"], "a.note"));
		input.files = chosen.files;
		input.dispatchEvent(new Event("change"));
	})()`, nil))
	within(ctx, t, page, `document.getElementById("name")?.textContent === "a.note" && document.getElementById("text").value === "Some text"`)
	require.NoError(t, page.EvalIn(ctx, "/view", `(document.getElementById("text").value += " more", document.getElementById("save").click())`, nil))
	within(ctx, t, page, `document.getElementById("saved").textContent === "Saved" && !document.getElementById("notice").textContent`)
	assert.Empty(t, page.Exceptions())
}

// within waits until an expression is true in the view.
func within(ctx context.Context, t *testing.T, page *chrome.Page, condition string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var met bool
		return page.EvalIn(ctx, "/view", `Boolean(`+condition+`)`, &met) == nil && met
	}, 2*time.Minute, 20*time.Millisecond, condition)
}
