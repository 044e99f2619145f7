package preview

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// report shows events of the kind "console" on the page, as the preview sends them.
func (g page) report(t *testing.T, events string) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`Promise.all([import("/app.js").then((m) => m.console), import("/app.js").then((m) => m.failure)]).then(([c, f]) => { for (const e of %s) { c.add({ time: Date.now(), ...e }); f.failed(e) } })`, events), nil)
}

// bar is what the bar above the view says about failures.
type bar struct {
	Hidden                    bool
	Text, Where, Count, Level string
}

func (g page) bar(t *testing.T) (b bar) {
	t.Helper()
	g.eval(t, `(() => { const e = (id) => document.getElementById(id);
		return { hidden: e("failure").hidden, text: e("failure-text").textContent, where: e("failure-where").textContent, count: e("failure-count").textContent, level: e("failure").dataset.level ?? "" } })()`, &b)
	return b
}

func (g page) callForecast(t *testing.T) {
	t.Helper()
	g.call(t, "forecast", `{"place":"Oslo"}`)
	g.wait(t, `document.documentElement.dataset.ready && document.documentElement.dataset.result === "ok" && document.documentElement.dataset.sized`)
}

const (
	typeError = `{ level: "error", kind: "exception", text: "TypeError: days is undefined", position: { source: "ui/lib.ts", line: 5, column: 20, mapped: true } }`
	rejection = `{ level: "error", kind: "rejection", text: "Error: no network", position: { source: "ui/main.ts", line: 31, column: 9, mapped: true } }`
)

