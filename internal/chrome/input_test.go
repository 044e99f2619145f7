package chrome_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// shows returns the document with the path once a frame of the page shows it.
func shows(t *testing.T, p *chrome.Page, path string) *chrome.Document {
	t.Helper()
	var d *chrome.Document
	require.Eventually(t, func() bool {
		var err error
		if d, err = p.Document(path); err != nil {
			return false
		}
		var complete bool
		return d.Eval(within(t), `document.readyState === "complete"`, &complete) == nil && complete
	}, patience, 10*time.Millisecond)
	return d
}

// testInput shows that the mouse and the keyboard reach elements in a frame of
// another process that is not at the page's corner, and in a frame in that one, as
// events that scripts can't tell from a user's.
func testInput(t *testing.T, b *chrome.Browser) {
	const controls = `<!doctype html><style>* { margin: 0 } button { position: absolute; left: 20px; top: 10px; width: 40px; height: 20px }</style>
<button></button><input id="in" style="position: absolute; top: 40px">
<script>
const events = [];
for (const type of ["click", "keydown", "input", "change"]) addEventListener(type, (e) =>
	events.push([type, e.target.tagName, e.isTrusted, e.key ?? "", e.ctrlKey === true].join(" ")), true);
</script>`
	url, _ := serve(t, map[string]string{
		"/":      `<!doctype html><style>* { margin: 0 }</style><iframe src="OTHER/outer" style="position: absolute; left: 13px; top: 7px; width: 180px; height: 90px; border: 3px solid; padding: 2px"></iframe>`,
		"/outer": `<!doctype html><style>* { margin: 0 }</style><iframe src="/inner" style="position: absolute; left: 5px; top: 9px; width: 160px; height: 70px; border: 1px solid"></iframe>`,
		"/inner": controls,
	})
	p := open(t, b, url, false)
	d := shows(t, p, "/inner")
	require.NoError(t, d.Click(within(t), 21, 11))
	require.NoError(t, d.Click(within(t), 59, 29))
	require.NoError(t, d.Call(within(t), `() => document.querySelector("#in").focus()`, nil, nil))
	require.NoError(t, p.InsertText(within(t), "äb"))
	for _, key := range []string{"c", "Shift+D", "Control+a", "Backspace", "+", "Space", "Tab"} {
		require.NoError(t, p.Press(within(t), key))
	}
	var seen struct {
		Events []string
		Value  string
	}
	require.NoError(t, d.Eval(within(t), `({ events, value: document.querySelector("#in").value })`, &seen))
	assert.Equal(t, "+ ", seen.Value)
	assert.Equal(t, []string{
		"click BUTTON true  false", "click BUTTON true  false",
		"input INPUT true  false",
		"keydown INPUT true c false", "input INPUT true  false",
		"keydown INPUT true Shift false", "keydown INPUT true D false", "input INPUT true  false",
		"keydown INPUT true Control true", "keydown INPUT true a true",
		"keydown INPUT true Backspace false", "input INPUT true  false",
		"keydown INPUT true + false", "input INPUT true  false",
		"keydown INPUT true   false", "input INPUT true  false",
		"keydown INPUT true Tab false", "change INPUT true  false",
	}, seen.Events)
	assert.ErrorContains(t, p.Press(within(t), "Entre"), `unknown key "Entre"`)
	assert.ErrorContains(t, p.Press(within(t), ""), `unknown key ""`)

	require.NoError(t, p.Eval(within(t), `document.querySelector("iframe").remove()`, nil))
	require.Eventually(t, func() bool { return d.Click(within(t), 1, 1) != nil }, patience, 10*time.Millisecond)
}

// testAccessibility shows which elements have a role, and by which name, in shadow
// trees, too, and that a function gets the elements.
func testAccessibility(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{
		"/": `<!doctype html><iframe src="OTHER/frame"></iframe>`,
		"/frame": `<!doctype html><button id="a">Save</button><button id="b" aria-label="Close"><svg></svg></button><button hidden>Not there</button>
<button id="c"></button><img id="d" src="data:," alt="A map"><label>Name <input id="e"></label><div id="host"></div><input type="date">
<script>host.attachShadow({ mode: "closed" }).innerHTML = "<button id=f>In the shadow</button>"</script>`,
	})
	p := open(t, b, url, false)
	d := shows(t, p, "/frame")
	names := func(role string) (list []string) {
		found, err := d.ByRole(within(t), role)
		require.NoError(t, err)
		for _, a := range found {
			assert.Equal(t, role, a.Role)
			var id string
			require.NoError(t, d.Call(within(t), `(prefix, e) => prefix + e.id`, &id, "#", a.Node))
			list = append(list, id+" "+a.Name)
		}
		return list
	}
	assert.Equal(t, []string{"#a Save", "#b Close", "#c ", "#f In the shadow"}, names("button"))
	assert.Equal(t, []string{"#d A map"}, names("img"))
	assert.Equal(t, []string{"#e Name"}, names("textbox"))
	assert.Empty(t, names("slider"))
	all, err := d.Accessible(within(t), "button", "img")
	require.NoError(t, err)
	assert.Len(t, all, 5)
	assert.ErrorContains(t, d.Call(within(t), `() => { throw new Error("no") }`, nil, nil), "Error: no")
}

// testSchemes shows that a change of the color scheme and of the size reaches the
// frame of another process, too.
func testSchemes(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{
		"/":      `<!doctype html><style>* { margin: 0 } iframe { width: 100%; border: 0 }</style><iframe src="OTHER/frame"></iframe>`,
		"/frame": `<!doctype html><script>const dark = matchMedia("(prefers-color-scheme: dark)"), changes = []; dark.onchange = () => changes.push(dark.matches)</script>`,
	})
	p := open(t, b, url, false)
	d := shows(t, p, "/frame")
	var changes []bool
	for _, dark := range []bool{true, false} {
		require.NoError(t, p.SetDark(within(t), dark))
		require.Eventually(t, func() bool {
			return d.Eval(within(t), "changes", &changes) == nil && len(changes) > 0 && changes[len(changes)-1] == dark
		}, patience, 10*time.Millisecond)
	}
	assert.Equal(t, []bool{true, false}, changes)
	require.NoError(t, p.SetDark(within(t), true))
	require.NoError(t, p.Eval(within(t), `document.querySelector("iframe").src = document.querySelector("iframe").src + "?again"`, nil))
	var again struct{ Dark, Here bool }
	require.Eventually(t, func() bool {
		err := p.EvalIn(within(t), "/frame", `({ dark: dark.matches, here: location.search === "?again" })`, &again)
		return err == nil && again.Here
	}, patience, 10*time.Millisecond)
	assert.True(t, again.Dark, "a document that comes later")

	require.NoError(t, p.SetSize(within(t), 345, 200))
	require.Eventually(t, func() bool {
		var width int
		return p.EvalIn(within(t), "/frame", "innerWidth", &width) == nil && width == 345
	}, patience, 10*time.Millisecond)
	assert.Error(t, p.SetSize(within(t), 0, 10))
}

// testEarlierPages shows that a page can be taken a picture of while pages that were
// opened later are in front of it.
func testEarlierPages(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{"/": `<!doctype html><p>page<script>setInterval(() => document.body.append("."), 10)</script>`})
	pages := []*chrome.Page{open(t, b, url, false), open(t, b, url, true), open(t, b, url, false)}
	for range 5 {
		for _, p := range pages {
			_, err := p.Screenshot(within(t))
			require.NoError(t, err)
		}
	}
}
