package preview

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// reload loads the page again, as its user would, and waits until it lists the tools.
func (g page) reload(t *testing.T) {
	t.Helper()
	g.eval(t, `{ window.old = true; setTimeout(() => location.reload()) }`, nil)
	g.wait(t, `!window.old && document.querySelector("button.tool")`)
}

func (g page) address(t *testing.T) url.Values {
	t.Helper()
	var search string
	g.eval(t, `new Promise((done) => setTimeout(done, 500)).then(() => location.search)`, &search)
	u, err := url.Parse(search)
	require.NoError(t, err)
	return u.Query()
}

func (g page) set(t *testing.T, id, value string) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`{ const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event("change")) }`, id, value), nil)
}

// The address keeps the tool, what is entered and the settings. A reload restores them
// and repeats the call of a tool that only reads.
func TestTheAddressSurvivesAReload(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s, calls := counting()
	p := start(t, s)
	g := p.open(t, "", 1280, 800)
	assert.Empty(t, g.address(t).Get("theme"), "defaults are left out")
	g.eval(t, `document.querySelector('button.tool[data-tool=reads]').click()`, nil)
	for id, value := range map[string]string{"theme": "dark", "size": "480", "mode": "pip", "locale": "nb-NO", "safe": "phone", "touch": "touch", "input": "partial"} {
		g.set(t, id, value)
	}
	g.eval(t, `{ const [name] = document.querySelectorAll("#fields input"); name.value = "Ada"; name.dispatchEvent(new Event("input", { bubbles: true })) }`, nil)
	want := url.Values{"tool": {"reads"}, "args": {`{"name":"Ada"}`}, "theme": {"dark"}, "size": {"480"}, "mode": {"pip"}, "locale": {"nb-NO"}, "safe": {"phone"}, "touch": {"touch"}, "input": {"partial"}}
	g.wait(t, `location.search.includes("Ada")`)
	assert.Equal(t, want, g.address(t))

	g.reload(t)
	assert.Equal(t, want, g.address(t))
	var restored struct{ Tool, Name, Theme, More string }
	g.eval(t, `({ tool: document.getElementById("tool-title").textContent, name: document.querySelector("#fields input").value, theme: document.documentElement.dataset.theme, more: document.getElementById("count-more").textContent })`, &restored)
	assert.Equal(t, struct{ Tool, Name, Theme, More string }{"reads", "Ada", "dark", "3"}, restored)
	assert.Zero(t, calls.Load(), "nothing was called before, so nothing is called now")

	g.eval(t, `document.getElementById("call").click()`, nil)
	g.waitResult(t, `reads {"name":"Ada"}, call 1`)
	g.reload(t)
	g.waitResult(t, `reads {"name":"Ada"}, call 2`)

	// What has changed since the call is not what the user called.
	g.eval(t, `{ const [name] = document.querySelectorAll("#fields input"); name.value = "Eve"; name.dispatchEvent(new Event("input", { bubbles: true })) }`, nil)
	g.wait(t, `location.search.includes("Eve")`)
	g.reload(t)
	g.wait(t, `document.querySelector("#fields input")?.value === "Eve"`)
	assert.EqualValues(t, 2, calls.Load())

	// A tool that does not say that it only reads is called again on one key, which is
	// ignored while the user types.
	calls.Store(0)
	g.call(t, "writes", `{"name":"Ada"}`)
	g.waitResult(t, "call 1")
	g.reload(t)
	g.wait(t, `!document.getElementById("repeat").hidden && document.getElementById("repeat").textContent.includes("Repeat writes")`)
	g.eval(t, `document.getElementById("tools-filter").focus()`, nil)
	require.NoError(t, g.Press(t.Context(), "r"))
	g.wait(t, `!document.getElementById("repeat").hidden`)
	assert.EqualValues(t, 1, calls.Load(), "not while typing")
	g.eval(t, `document.activeElement.blur()`, nil)
	require.NoError(t, g.Press(t.Context(), "r"))
	g.waitResult(t, `writes {"name":"Ada"}, call 2`)
	g.wait(t, `document.getElementById("repeat").hidden`)
	require.NoError(t, g.Press(t.Context(), "r"))
	g.eval(t, `new Promise((done) => setTimeout(done, 200))`, nil)
	assert.EqualValues(t, 2, calls.Load(), "it is offered once")

	// After a restart, the call of a tool that opens a view and says that it only reads is
	// made again at once.
	calls.Store(0)
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

// An address never calls a tool by itself: not when it is opened, nor with a session
// storage of another run or of another address.
func TestAnAddressCallsNothing(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	s, calls := counting()
	p := start(t, s)
	query := "?" + url.Values{"tool": {"reads"}, "args": {`{"name":"Ada"}`}}.Encode()
	g := p.open(t, query, 1280, 800)
	g.wait(t, `document.querySelector("#fields input")?.value === "Ada"`)
	for name, stored := range map[string]string{
		"no call":         `null`,
		"another run":     `{ token: "x", address: location.search, args: { name: "Ada" } }`,
		"another address": `{ token: document.documentElement.dataset.token, address: "?tool=writes", args: { name: "Ada" } }`,
	} {
		g.eval(t, `sessionStorage.setItem("mcpapps-called", JSON.stringify(`+stored+`))`, nil)
		g.reload(t)
		g.wait(t, `document.querySelector("#fields input")?.value === "Ada"`)
		g.eval(t, `new Promise((done) => setTimeout(done, 100))`, nil)
		assert.Zero(t, calls.Load(), name)
	}
	// The right storage, but the address was opened and not reloaded.
	g.eval(t, `sessionStorage.setItem("mcpapps-called", JSON.stringify({ token: document.documentElement.dataset.token, address: location.search, args: { name: "Ada" } }))`, nil)
	var address string
	g.eval(t, `location.href`, &address)
	g.eval(t, `setTimeout(() => location.assign("/icon.svg"))`, nil)
	g.wait(t, `location.pathname === "/icon.svg"`)
	g.eval(t, fmt.Sprintf(`setTimeout(() => location.assign(%q))`, address), nil)
	g.wait(t, `document.querySelector("#fields input")?.value === "Ada"`)
	g.eval(t, `new Promise((done) => setTimeout(done, 100))`, nil)
	assert.Zero(t, calls.Load())
	for _, bad := range []string{"?tool=none&args=%7B", "?args=[1]&theme=x&size=y&width=-1", "?size=free&width=1e9&height=x", "?mode=x&safe=&touch=1"} {
		g.eval(t, fmt.Sprintf(`{ window.old = true; setTimeout(() => location.assign(%q)) }`, p.URL()+bad), nil)
		g.wait(t, `!window.old && document.querySelector("button.tool") && document.getElementById("theme").value === "system" && document.getElementById("form").checkVisibility()`)
		assert.Empty(t, g.Exceptions())
	}
}