// The first failure of a view stands on the bar above it, with its place and the
// number of failures. It moves nothing and covers a strip at most. Closed, it comes
// back for a new failure.
func TestFailuresStandAboveTheView(t *testing.T) {
	t.Parallel()
	g := start(t, showcase()).open(t, "", 1280, 800)
	g.callForecast(t)
	var before, after struct{ Top, Covered float64 }
	const measure = `(() => { const frame = document.querySelector("#frames iframe").getBoundingClientRect(), bar = document.getElementById("failure").getBoundingClientRect(); return { top: frame.top, covered: bar.bottom - frame.top } })()`
	g.eval(t, measure, &before)
	assert.Less(t, before.Top, 800.0/3, "the view begins in the upper third")

	g.report(t, fmt.Sprintf(`[{ level: "warning", kind: "console", text: "old" }, %s, %s, %[2]s]`, typeError, rejection))
	assert.Equal(t, bar{Text: "TypeError: days is undefined", Where: "ui/lib.ts:5:20", Count: "3", Level: "error"}, g.bar(t))
	g.eval(t, measure, &after)
	assert.Equal(t, before.Top, after.Top, "nothing moves")
	assert.Less(t, after.Covered, 40.0)

	g.eval(t, `document.getElementById("failure-close").click()`, nil)
	assert.True(t, g.bar(t).Hidden)
	g.report(t, fmt.Sprintf(`[%s, %s]`, typeError, rejection))
	assert.True(t, g.bar(t).Hidden, "a failure that was closed stays closed")
	g.report(t, `[{ level: "error", kind: "load", text: "img did not load", position: { source: "document", line: 3, mapped: false } }]`)
	b := g.bar(t)
	assert.False(t, b.Hidden, "a new one comes back")
	assert.Equal(t, "img did not load", b.Text)
	assert.Equal(t, "document:3", b.Where)

	g.eval(t, `document.getElementById("failure-show").click()`, nil)
	g.wait(t, `!document.getElementById("panel-console").hidden`)
	g.callForecast(t)
	g.wait(t, `document.getElementById("failure").hidden`)

	// What a view may still do is a warning, which goes when the view has done it.
	const late = `{ level: "warning", kind: "connect", text: "The view has not called app.connect(). Call it." }`
	g.report(t, "["+late+"]")
	assert.Equal(t, bar{Text: "The view has not called app.connect(). Call it.", Level: "warning"}, g.bar(t))
	g.eval(t, `import("/app.js").then((m) => m.failure).then((f) => f.recovered())`, nil)
	assert.True(t, g.bar(t).Hidden)

	g.report(t, "["+late+","+typeError+"]")
	b = g.bar(t)
	assert.Equal(t, "TypeError: days is undefined", b.Text, "an error explains more")
	assert.Equal(t, "2", b.Count)

	// A build that failed covers the view until one succeeds, and a crash stands in its
	// place.
	show := func(call string) { g.eval(t, `import("/app.js").then((m) => m.overlay).then((o) => o.`+call+`)`, nil) }
	show(`build({ failed: true, text: "ui/main.ts:3:9: expected <b>\nui/lib.ts:8: not found", file: "ui/main.ts", line: 3, column: 9, excerpt: ["one", "  two", "three"], excerptLine: 2 })`)
	var over struct {
		Where, Text, Marked string
		Covers              bool
	}
	g.eval(t, `(() => { const e = (id) => document.getElementById(id), frame = document.querySelector("#frames iframe").getBoundingClientRect();
		return { where: e("overlay-where").textContent, text: e("overlay-text").textContent, marked: document.querySelector("#overlay-excerpt .marked").textContent,
			covers: [[4, 4], [frame.width - 4, frame.height - 4]].every(([x, y]) => document.elementFromPoint(frame.left + x, frame.top + y)?.closest("#overlay")) } })()`, &over)
	assert.Equal(t, "ui/main.ts:3:9", over.Where)
	assert.Equal(t, "ui/main.ts:3:9: expected <b>\nui/lib.ts:8: not found", over.Text)
	assert.Equal(t, "3  two", over.Marked)
	assert.True(t, over.Covers)
	show(`build({ failed: false })`)
	g.wait(t, `document.getElementById("overlay").hidden`)

	show(`crash({ text: "the server's process ended: exit status 2", lines: ["panic: <b>", "goroutine 1"] })`)
	g.wait(t, `document.getElementById("crash-lines").textContent === "panic: <b>\ngoroutine 1" && document.getElementById("crash-title").textContent.includes("exit status 2") && !document.querySelector("#frames").checkVisibility()`)
	show(`connected()`)
	g.wait(t, `document.getElementById("crash").hidden && document.querySelector("#frames").checkVisibility()`)

	// The Console tab: levels with counts, debug hidden, repetitions folded, a stack on
	// demand, bounded, and copied as text.
	g.eval(t, `document.getElementById("console-clear").click()`, nil)
	g.report(t, `[{ level: "debug", kind: "console", text: "a message" }]`)
	g.wait(t, `document.getElementById("console-empty").textContent === "1 entry is hidden by their level." && !document.getElementById("console-empty").hidden`)
	g.report(t, fmt.Sprintf(`[{ level: "info", kind: "console", text: "<b>loaded</b>" }, { ...%s, stack: ["draw ui/lib.ts:5:20", "mcp-app:1:2"] }, %s, %[2]s, %[2]s, { level: "warning", kind: "console", text: "w" }]`, typeError, rejection))
	var shown []string
	const visible = `[...document.querySelectorAll("#console > li")].filter((li) => !li.hidden).map((li) => [li.dataset.level, li.querySelector(".times").textContent, li.querySelector(".text").lastChild.textContent, li.querySelector(".where").textContent].join("|"))`
	g.wait(t, `document.querySelectorAll("#console > li").length === 5`)
	g.eval(t, visible, &shown)
	assert.Equal(t, []string{"info||<b>loaded</b>|", "error||TypeError: days is undefined|ui/lib.ts:5:20", "error|3|Error: no network|ui/main.ts:31:9", "warning||w|"}, shown)
	var levels string
	g.eval(t, `[...document.querySelectorAll(".level")].map((b) => b.textContent + b.ariaPressed).join()`, &levels)
	assert.Equal(t, "Errors 4true,Warnings 1true,Info 1true,Debug 1false", levels)
	var count string
	g.eval(t, `document.getElementById("count-console").textContent`, &count)
	assert.Equal(t, "4", count)

	g.eval(t, `document.querySelector("#console details").open = true`, nil)
	g.wait(t, `document.querySelector("#console details pre")?.textContent === "draw ui/lib.ts:5:20\nmcp-app:1:2"`)
	g.eval(t, `document.querySelector(".level.info").click(); document.querySelector(".level.debug").click()`, nil)
	g.eval(t, visible, &shown)
	require.Len(t, shown, 4)
	assert.Equal(t, "debug||a message|", shown[0])

	var copied string
	g.eval(t, `(async () => { let text; navigator.clipboard.writeText = async (t) => { text = t }; document.getElementById("console-copy").click(); await 0; return text })()`, &copied)
	assert.Regexp(t, `error: TypeError: days is undefined at ui/lib.ts:5:20\n    draw ui/lib.ts:5:20\n    mcp-app:1:2\n.* error \(3 times\): Error: no network at ui/main.ts:31:9`, copied)
	assert.NotContains(t, copied, "loaded", "a level that is hidden is not copied")

	g.report(t, `Array.from({ length: 5000 }, (_, i) => ({ level: "info", kind: "console", text: "n" + i + "x".repeat(i === 4999 ? 1e6 : 0) }))`)
	g.wait(t, `document.querySelector("#console > li:last-child .text").textContent.startsWith("n4999")`)
	var size struct{ Entries, Length int }
	g.eval(t, `({ entries: document.getElementById("console").childElementCount, length: document.getElementById("console").textContent.length })`, &size)
	assert.LessOrEqual(t, size.Entries, 1000)
	assert.Less(t, size.Length, 100000)
	g.eval(t, `document.getElementById("console-clear").click()`, nil)
	g.wait(t, `document.getElementById("console").childElementCount === 0 && document.getElementById("count-console").textContent === ""`)
}

