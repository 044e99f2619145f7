package preview

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// Ten pages with a view each stay responsive: a browser opens six connections
// to an origin, and each page holds one for its stream. In CI there are seven pages, the
// first two of them with a view; with MCPAPPS_FULL=1 all.
func TestTenTabs(t *testing.T) {
	e2e.Need(t, e2e.Patience)
	t.Parallel()
	p := start(t, showcase())
	pages := make([]page, 7) // a browser opens at most six connections to one origin
	if testenv.Full() {
		pages = make([]page, 10)
	}
	views := pages[:2]
	if testenv.Full() {
		views = pages
	}
	for i := range pages {
		pages[i] = p.open(t, "", 1000, 700)
	}
	for i, g := range views {
		g.call(t, "forecast", fmt.Sprintf(`{"place":"Town %d"}`, i))
	}
	for _, g := range views {
		g.wait(t, `document.documentElement.dataset.result === "ok" && document.documentElement.dataset.ready`)
	}
	// Each page can still send commands and receive events.
	for i, g := range pages {
		start := time.Now()
		g.call(t, "stations", "{}")
		g.wait(t, `document.getElementById("result").textContent.includes("does not answer")`)
		t.Logf("page %d: %v", i, time.Since(start))
	}
	// Closing one page does not affect the others.
	pages[0].Close()
	pages[1].call(t, "forecast", "{}")
	pages[1].waitRecord(t, `"place": "oslo"`)
	var n int
	pages[1].eval(t, `document.querySelectorAll("#frames iframe").length`, &n)
	assert.Equal(t, 1, n)
}

// The record stays at its end, also after it was hidden, until the reader scrolls up or
// opens a message.
func TestTheRecordFollowsItsEnd(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	g := start(t, showcase()).open(t, "", 1280, 800)
	n := 0
	add := func() {
		t.Helper()
		n++
		g.eval(t, fmt.Sprintf(`import("/app.js").then((m) => m.log).then((log) => { for (let i = 0; i < 60; i++) log.add({ dir: "to-view", time: Date.now(), msg: { method: "round/%d", params: { name: "a name that wraps ".repeat(i %% 7) } } }) })`, n), nil)
		g.wait(t, fmt.Sprintf(`document.querySelector("#log > :last-child")?.textContent.includes("round/%d")`, n))
	}
	const atEnd = `(() => { const l = document.getElementById("log"); return l.clientHeight > 0 && l.scrollTop > 0 && l.scrollHeight - l.scrollTop - l.clientHeight < 40 })()`
	for range 4 {
		add()
		g.wait(t, atEnd)
	}
	g.eval(t, `document.getElementById("tab-server").click()`, nil)
	add()
	g.eval(t, `document.getElementById("tab-messages").click()`, nil)
	g.wait(t, atEnd)

	for _, reader := range []string{`document.getElementById("log").scrollTop -= 500`, `document.querySelector("#log > :last-child details").open = true`} {
		g.eval(t, `new Promise((done) => { `+reader+`; requestAnimationFrame(() => requestAnimationFrame(() => done())) })`, nil)
		add()
		var end bool
		g.eval(t, atEnd, &end)
		assert.False(t, end, reader)
		g.eval(t, `document.getElementById("log").scrollTop = 1e6`, nil)
		g.wait(t, atEnd)
		g.eval(t, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`, nil)
		add()
		g.wait(t, atEnd)
	}
}

// The page can be used with the keyboard alone, and by screen readers.
func TestKeyboard(t *testing.T) {
	p := start(t, showcase())
	g := p.open(t, "", 1280, 900)
	press := func(key string) {
		t.Helper()
		if err := g.Press(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	focus := func() (id string) {
		g.eval(t, `document.activeElement.id || document.activeElement.dataset.tool || document.activeElement.tagName`, &id)
		return id
	}
	press("Tab")
	var text string
	g.eval(t, `document.activeElement.textContent`, &text)
	assert.Equal(t, "Skip to the view", text)
	var order []string
	for range 30 {
		press("Tab")
		order = append(order, focus())
		if order[len(order)-1] == "call" {
			break
		}
	}
	assert.Subset(t, order, []string{"restart", "tab-tools", "tools-filter", "forecast", "as-form", "as-json", "call"})
	press("Enter")
	g.wait(t, `document.documentElement.dataset.result === "ok"`)
	g.eval(t, `document.getElementById("tab-messages").focus()`, nil)
	press("ArrowRight")
	assert.Equal(t, "tab-console", focus())
	press("ArrowLeft")
	press("ArrowLeft")
	assert.Equal(t, "tab-host", focus(), "the last tab")
	var selected string
	g.eval(t, `document.querySelector('.inspector [role=tab][aria-selected=true]').id`, &selected)
	assert.Equal(t, "tab-host", selected)

	g.eval(t, `{ const m = document.getElementById("mode"); m.value = "fullscreen"; m.dispatchEvent(new Event("change")) }`, nil)
	assert.Equal(t, "BUTTON", focus(), "the way back has the focus")
	press("Escape")
	var mode string
	g.eval(t, `document.getElementById("mode").value`, &mode)
	assert.Equal(t, "inline", mode)

	// Every control has an accessible name.
	var nameless []string
	g.eval(t, `[...document.querySelectorAll("button, input, select, textarea, iframe, [role=tabpanel], [tabindex]")].filter((e) => e.offsetParent !== null &&
		!(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length || e.title || e.getAttribute("aria-labelledby"))).map((e) => e.outerHTML.slice(0, 120))`, &nameless)
	assert.Empty(t, nameless)
}
