package liveview_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/preview"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// patience is how long a step may take on a machine that does other things too.
const patience = 3 * time.Minute

// initialize is the start of a document that does the handshake and then calls
// started.
const initialize = `<!doctype html><script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  if (data.id === 0 && data.result) {
    send({ method: "ui/notifications/initialized" });
    globalThis.started?.();
  }
});
send({ id: 0, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "v", version: "1" }, appCapabilities: {} } });
</script>`

// viewer returns a viewer of a server that has a tool and its view for each
// document.
func viewer(t *testing.T, documents map[string]string) *liveview.Viewer {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for name, doc := range documents {
		uri := "ui://t/" + name
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}},
			func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if strings.Contains(string(req.Params.Arguments), `"late"`) {
					time.Sleep(3 * time.Second)
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}}}, nil
			})
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			if doc == "" {
				return nil, mcp.ResourceNotFoundError(uri)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: doc}}}, nil
		})
	}
	v, err := liveview.Start(t.Context(), host.Target{Server: s}, nil)
	require.NoError(t, err)
	t.Cleanup(v.Close)
	return v
}

func open(t *testing.T, v *liveview.Viewer, r liveview.Request) *liveview.View {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	view, err := v.Open(ctx, e2e.SharedBrowser(t), r)
	require.NoError(t, err)
	t.Cleanup(view.Close)
	return view
}

// long are limits of which only those matter that end a healthy watch.
var long = liveview.Limits{Open: patience, Ready: patience, Quiet: 500 * time.Millisecond, Settle: patience, GiveUp: patience, Respond: patience}

func with(change func(*liveview.Limits)) liveview.Limits {
	l := long
	change(&l)
	return l
}

func failures(o liveview.Outcome) (list []string) {
	for _, f := range o.Failures() {
		list = append(list, string(f.Kind)+": "+f.String())
	}
	return list
}