// A changed document is loaded again in its frame: input and result are repeated, the
// frame keeps its size meanwhile, the page its place, and a sign says what changed.
func TestAChangedDocument(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	const script = `post({ method: "ui/notifications/size-changed", params: { height: 60 } });
		setTimeout(() => { document.body.dataset.full = "yes"; post({ method: "ui/notifications/size-changed", params: { height: 260 } }) }, 100)`
	g := start(t, viewServer(map[string]string{"grows": fmt.Sprintf(handWritten, script)})).open(t, "", 1280, 400)
	g.call(t, "grows", "{}")
	g.wait(t, `document.querySelector(".frame")?.clientHeight === 260`)
	require.NoError(t, g.EvalIn(t.Context(), "/view", `window.old = true`, nil))
	g.eval(t, `{ window.heights = []; const work = document.querySelector(".work"); work.style.paddingBottom = "600px"; work.scrollTop = 90;
		const box = document.querySelector(".frame"); window.firstHeight = box.clientHeight;
		new ResizeObserver(() => heights.push(box.clientHeight)).observe(box) }`, nil)
	// The page waits 20 times as long as it does for the view to draw, which takes long on a
	// busy machine.
	g.eval(t, `{ const wait = setTimeout; window.setTimeout = (f, ms, ...args) => wait(f, 20 * ms, ...args) }`, nil)
	g.eval(t, `document.documentElement.dataset.ready = ""; Promise.all([import("/app.js").then((m) => m.views), import("/app.js").then((m) => m.stage)]).then(([v, s]) => { v.reload(v.shown()[0].id); s.updated("ui/style.css"); window.sign = document.getElementById("updated").textContent })`, nil)
	g.eventually(t, func() bool {
		var again bool
		return g.EvalIn(t.Context(), "/view", `!window.old && document.body.dataset.full === "yes"`, &again) == nil && again
	})
	g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	var after struct {
		Lowest, First, Scroll float64
		Sign                  string
	}
	g.eval(t, `({ lowest: Math.min(...heights), first: firstHeight, scroll: document.querySelector(".work").scrollTop, sign })`, &after)
	assert.Equal(t, after.First, after.Lowest, "the frame does not shrink in between")
	assert.Equal(t, 90.0, after.Scroll)
	assert.Equal(t, "Updated: ui/style.css", after.Sign)
	record := g.record(t)
	assert.NotContains(t, record, "the sandbox has its document")
	assert.NotContains(t, record, "navigated to another page")
}
