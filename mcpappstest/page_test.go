package mcpappstest_test

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// patience is for steps that succeed, on a machine that does other things too.
const patience = time.Minute

//go:embed testdata/form.html
var form embed.FS

type greetInput struct {
	Name string `json:"name"`
}

type greetOutput struct {
	Greeting string `json:"greeting"`
}

// formServer has a tool "form" with a view that calls the tool "greet".
func formServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "form", Version: "1"}, nil)
	greet := func(_ context.Context, _ *mcp.CallToolRequest, in greetInput) (*mcp.CallToolResult, greetOutput, error) {
		if in.Name == "" {
			return nil, greetOutput{}, fmt.Errorf("whom?")
		}
		out := greetOutput{"Hello, " + in.Name + "!"}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.Greeting}}}, out, nil
	}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "form"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://form/form.html"}, Document: bundle.Handler(form, "testdata/form.html", nil),
	}, greet)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "greet"}, mcpapps.AppOnly(""), greet)
	return s
}

// viewServer has a tool "show" whose view is made of the files, index.html first.
func viewServer(files map[string]string, csp ...mcpapps.CSP) *mcp.Server {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var ui mcpapps.ResourceUIMetadata
	if len(csp) > 0 {
		ui.CSP = &csp[0]
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/view.html"}, UI: ui, Document: bundle.Handler(fsys, "index.html", nil),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "shown"}}}, nil, nil
	})
	return s
}

// connected is a view of a body, whose script has app and may add handlers before
// app.connect is called.
func connected(body, script string) map[string]string {
	return map[string]string{
		"index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body>` + body + `<script type="module" src="main.ts"></script></html>`,
		"main.ts": "import { App } from \"mcp-app\";\nconst app = new App({ name: \"v\", version: \"1\" });\n" +
			"globalThis.app = app;\n" + script + "\nawait app.connect();\n",
	}
}

func patient(o mcpappstest.PageOptions) *mcpappstest.PageOptions {
	o.Timeout = patience
	return &o
}

// TestPage goes through a form as a user does, by what is seen and by what assistive
// technology sees.
func TestPage(t *testing.T) {
	t.Parallel()
	page := mcpappstest.Open(t, formServer(), "form", greetInput{Name: "Ada <b>"}, patient(mcpappstest.PageOptions{}))
	assert.Equal(t, "Hello, Ada <b>!", page.Locator("#greeting").Text(), "the result is there when Open returns")
	assert.Empty(t, page.Calls())

	page.ByRole("textbox", "Name").Fill("Grace")
	page.ByRole("button", "Greet").Click()
	page.WaitText("Hello, Grace!")
	call := page.WaitCall("greet")
	assert.JSONEq(t, `{"name":"Grace"}`, string(call.Arguments))
	assert.NoError(t, call.Err)
	assert.Equal(t, map[string]any{"greeting": "Hello, Grace!"}, call.Result.StructuredContent)

	name := page.Locator("input[name=name]")
	name.Fill("Alan")
	name.Press("Enter")
	page.ByRole("heading", "").WaitText("Hello, Alan!")
	name.Fill("")
	name.Press("Enter")
	page.WaitText("whom?")
	calls := page.Calls()
	require.Len(t, calls, 3)
	assert.True(t, calls[2].Result.IsError)

	page.ByRole("combobox", "Size").Select("Large")
	assert.Equal(t, "l", page.Locator("select").Value())
	page.Locator("select").Select("s")
	assert.Equal(t, "changed s", page.Locator("#log").Text())
	page.ByRole("checkbox", "Loud").Click()
	assert.Equal(t, true, page.ByRole("checkbox", "Loud").Eval("(e) => e.checked"))
	page.Locator("[type=date]").Fill("2026-12-31")
	assert.Equal(t, "2026-12-31", page.Locator("[type=date]").Value())
	page.ByRole("textbox", "Notes").Fill("two\nlines")
	assert.Equal(t, "two\nlines", page.Locator("textarea").Value())
	page.Locator("[contenteditable]").Fill("rich")
	assert.Equal(t, "rich", page.Locator("[contenteditable]").Text())

	value, ok := page.Locator("input").Nth(0).Attribute("name")
	assert.Equal(t, "name", value)
	assert.True(t, ok)
	_, ok = page.Locator("input").Nth(0).Attribute("disabled")
	assert.False(t, ok)
	assert.Equal(t, 3, page.Locator("input").Count())
	assert.Zero(t, page.ByText("nowhere").Count())
	assert.False(t, page.ByText("nowhere").Visible())
	assert.False(t, page.Locator("#late").Visible())

	page.ByText("Show later").Click()
	page.Locator("#late").Wait()
	page.ByRole("button", "Hide later").Click() // which is disabled, and moves, until then
	page.Locator("#late").WaitGone()

	page.ByText("In the shadow").Click()
	page.WaitText("clicked in the shadow")
	assert.Contains(t, page.Text(), "clicked in the shadow")
	page.Eval(`void (document.querySelector("p").appendChild(document.createElement("div")).attachShadow({ mode: "closed" }).innerHTML =
		"<button onclick='document.getElementById(\"log\").textContent = this.textContent'>In the closed one</button>")`, nil)
	page.ByRole("button", "In the closed one").Click()
	assert.Equal(t, "In the closed one", page.Locator("#log").Text())
	page.ByText("Far below").Click()
	assert.Equal(t, "clicked far below", page.Locator("#log").Text())

	page.ByRole("button", "Ask").Click()
	requests := page.Requests()
	last := requests[len(requests)-1]
	assert.Equal(t, "ui/message", last.Method)
	assert.Contains(t, string(last.Params), "What is this?")
	assert.NoError(t, last.Err)

	var sum int
	page.Eval("Promise.resolve(40 + 2)", &sum)
	assert.Equal(t, 42, sum)
	assert.Equal(t, []string{"info: the form is ready"}, texts(page.Console()))
	page.Close()
	closing := page.Calls()
	assert.Equal(t, `{"name":"bye"}`, string(closing[len(closing)-1].Arguments), "the view cleans up")
	assert.Nil(t, page.Bridge())
	assert.Empty(t, page.Errors())
}