// TestWatch shows, of documents side by side, which outcome each has. ci/full adds some that
// end as others do.
func TestWatch(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	giveUp := with(func(l *liveview.Limits) { l.GiveUp = 2 * time.Second })
	type watched struct {
		name     string
		document string
		limits   liveview.Limits
		check    func(*testing.T, liveview.Outcome)
	}
	cases := []watched{
		{"fine", initialize + `<p>Hello<script>console.warn("soon", { n: 1 }); started = () => send({ method: "ui/notifications/size-changed", params: { height: 10 } })</script>`, long, func(t *testing.T, o liveview.Outcome) {
			assert.True(t, o.Opened && o.InitializeSent && o.Initialized && o.Sized && o.Answered, "%+v", o.Notes)
			assert.Contains(t, string(o.Result), `{\"name\":\"fine\"}`)
			assert.NoError(t, o.ResultErr)
			assert.False(t, o.Blank || o.Gone())
			assert.Empty(t, o.Violations)
			assert.Empty(t, o.Refusals)
			assert.Empty(t, o.Notes)
			assert.Empty(t, o.Failures())
			require.Len(t, o.Console, 1)
			assert.Equal(t, chrome.LevelWarning, o.Console[0].Level)
			assert.Equal(t, "soon {n: 1}", o.Console[0].Text)
		}},
		{"blank", initialize, long, func(t *testing.T, o liveview.Outcome) { assert.True(t, o.Blank) }},
		{"no-script", `<!doctype html><p>Hello`, giveUp, func(t *testing.T, o liveview.Outcome) {
			assert.True(t, o.Opened && o.Answered)
			assert.False(t, o.InitializeSent || o.Initialized || o.Blank)
			assert.Less(t, o.Waited, patience)
			assert.Equal(t, []string{"connect: the view has no script, so that nothing calls app.connect()"}, failures(o))
		}},
		{"forgets-to-connect", `<!doctype html><p>Hello<script>/* app.connect() is missing */</script>`, giveUp, func(t *testing.T, o liveview.Outcome) {
			list := failures(o)
			require.Len(t, list, 1)
			assert.Contains(t, list[0], "connect: its script did not call app.connect() within ")
			assert.Less(t, o.Waited, patience)
		}},
		{"unbundled", `<!doctype html><p>Hello<script type="module">import { App } from "mcp-app";</script>`, giveUp, func(t *testing.T, o liveview.Outcome) {
			assert.NotEmpty(t, o.Exceptions)
			assert.Equal(t, []string{`connect: its script imports "mcp-app", which only a bundler can resolve, so that it does not run`}, failures(o))
		}},
		{"loads", initialize + `<p>x<img src="https://pictures.invalid/a.png"><img src="missing.png"><script>started = () => {
			send({ method: "ui/notifications/size-changed", params: { height: 10 } });
			console.error("no picture:", new Error("late"));
			Promise.reject("a text");
		}</script>`, long, func(t *testing.T, o liveview.Outcome) {
			assert.ElementsMatch(t, []string{
				"violation: its policy blocks https://pictures.invalid/a.png (img-src)",
				`load: it could not load "/missing.png": a view has no files beside its document`,
				"console: its console says: no picture: Error: late, at line 12, column 12 of the document",
				"rejection: a rejected promise that nothing handles: a text, at line 13, column 12 of the document",
			}, failures(o))
		}},
		{"caught", initialize + `<p>x<script>started = () => {
			send({ method: "ui/notifications/size-changed", params: { height: 10 } });
			Promise.resolve().then(() => started.none.here).catch(() => {});
			try { null.x } catch { }
			try { new Function("") } catch { }
		}</script>`, long, func(t *testing.T, o liveview.Outcome) {
			assert.Equal(t, []string{"caught: thrown and caught: TypeError: Cannot read properties of undefined (reading 'here'), at line 12, column 46 of the document"}, failures(o))
		}},
		{"throws", `<!doctype html><p>Hello<script>
nothing.here()</script>`, giveUp, func(t *testing.T, o liveview.Outcome) {
			require.Len(t, o.Exceptions, 1)
			assert.Equal(t, "ReferenceError: nothing is not defined", o.Exceptions[0].Text)
			assert.Equal(t, 2, o.Exceptions[0].Line)
		}},
		{"refused", `<!doctype html><script>parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*")</script>`, giveUp, func(t *testing.T, o liveview.Outcome) {
			r, refused := o.InitializeRefused()
			assert.True(t, refused && o.InitializeSent && !o.Initialized)
			assert.Equal(t, "ui/initialize", r.Method)
			assert.NotZero(t, r.Code)
			assert.NotEmpty(t, r.Message)
		}},
		{"waits-in-vain", `<!doctype html><script>/* waits */</script>`, with(func(l *liveview.Limits) { l.Ready = 2 * time.Second }), func(t *testing.T, o liveview.Outcome) {
			assert.False(t, o.InitializeSent)
			assert.GreaterOrEqual(t, o.Waited, 2*time.Second)
		}},
		{"never-quiet", initialize + `<p>x<script>started = () => setInterval(() => send({ method: "ui/notifications/size-changed", params: { height: Math.random() * 100 } }), 20)</script>`, with(func(l *liveview.Limits) { l.Quiet, l.Settle = patience, time.Second }), func(t *testing.T, o liveview.Outcome) {
			assert.True(t, o.Initialized && o.Sized)
		}},
		{"refusals-and-violations", initialize + `<style>div{height:10px;background:red}</style><div></div><script>started = () => {
			send({ id: 1, method: "tools/call", params: { name: "none" } });
			send({ id: 2, method: "no/such" });
			send({ method: "notifications/no-such" });
			fetch("https://api.example.com/").catch(() => {});
		}</script>`, long, func(t *testing.T, o liveview.Outcome) {
			var methods []string
			for _, r := range o.Refusals {
				methods = append(methods, r.Method)
			}
			assert.ElementsMatch(t, []string{"tools/call", "no/such"}, methods)
			assert.False(t, o.Blank, "it has a color")
			require.Len(t, o.Violations, 1)
			assert.Equal(t, "connect-src", o.Violations[0].Directive)
			require.NotEmpty(t, o.Notes)
			assert.Equal(t, host.NoteUnknown, o.Notes[0].Kind) // others are the preview's hints, on a slow machine
		}},
		{"goes-away", initialize + `<p>x<script>started = () => { location.href = "https://example.com/" }</script>`, with(func(l *liveview.Limits) { l.Quiet = patience }), func(t *testing.T, o liveview.Outcome) {
			assert.Equal(t, preview.EventViewLeft, o.Left)
			assert.True(t, o.Gone())
		}},
		{"goes-away-at-last", initialize + `<p>x<script>started = () => { location.href = "https://example.com/" }</script>`, with(func(l *liveview.Limits) { l.Quiet, l.Settle = time.Millisecond, patience }), func(t *testing.T, o liveview.Outcome) {
			assert.Equal(t, preview.EventViewLeft, o.Left, "it is not settled while it goes")
		}},
		{"is-closed", initialize + `<p>x<script>started = () => send({ method: "ui/notifications/request-teardown" })</script>`, with(func(l *liveview.Limits) { l.Quiet = patience }), func(t *testing.T, o liveview.Outcome) {
			assert.ErrorContains(t, o.Closed, "asked to be closed")
		}},
		{"hangs", initialize + `<p>x<script>started = () => setTimeout(() => { for (;;); })</script>`, with(func(l *liveview.Limits) { l.Respond = time.Second }), func(t *testing.T, o liveview.Outcome) {
			assert.NotZero(t, o.Hangs)
			assert.False(t, o.Blank)
		}},
		{"unreadable", "", long, func(t *testing.T, o liveview.Outcome) {
			assert.Error(t, o.Failed)
			assert.False(t, o.Opened)
		}},
	}
	if !testenv.Full() {
		cases = slices.DeleteFunc(cases, func(c watched) bool { return c.name == "no-script" || c.name == "throws" || c.name == "goes-away" })
	}
	documents := make(map[string]string)
	for _, c := range cases {
		documents[c.name] = c.document
	}
	v := viewer(t, documents)
	var wg sync.WaitGroup
	tabs := make(chan struct{}, 4)
	outcomes := make([]liveview.Outcome, len(cases))
	for i, c := range cases {
		wg.Go(func() {
			tabs <- struct{}{}
			defer func() { <-tabs }()
			view, err := v.Open(t.Context(), e2e.SharedBrowser(t), liveview.Request{Tool: c.name, Args: json.RawMessage(`{"name":"` + c.name + `"}`), Catching: c.name == "caught"})
			if !assert.NoError(t, err) {
				return
			}
			defer view.Close()
			outcomes[i], err = view.Watch(t.Context(), true, c.limits)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, outcomes[i]) })
	}
}

