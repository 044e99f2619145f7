package preview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// What fails in a view reaches the page from the view itself.
func TestFailuresOfAView(t *testing.T) {
	t.Parallel()
	g := start(t, viewServer(map[string]string{"fails": fmt.Sprintf(handWritten, `
		console.debug("quiet"); console.log("loaded", { days: 3 }); console.warn("careful");
		setTimeout(() => { throw new TypeError("no days") });
		setTimeout(() => Promise.reject(new Error("no network")), 100);
		setTimeout(() => { const i = new Image(); i.src = "/none.png"; document.body.append(i) }, 200);`)})).open(t, "", 1280, 800)
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
}

// A view can post entries at any rate and of any kind. The page stays as it is.
func TestForgedConsole(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	g := start(t, viewServer(map[string]string{"forges": fmt.Sprintf(handWritten, `
		const send = (entries) => top.postMessage({ mcpapps: "console", entries }, "*");
		for (const entries of ["x", { length: 1e9 }, null, [null, 1, "x", [], { level: {}, text: {} }], [{ level: "__proto__", kind: "constructor", text: "prototype" }]]) send(entries);
		send([{ level: "error", kind: "connect", text: "forged connect" }]);
		send([{ level: "error", kind: "exception", text: "<img src=x><a href=x>bold", source: "javascript:alert(1)", line: 1, column: 1, url: "javascript:alert(1)", stack: "    at f (javascript:alert(1):1:1)\n".repeat(1000) }]);
		send([{ level: "error", kind: "console", text: "y".repeat(1e6), stack: "z".repeat(1e6) }]);
		send(Array.from({ length: 1e5 }, (_, i) => ({ level: "error", kind: "console", text: "many " + i })));
		for (const bad of [7, {}, [7, {}, { level: {}, text: [], line: "x" }, { level: "error", kind: {}, text: { toString: 1 } }]]) send(bad);
		await until(() => globalThis.again);
		for (let i = 0; i < 100; i++) send(Array.from({ length: 200 }, () => ({ time: 1e300, level: "info", kind: "console", text: "flood", stack: "x".repeat(100) })));
		setInterval(() => send([{ level: "error", kind: "exception", text: "the <b>last</b>", line: -1, column: 1e99 }]), 700);`)})).open(t, "", 1280, 800)
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

// After a restart, the call of a tool that opens a view and says that it only reads is
// made again at once.
func TestARestartRepeatsTheCall(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s, calls := counting()
	p := start(t, s)
	g := p.open(t, "", 1280, 800)
	g.call(t, "reads", `{"name":"Ada"}`)
	g.waitResult(t, "call 1")
	require.NoError(t, p.Restart(t.Context()))
	g.waitResult(t, `reads {"name":"Ada"}, call 2`)
	g.call(t, "writes", `{"name":"Ada"}`)
	g.waitResult(t, "call 3")
	require.NoError(t, p.Restart(t.Context()))
	g.wait(t, `!document.getElementById("repeat").hidden`)
	assert.EqualValues(t, 3, calls.Load())
}