func texts(list []mcpappstest.Message) (s []string) {
	for _, m := range list {
		s = append(s, m.Level+": "+m.Text)
	}
	return s
}

// TestPageContext shows that a change of the host's theme and size has come to the view
// when the method returns, and that a picture tells the themes apart.
func TestPageContext(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	page := mcpappstest.Open(t, viewServer(connected(`<p id="theme"></p><p id="size"></p>`, `
const show = () => {
	const { theme, containerDimensions: d } = app.getHostContext();
	document.querySelector("#theme").textContent = theme + " " + matchMedia("(prefers-color-scheme: dark)").matches;
	document.querySelector("#size").textContent = d.width + " x " + d.height + ", " + innerWidth + " x " + innerHeight;
};
app.onhostcontextchanged = show;
addEventListener("resize", show);
app.ontoolresult = show;`)), "show", nil, patient(mcpappstest.PageOptions{Width: 500, Height: 300, Theme: host.ThemeDark}))
	theme, size := page.Locator("#theme"), page.Locator("#size")
	assert.Equal(t, "dark true", theme.Text())
	assert.Equal(t, "500 x 300, 500 x 300", size.Text())
	page.SetTheme(host.ThemeLight)
	assert.Equal(t, "light false", theme.Text())
	page.SetTheme(host.ThemeLight)
	page.SetTheme(host.ThemeDark)
	assert.Equal(t, "dark true", theme.Text())
	page.SetSize(320, 700)
	size.WaitText("320 x 700, 320 x 700")
	c := page.Bridge().Context()
	c.Locale = "nn-NO"
	require.NoError(t, page.Bridge().SetContext(c))
	require.NoError(t, page.Bridge().Ping(t.Context()))
	var locale string
	page.Eval("app.getHostContext().locale", &locale)
	assert.Equal(t, "nn-NO", locale)

	page.Eval(`void (app.onhostcontextchanged = () => document.body.replaceChildren("Hello"))`, nil)
	page.SetTheme(host.ThemeLight)
	light := page.Screenshot()
	page.SetTheme(host.ThemeDark)
	assert.NotEqual(t, light, page.Screenshot())
}

// TestPageHost shows that a host without a profile can't be named; TestPageErrors shows
// that a view sees the host that it is shown as.
func TestPageHost(t *testing.T) {
	assert.Equal(t, []string{`mcpappstest.Open: the host "nobody": use the ID of a profile that compat.Profiles returns`}, run(t, func(t testing.TB) {
		mcpappstest.Open(t, formServer(), "form", nil, &mcpappstest.PageOptions{Host: "nobody"})
	}))
}