// TestNoView shows what is told where there is no view to open.
func TestNoView(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	v := viewer(t, nil)
	o, err := open(t, v, liveview.Request{Tool: "none"}).Watch(t.Context(), true, long)
	require.NoError(t, err)
	assert.ErrorContains(t, o.Failed, `no tool "none"`)
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, context.Canceled)
	defer cancel()
	assert.ErrorIs(t, open(t, v, liveview.Request{Tool: "none"}).Wait(ctx, func(liveview.Outcome) bool { return false }), context.Canceled)
}

// TestRequest shows that a view is opened as asked, and what it looks like.
func TestRequest(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	v := viewer(t, map[string]string{"v": initialize + `<script>
		const dark = matchMedia("(prefers-color-scheme: dark)").matches;
		started = () => { document.documentElement.style.background = dark && innerWidth === 300 && innerHeight === 200 ? "#0000ff" : "#ff0000"; eval("1") };
	</script>`})
	view := open(t, v, liveview.Request{Tool: "v", Width: 300, Height: 200, Dark: true, Loose: true})
	o, err := view.Watch(t.Context(), true, long)
	require.NoError(t, err)
	assert.Empty(t, o.Violations, "the loose policy allows eval")
	data, err := view.Screenshot(t.Context())
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.Equal(t, 300, img.Bounds().Dx())
	assert.Equal(t, 200, img.Bounds().Dy())
	assert.Equal(t, color.RGBA{B: 0xff, A: 0xff}, color.RGBAModel.Convert(img.At(5, 5)))
}

// TestWatchWaitsForAnswers: a view is not settled while it waits for an answer that comes
// later than what counts as quiet.
func TestWatchWaitsForAnswers(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	limits := with(func(l *liveview.Limits) { l.Quiet = 2 * time.Second })
	v := viewer(t, map[string]string{"late": initialize + `<p>x<script>
		started = () => send({ id: 7, method: "tools/call", params: { name: "late", arguments: { late: true } } });
		addEventListener("message", ({ data }) => data.id === 7 && send({ method: "ui/notifications/size-changed", params: { height: 10 } }));
	</script>`})
	o, err := open(t, v, liveview.Request{Tool: "late"}).Watch(t.Context(), true, limits)
	require.NoError(t, err)
	assert.True(t, o.Sized, "it had its answer")
}
