package mcpappstest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// TestAccessibility shows what is found in a view, and what beside it is not.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	page := mcpappstest.Open(t, viewServer(connected("", "")), "show", nil, patient(mcpappstest.PageOptions{Width: 400, Height: 300}))
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"names", `<style>button { width: 30px; height: 30px }</style><button id="a"></button><button aria-label="Close">x</button><img id="b" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="30" height="30"><img src="data:," alt="">
			<p><input id="c"></p><p><label>Name <input></label></p><input type="date" aria-label="Day"><p><a id="d" href="#x"><svg width="30" height="30"></svg></a></p><button hidden></button><svg width="30" height="30"></svg>`, []string{
			"name: button#a has the role button and no name: add text, or aria-label",
			`name: img#b "data:image/gif;base64,R0lGODlhAQABAAAAAC" has the role img and no name: add alt, which is "" for decoration`,
			"name: input#c has the role textbox and no name: add a label",
			"name: a#d has the role link and no name: add text, or aria-label",
		}},
		{"contrast", `<style>body { background: #fff; color: #000 } p { margin: 20px }</style>
			<p id="good" style="color: #767676">good</p><p id="bad" style="color: #777">bad</p>
			<p id="large" style="color: #949494; font-size: 24px">large</p><p id="bold" style="color: #949494; font-size: 20px; font-weight: bold">bold</p>
			<p id="faint" style="opacity: .5">faint</p><div style="opacity: .4"><p id="fainter">fainter</p></div>
			<p id="image" style="color: #888; background: linear-gradient(90deg, red, blue, green, white)">image</p>
			<p id="shadow" style="color: #fff; text-shadow: 0 0 3px #000">shadow</p>
			<p><button disabled>off</button></p><p hidden style="color: #fff">hidden</p>
			<div style="position: relative"><p id="under" style="color: #eee">under</p><div style="position: absolute; inset: 0; background: #ccc"></div></div>
			<div style="height: 2000px"></div><p id="below" style="color: #eee">below</p>`, []string{
			`contrast: p#bad "bad" in the light theme: #777777 on #ffffff has a contrast of 4.48, and needs 4.5`,
			`contrast: p#faint "faint" in the light theme: #808080 on #ffffff has a contrast of 3.95, and needs 4.5`,
			`contrast: p#fainter "fainter" in the light theme: #999999 on #ffffff has a contrast of 2.85, and needs 4.5`,
			`contrast: p#below "below" in the light theme: #eeeeee on #ffffff has a contrast of 1.16, and needs 4.5`,
			`contrast: p#bad "bad" in the dark theme: #777777 on #ffffff has a contrast of 4.48, and needs 4.5`,
			`contrast: p#faint "faint" in the dark theme: #808080 on #ffffff has a contrast of 3.95, and needs 4.5`,
			`contrast: p#fainter "fainter" in the dark theme: #999999 on #ffffff has a contrast of 2.85, and needs 4.5`,
			`contrast: p#below "below" in the dark theme: #eeeeee on #ffffff has a contrast of 1.16, and needs 4.5`,
		}},
		{"one theme", `<p style="color: #222">Hello</p>`, []string{
			`contrast: p "Hello" in the dark theme: #222222 on #121212 has a contrast of 1.18, and needs 4.5`,
		}},
		{"targets", `<style>button { font-size: 8px; padding: 0; border: 0; height: 12px; width: 20px; position: absolute; background: #fff; color: #000 }</style>
			<button id="a" style="left: 10px; top: 10px">a</button><button id="b" style="left: 32px; top: 10px">b</button>
			<button id="alone" style="left: 100px; top: 10px">c</button><button id="big" style="left: 200px; top: 10px; width: 24px; height: 24px">d</button>
			<p style="margin-top: 60px">See <a href="#x">one</a> <a href="#y">two</a> of them. <label><input type="checkbox"> Yes</label></p>`, []string{
			`target-size: button#a "a" has 20 x 12 pixels and is close to button#b "b": make it 24 x 24, or leave more space`,
			`target-size: button#b "b" has 20 x 12 pixels and is close to button#a "a": make it 24 x 24, or leave more space`,
		}},
		{"order", `<a href="#x" tabindex="0">first</a> <a href="#y" tabindex="2">second</a> <p tabindex="-1">none</p>`, []string{
			`focus-order: a "second" has tabindex=2, which comes before all without: use 0 and the order of the document`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page.Eval(fmt.Sprintf("document.body.innerHTML = %q", c.body), nil)
			var got []string
			for _, b := range page.Accessibility() {
				got = append(got, b.String())
			}
			for i, b := range c.want {
				if strings.HasPrefix(b, "contrast: ") {
					c.want[i] += ": " + liveview.ContrastRemedy
				}
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, host.ThemeLight, page.Bridge().Context().Theme, "what it was")
			var height int
			page.Eval("innerHeight", &height)
			assert.Equal(t, 300, height)
		})
	}
}