// TestPagesSideBySide shows that views in one browser do not disturb each other: two of
// them, and six in ci/full.
func TestPagesSideBySide(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	views := 2
	if testenv.Full() {
		views = 6
	}
	for i := range views {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			page := mcpappstest.Open(t, formServer(), "form", greetInput{Name: fmt.Sprint("nobody ", i)}, patient(mcpappstest.PageOptions{}))
			for n := range 3 {
				page.ByRole("textbox", "Name").Fill(fmt.Sprintf("%d.%d", i, n))
				page.ByRole("button", "Greet").Click()
				page.WaitText(fmt.Sprintf("Hello, %d.%d!", i, n))
			}
			assert.Len(t, page.Calls(), 3)
		})
	}
}

// TestPageFails shows what a test says that fails.
func TestPageFails(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	brief := &mcpappstest.PageOptions{Timeout: patience}
	open := func(s *mcp.Server, tool string, args any) []string {
		return run(t, func(tb testing.TB) { mcpappstest.Open(tb, s, tool, args, brief) })
	}
	for _, c := range []struct {
		name string
		errs func() []string
		says []string
	}{
		{"no such tool", func() []string { return open(viewServer(connected("", "")), "shwo", nil) }, []string{`the server has no tool "shwo"`}},
		{"no connect", func() []string {
			return open(viewServer(map[string]string{"index.html": "<!doctype html><p>Hello</p>"}), "show", nil)
		}, []string{"the view has no script, so that nothing calls app.connect()", "It shows:\n\tHello"}},
		{"arguments", func() []string { return open(formServer(), "form", []int{1}) }, []string{"[1] is not an object"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			errs := c.errs()
			require.NotEmpty(t, errs)
			for _, says := range c.says {
				assert.Contains(t, errs[0], says)
			}
		})
	}
	page := mcpappstest.Open(t, formServer(), "form", greetInput{Name: "Ada"}, patient(mcpappstest.PageOptions{}))
	for _, c := range []struct {
		name string
		act  func()
		says []string
	}{
		{"no such element", func() { page.ByRole("button", "Great").Click() },
			[]string{`the view of "form": clicking an element with the role button and the name "Great": the view has no such element; the names of that role are: "Greet"`, "for 300ms", "It shows:\n\tHello, Ada!", "Its console:\n\tinfo: the form is ready"}},
		{"several", func() { page.Locator("input").Fill("x") }, []string{`filling an element "input": there are 3: <input#name>`, "Nth"}},
		{"hidden", func() { page.Locator("#late").Wait() }, []string{"it is not visible"}},
		{"disabled", func() { page.ByText("Hide later").Click() }, []string{"it is disabled"}},
		{"another text", func() { page.Locator("#greeting").WaitText("Bye") }, []string{`waiting for the text "Bye" in an element "#greeting": its text is "Hello, Ada!"`}},
		{"a checkbox", func() { page.Locator("[type=checkbox]").Fill("x") }, []string{"takes no text: use Click"}},
		{"an option", func() { page.Locator("select").Select("Huge") }, []string{`its options are "Small", "Large"`}},
		{"a selector", func() { page.Locator("p[").Click() }, []string{"not a valid selector"}},
		{"a key", func() { page.Press("Entre") }, []string{`unknown key "Entre"`}},
		{"a script", func() { page.Eval("nothing.here", nil) }, []string{"nothing is not defined"}},
		{"a function", func() { page.Locator("#log").Eval("(e) => e.nothing.here") }, []string{"Cannot read properties of undefined"}},
		{"no call", func() { page.WaitCall("greet") }, []string{`waiting for a call of "greet": not within 300ms; it called []`}},
		{"covered", func() {
			page.Eval(`document.body.insertAdjacentHTML("beforeend", "<div id=cover style='position: fixed; inset: 0'></div>")`, nil)
			page.ByRole("button", "Greet").Click()
		}, []string{"<div#cover> covers it"}},
		{"a view that leaves", func() {
			page.Eval(`void (location.href = "about:blank")`, nil)
			page.WaitText("never")
		}, []string{"the view went to another page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := run(t, func(tb testing.TB) {
				timeout := 300 * time.Millisecond
				if c.name == "a view that leaves" { // of which the preview learns
					timeout = patience
				}
				defer mcpappstest.Use(page, tb, timeout)()
				c.act()
			})
			require.Len(t, errs, 1)
			for _, says := range c.says {
				assert.Contains(t, errs[0], says)
			}
		})
	}
}

