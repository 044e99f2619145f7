package preview

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// entries are what a view may write and fail with.
const entries = `[
	{ level: "debug", kind: "console", text: "<- ui/initialize" },
	{ level: "info", kind: "console", text: "loaded 3 days", position: { source: "ui/main.ts", line: 12, column: 5, mapped: true } },
	{ level: "warning", kind: "console", text: "chart: no data for Wednesday, using the last value", position: { source: "ui/chart.ts", line: 48, column: 11, mapped: true } },
	{ level: "error", kind: "exception", text: "TypeError: Cannot read properties of undefined (reading 'days')", position: { source: "ui/lib.ts", line: 5, column: 20, mapped: true }, stack: ["draw ui/lib.ts:5:20", "ontoolresult ui/main.ts:9:3", "mcp-app:1:2044"] },
	{ level: "error", kind: "rejection", text: "Error: no network", position: { source: "ui/main.ts", line: 31, column: 9, mapped: true }, stack: ["load ui/main.ts:31:9"] },
	{ level: "error", kind: "rejection", text: "Error: no network", position: { source: "ui/main.ts", line: 31, column: 9, mapped: true }, stack: ["load ui/main.ts:31:9"] },
	{ level: "error", kind: "load", text: "the img could not be loaded", url: "https://tiles.example/1.png", position: { source: "document", line: 31, column: 9, mapped: false } },
]`

const (
	failedBuild = `build({ failed: true, file: "ui/main.ts", line: 3, column: 8, excerptLine: 3,
		excerpt: ["app.ontoolresult = (result) => {", "  const days = result.structuredContent.days;", "  draw days);", "};", ""],
		text: 'ui/main.ts:3:8: expected ";" but found "days"\nui/lib.ts:8:1: could not resolve "./chrat.ts"' })`
	crashed = `crash({ text: "the server's process ended: exit status 2", lines: ["listening", "panic: runtime error: index out of range [3] with length 3", "", "goroutine 1 [running]:", "main.forecast(0x14000102030)", "\tweather/main.go:41 +0x1c", "exit status 2"] })`
)

// The page in each of its states, wide and narrow, light and dark. CI opens a wide light page
// and a narrow dark one; ci/full adds the other widths and themes, and takes screenshots.
func TestThePage(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	p := start(t, showcase())
	for _, tc := range []struct {
		name          string
		width, height int
		dark          bool
	}{{"wide-light", 1280, 800, false}, {"wide-dark", 1280, 800, true}, {"medium-light", 1000, 800, false}, {"narrow-light", 375, 800, false}, {"narrow-dark", 375, 800, true}, {"full-dark", 1920, 1080, true}} {
		if tc.name != "wide-light" && tc.name != "narrow-dark" && !testenv.Full() {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			g := p.openAt(t, p.URL(), tc.width, tc.height, tc.dark)
			g.wait(t, `document.querySelector("button.tool")`)
			// shoot saves a picture with the element in view.
			shoot := func(name, element string) {
				g.eval(t, fmt.Sprintf(`innerWidth < 720 && document.getElementById(%q).scrollIntoView()`, element), nil)
				g.shoot(t, "preview-"+tc.name+name)
			}
			shoot("-start", "server")
			g.eval(t, `document.getElementById("call").click()`, nil)
			g.wait(t, `document.documentElement.dataset.result === "ok" && document.querySelector("#violations li + li + li")`)
			g.waitRecord(t, "is not for apps")
			g.wait(t, `document.querySelector(".frame").clientHeight === Number(document.documentElement.dataset.sized)`)
			shoot("", "viewbar")
			if tc.width == 1280 {
				var top float64
				g.eval(t, `document.querySelector("#frames iframe").getBoundingClientRect().top`, &top)
				assert.LessOrEqual(t, top, float64(tc.height)/3, "the view begins in the upper third")
			}
			for _, tab := range []string{"policy", "result", "actions", "server"} {
				g.eval(t, fmt.Sprintf(`document.getElementById("tab-%s").click()`, tab), nil)
				if tc.name == "wide-light" || tc.name == "narrow-dark" {
					shoot("-"+tab, "tab-"+tab)
				}
			}
			var width int
			g.eval(t, "document.documentElement.scrollWidth", &width)
			require.LessOrEqual(t, width, tc.width, "the page scrolls sideways")
			if tc.name == "wide-light" {
				for _, other := range []int{1000, 1920} {
					require.NoError(t, g.SetSize(t.Context(), other, tc.height))
					g.wait(t, fmt.Sprintf("innerWidth === %d", other))
					g.eval(t, "document.documentElement.scrollWidth", &width)
					require.LessOrEqual(t, width, other, "the page scrolls sideways")
				}
				require.NoError(t, g.SetSize(t.Context(), tc.width, tc.height))
			}

			g.report(t, entries)
			g.eval(t, `document.getElementById("tab-console").click()`, nil)
			g.wait(t, `document.querySelectorAll("#console details").length === 3`)
			g.eval(t, `document.querySelector("#console details").open = true`, nil)
			shoot("-failing", "viewbar")
			if tc.width < 720 {
				shoot("-console", "tab-console")
				var small []string
				g.eval(t, `[...document.querySelectorAll("button, select, input:not([type=checkbox]), summary")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5 && !e.closest("#console, #log, #tools")).map((e) => e.outerHTML.slice(0, 80))`, &small)
				assert.Empty(t, small, "targets that are too small for a finger")
			}
			g.eval(t, `document.querySelector('button.tool[data-tool=stations]').click(); document.getElementById("call").click()`, nil)
			g.waitResult(t, "does not answer")
			g.eval(t, `document.querySelector('button.tool[data-tool=forecast]').click(); document.getElementById("tab-history").click(); document.documentElement.dataset.ready = ""; document.getElementById("call").click()`, nil)
			g.wait(t, `document.documentElement.dataset.ready === "yes" && document.querySelector("#frames iframe")`)
			shoot("-history", "tab-history")
			g.set(t, "theme", "both")
			g.wait(t, `document.querySelectorAll("#frames iframe").length === 2 && [...document.querySelectorAll(".frame")].every((b) => b.clientHeight !== 320)`)
			g.eval(t, `document.getElementById("more").click(); document.getElementById("safe").value = "phone"; document.getElementById("safe").dispatchEvent(new Event("change"))`, nil)
			if testenv.Full() { // for the pictures
				time.Sleep(300 * time.Millisecond)
			}
			shoot("-both", "viewbar")
			g.eval(t, `document.getElementById("more").click()`, nil)
			g.eval(t, `import("/app.js").then((m) => m.overlay).then((o) => o.`+failedBuild+`)`, nil)
			shoot("-overlay", "viewbar")
			g.eval(t, `import("/app.js").then((m) => m.overlay).then((o) => { o.build({ failed: false }); o.`+crashed+` })`, nil)
			shoot("-crash", "viewbar")
			g.eval(t, `import("/app.js").then((m) => m.overlay).then((o) => o.connected())`, nil)
			g.set(t, "theme", "system")

			if tc.name == "wide-light" || tc.name == "narrow-light" {
				g.eval(t, `document.querySelector('button.tool[data-tool=missing]').click(); document.getElementById("call").click()`, nil)
				g.wait(t, `document.querySelector("#stage-empty.problem")`)
				shoot("-error", "viewbar")
				g.eval(t, `document.getElementById("tab-tools").click(); document.querySelector('button.tool[data-tool=broken]').click(); scrollTo(0, 0)`, nil)
				shoot("-broken", "server")
			}
			assert.Empty(t, g.Exceptions())
		})
	}
}
