package preview

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// What fails in a view reaches the page from the view itself.
func TestFailuresOfAView(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	p := start(t, viewServer(map[string]string{
		"fails": fmt.Sprintf(handWritten, `
		console.debug("quiet"); console.log("loaded", { days: 3 }); console.warn("careful");
		setTimeout(() => { throw new TypeError("no days") });
		setTimeout(() => Promise.reject(new Error("no network")), 100);
		setTimeout(() => { const i = new Image(); i.src = "/none.png"; document.body.append(i) }, 200);`),
		"fetches": fmt.Sprintf(handWritten, `fetch("https://api.invalid/names");`),
		"forges": fmt.Sprintf(handWritten, `
		const send = (entries) => top.postMessage({ mcpapps: "console", entries }, "*");
		for (const entries of ["x", { length: 1e9 }, null, [null, 1, "x", [], { level: {}, text: {} }], [{ level: "__proto__", kind: "constructor", text: "prototype" }]]) send(entries);
		send([{ level: "error", kind: "connect", text: "forged connect" }]);
		send([{ level: "error", kind: "exception", text: "<img src=x><a href=x>bold", source: "javascript:alert(1)", line: 1, column: 1, url: "javascript:alert(1)", stack: "    at f (javascript:alert(1):1:1)\n".repeat(1000) }]);
		send([{ level: "error", kind: "console", text: "y".repeat(1e6), stack: "z".repeat(1e6) }]);
		send(Array.from({ length: 1e5 }, (_, i) => ({ level: "error", kind: "console", text: "many " + i })));
		for (const bad of [7, {}, [7, {}, { level: {}, text: [], line: "x" }, { level: "error", kind: {}, text: { toString: 1 } }]]) send(bad);
		await until(() => globalThis.again);
		for (let i = 0; i < 100; i++) send(Array.from({ length: 200 }, () => ({ time: 1e300, level: "info", kind: "console", text: "flood", stack: "x".repeat(100) })));
		setInterval(() => send([{ level: "error", kind: "exception", text: "the <b>last</b>", line: -1, column: 1e99 }]), 700);`),
	}))
	g := p.open(t, "", 1280, 800)
	g.call(t, "fails", "{}")
	g.wait(t, `document.querySelectorAll("#console > .error").length === 3`)
	b := g.bar(t)
	assert.Contains(t, b.Text, "TypeError: no days")
	assert.Regexp(t, `^document:\d+:\d+$`, b.Where)
	assert.Equal(t, "3", b.Count)
	var shown []string
	// A slow machine also gets a note that the view has not connected yet.
	g.eval(t, `[...document.querySelectorAll('#console > .entry:not([data-kind="connect"])')].map((li) => [li.dataset.level, li.dataset.kind, li.hidden, li.querySelector(".text").lastChild.textContent].join("|"))`, &shown)
	require.Len(t, shown, 6)
	assert.Equal(t, []string{"debug|console|true|quiet", "info|console|false|loaded {days: 3}", "warning|console|false|careful"}, shown[:3])
	assert.True(t, strings.HasPrefix(shown[3], "error|exception|false|"), shown[3])
	assert.True(t, strings.HasPrefix(shown[4], "error|rejection|false|"), shown[4])
	assert.True(t, strings.HasPrefix(shown[5], "error|load|false|"), shown[5])

	// What the policy has blocked stands first, whether it is reported before or after the
	// failure of the script.
	const remedy = `declare {"connectDomains": ["https://api.invalid"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`
	g.call(t, "fetches", "{}")
	g.wait(t, `document.getElementById("failure-text").textContent.includes(" · ")`)
	b = g.bar(t)
	assert.Regexp(t, `^connect-src blocks https://api.invalid/names: `+regexp.QuoteMeta(remedy)+` · .*TypeError: Failed to fetch`, b.Text)
	assert.Regexp(t, `^document:\d+:\d+$`, b.Where)
	assert.Empty(t, b.Count)
	g.eval(t, `document.getElementById("failure-show").click()`, nil)
	g.wait(t, `!document.getElementById("panel-policy").hidden`)

	const violation = `import("/app.js").then((m) => m.failure).then((f) => f.violated({ position: { source: "ui/lib.ts", line: 5, column: 1, mapped: true }, violation: { level: "error", directive: "connect-src", blocked: "https://api.invalid/names", remedy: "Declare it" } }))`
	for _, first := range []bool{true, false} {
		g.eval(t, `import("/app.js").then((m) => m.failure).then((f) => f.clear())`, nil)
		if first {
			g.eval(t, violation, nil)
			assert.True(t, g.bar(t).Hidden, "the view may handle it")
			g.report(t, "["+rejection+"]")
			assert.Equal(t, "Error: no network", g.bar(t).Text, "this failed elsewhere")
			g.eval(t, `document.getElementById("failure-close").click()`, nil)
		}
		g.report(t, "["+typeError+"]")
		if !first {
			g.eval(t, violation, nil)
		}
		assert.Equal(t, bar{Text: "connect-src blocks https://api.invalid/names: declare it · TypeError: days is undefined", Where: "ui/lib.ts:5:20", Level: "error"}, g.bar(t))
	}

	// A view can post entries at any rate and of any kind. The page stays as it is.
	g = p.open(t, "", 1280, 800)
	g.call(t, "forges", "{}")
	g.checkForgedConsole(t)
	g.eval(t, `document.getElementById("console-clear").click(); document.getElementById("failure-close").click()`, nil)
	require.NoError(t, g.EvalIn(t.Context(), "/view", `window.again = true`, nil))
	g.waitRecord(t, "done")
	g.wait(t, `document.getElementById("failure-text").textContent === "the <b>last</b>"`)
	var n int
	g.eval(t, `document.getElementById("console").childElementCount`, &n)
	assert.Less(t, n, 50, "repetitions are folded, and most are dropped")
	assert.Empty(t, g.Exceptions())
	assert.Empty(t, g.said(t).Banner)
}