// TestHangingViews shows that a script that does not return is named as what it is, in
// bounded time: before the view is connected, where it waits for an answer, so that it
// takes no processor, and after a click, where it loops.
func TestHangingViews(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	s := viewServer(connected("", `
const request = new XMLHttpRequest();
request.open("GET", "`+silent.URL+`", false);
request.send();`), mcpapps.CSP{ConnectDomains: []string{silent.URL}})
	began := time.Now()
	errs := run(t, func(tb testing.TB) {
		mcpappstest.Open(tb, s, "show", nil, &mcpappstest.PageOptions{Timeout: 5 * time.Second}) // it has three times as long to open
	})
	require.NotEmpty(t, errs)
	assert.Contains(t, errs[0], `mcpappstest: the view of "show": the view does not answer`)

	page := mcpappstest.Open(t, viewServer(connected("<button>Go</button>", `document.querySelector("button").onclick = () => { for (;;); };`)), "show", nil, patient(mcpappstest.PageOptions{}))
	errs = run(t, func(tb testing.TB) {
		defer mcpappstest.Use(page, tb, time.Second)()
		mcpappstest.Look(page, time.Second)
		page.ByText("Go").Click()
		page.WaitText("never")
	})
	require.NotEmpty(t, errs)
	assert.Contains(t, errs[0], `clicking an element with the text "Go": the view does not answer`)
	assert.Less(t, time.Since(began), 2*time.Minute)
}

// TestPageErrors shows that an error of the view fails the test at its end, unless the
// test has read it, and that a view sees the host that it is shown as.
func TestPageErrors(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	s := viewServer(connected(`<button>Go</button>`, `
document.querySelector("button").onclick = () => { thisIsMissing(); };
app.ontoolresult = async () => { throw new TypeError("in the handler"); };`))
	var got []mcpappstest.Error
	use := func(read bool) []string {
		return run(t, func(tb testing.TB) {
			page := mcpappstest.Open(tb, s, "show", nil, patient(mcpappstest.PageOptions{Host: "chatgpt"}))
			var name string
			page.Eval("app.getHostVersion().name", &name)
			assert.Equal(t, "chatgpt", name)
			page.ByRole("button", "Go").Click()
			require.Eventually(t, func() bool {
				if !read {
					return len(mcpappstest.Errors(page)) == 2
				}
				got = page.Errors()
				return len(got) == 2
			}, patience, 10*time.Millisecond)
		})
	}
	assert.Empty(t, use(true))
	require.Len(t, got, 2)
	assert.Equal(t, [2]int{5, 52}, [2]int{got[1].Line, got[1].Column})
	assert.Equal(t, "main.ts", got[1].Source)
	assert.Contains(t, got[1].String(), "(main.ts:5:52)")
	mcpappstest.Check(t, s) // the source map that these positions need causes no finding
	mcpappstest.Golden(t, s, "testdata/errors.json")
	errs := use(false)
	require.Len(t, errs, 2)
	assert.Contains(t, errs[0], "in the handler")
	assert.Regexp(t, `in the view of "show", opened at page_test\.go:\d+: `, errs[0], "the line of Open, since the end of a test has no line")
	assert.Contains(t, errs[1], "thisIsMissing is not defined")
	assert.Contains(t, errs[1], "Page.Errors")
}

// TestOpenWithoutBrowser shows that a test without a browser says what is missing.
func TestOpenWithoutBrowser(t *testing.T) {
	for _, name := range []string{"PATH", "MCPAPPS_CHROMIUM", "MCPAPPS_E2E", "MCPAPPS_BROWSER"} {
		t.Setenv(name, "")
	}
	if _, err := chrome.Find(); err == nil {
		e2e.Skip(t, "this test needs a system without a browser in the usual places: remove it from there")
	}
	open := func() *recorder {
		return record(t, func(tb testing.TB) { mcpappstest.Open(tb, formServer(), "form", nil) })
	}
	r := open()
	assert.Empty(t, r.errors)
	assert.Equal(t, "no Chromium, Chrome or Edge found: install one, or set MCPAPPS_CHROMIUM to its path; with MCPAPPS_BROWSER=required this test fails instead", r.skipped)
	t.Setenv("MCPAPPS_BROWSER", "required")
	r = open()
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], "set MCPAPPS_CHROMIUM")
}
