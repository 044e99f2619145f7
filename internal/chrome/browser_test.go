package chrome_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// patience is how long a step may take on a machine that does other things too.
const patience = 2 * time.Minute

// TestBrowser opens pages over both connections to a browser: over the port, and over the
// pipe outside of CI, only those that show that calls, events and pictures come through.
// ci/full opens all over both.
func TestBrowser(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	for way, over := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			if way != "pipe" {
				e2e.Need(t, e2e.Patience)
			}
			var longest atomic.Int64
			b, err := chrome.LaunchOver(t.Context(), e2e.Chromium(), chrome.Measured(over, &longest))
			require.NoError(t, err)
			t.Cleanup(b.Close)
			for name, test := range map[string]func(*testing.T, *chrome.Browser){
				"side by side": testSideBySide, "gone documents": testGoneDocuments,
				"frames": testFrames, "console": testConsole, "pauses": testPauses, "no pauses": testNoPauses, "input": testInput, "accessibility": testAccessibility,
				"schemes": testSchemes, "earlier pages": testEarlierPages,
				"uploads": func(t *testing.T, b *chrome.Browser) { testUploads(t, b, &longest) },
			} {
				if !testenv.Full() && (way != "pipe" || !testenv.InCI()) && name != "side by side" && name != "console" {
					continue
				}
				t.Run(name, func(t *testing.T) { test(t, b) })
			}
			assert.NoError(t, b.Err())
			b.Close()
			assert.Error(t, b.Err())
			_, err = b.Open(t.Context(), "about:blank", 100, 100, false)
			assert.ErrorContains(t, err, "the browser is gone")
		})
	}
}

// serve serves documents by path. Its URL's host is 127.0.0.1, so that
// localhost is another site.
func serve(t *testing.T, documents map[string]string) (url, otherSite string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(doc, "OTHER", "http://localhost:"+r.Host[strings.LastIndex(r.Host, ":")+1:]))
	}))
	t.Cleanup(srv.Close)
	return srv.URL, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
}

func open(t *testing.T, b *chrome.Browser, url string, dark bool) *chrome.Page {
	t.Helper()
	p, err := b.Open(within(t), url, 200, 100, dark)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// testSideBySide shows that each of several pages is visible, draws, and can be
// taken a picture of, whatever was opened after it.
func testSideBySide(t *testing.T, b *chrome.Browser) {
	colors := []string{"#ff0000", "#00ff00", "#0000ff", "#ffff00"}
	documents := make(map[string]string)
	for _, c := range colors {
		documents["/"+c[1:]] = `<!doctype html><script>
			requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.style.background = "` + c + `"; globalThis.drawn = true }))
		</script>`
	}
	url, _ := serve(t, documents)
	var pages []*chrome.Page
	for i, c := range colors {
		pages = append(pages, open(t, b, url+"/"+c[1:], i%2 == 0))
	}
	var wg sync.WaitGroup
	for i, p := range pages {
		wg.Go(func() {
			if !assert.NoError(t, p.Wait(within(t), "globalThis.drawn")) {
				return
			}
			var seen struct {
				Visibility    string
				Dark          bool
				Width, Height int
			}
			assert.NoError(t, p.Eval(within(t), `({ visibility: document.visibilityState, dark: matchMedia("(prefers-color-scheme: dark)").matches, width: innerWidth, height: innerHeight })`, &seen))
			assert.Equal(t, "visible", seen.Visibility)
			assert.Equal(t, i%2 == 0, seen.Dark)
			assert.Equal(t, [2]int{200, 100}, [2]int{seen.Width, seen.Height})
			picture, err := p.Screenshot(within(t))
			if !assert.NoError(t, err) {
				return
			}
			img, err := png.Decode(bytes.NewReader(picture))
			if assert.NoError(t, err) {
				r, g, bl, _ := img.At(100, 50).RGBA()
				assert.Equal(t, colors[i], fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, bl>>8))
			}
		})
	}
	wg.Wait()
}

// testUploads shows that the browser tells of what a page uploads without its content.
func testUploads(t *testing.T, b *chrome.Browser, longest *atomic.Int64) {
	url, _ := serve(t, map[string]string{"/": `<!doctype html><title>page</title>`, "/upload": ""})
	p := open(t, b, url, false)
	require.NoError(t, p.Wait(within(t), "document.title"))
	longest.Store(0)
	var status int
	require.NoError(t, p.Eval(within(t), `fetch("/upload", { method: "POST", body: "x".repeat(1 << 20) }).then(r => r.status)`, &status))
	assert.Equal(t, http.StatusOK, status)
	assert.Positive(t, longest.Load())
	assert.Less(t, longest.Load(), int64(100_000))
}

// testGoneDocuments shows that an evaluation fails as soon as its document is
// gone, and does not wait for the caller's deadline.
func testGoneDocuments(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{
		"/":      `<!doctype html><iframe src="OTHER/frame"></iframe>`,
		"/frame": `<!doctype html><p>frame`,
		"/next":  `<!doctype html><p>next`,
	})
	for _, c := range []struct {
		name  string
		frame bool // whose evaluation is pending
		end   func(*chrome.Page) error
	}{
		{"the page navigates", false, func(p *chrome.Page) error { return p.Eval(within(t), `void (location.href = "/next")`, nil) }},
		{"the page reloads", true, func(p *chrome.Page) error { return p.Eval(within(t), `void location.reload()`, nil) }},
		{"the frame navigates", true, func(p *chrome.Page) error {
			return p.EvalIn(within(t), "/frame", `void (location.href = "/next")`, nil)
		}},
		{"the frame is removed", true, func(p *chrome.Page) error {
			return p.Eval(within(t), `document.querySelector("iframe").remove()`, nil)
		}},
		{"the frame crashes", true, func(p *chrome.Page) error { return p.Crash(within(t), "/frame") }},
		{"the page is closed", true, func(p *chrome.Page) error { p.Close(); return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, b, url, false)
			require.Eventually(t, func() bool {
				return p.EvalIn(within(t), "/frame", "globalThis.pending = new Promise(() => {}); 0", nil) == nil
			}, patience, 10*time.Millisecond)
			require.NoError(t, p.Wait(within(t), `document.readyState === "complete"`))
			failed := make(chan error, 1)
			go func() {
				expression := "(globalThis.waiting = true, new Promise(() => {}))"
				if c.frame {
					failed <- p.EvalIn(t.Context(), "/frame", expression, nil)
				} else {
					failed <- p.Eval(t.Context(), expression, nil)
				}
			}()
			require.Eventually(t, func() bool {
				var waiting bool
				if c.frame {
					_ = p.EvalIn(within(t), "/frame", "!!globalThis.waiting", &waiting)
				} else {
					_ = p.Eval(within(t), "!!globalThis.waiting", &waiting)
				}
				return waiting
			}, patience, 10*time.Millisecond)
			require.NoError(t, c.end(p))
			select {
			case err := <-failed:
				assert.Error(t, err)
			case <-time.After(patience):
				t.Fatal("still pending")
			}
		})
	}
}

// testFrames shows that a frame in a process of its own has the page's media
// from its first script on, that a script finds it by its path even where
// another frame is busy, and that its navigation is followed.
func testFrames(t *testing.T, b *chrome.Browser) {
	url, other := serve(t, map[string]string{
		"/":      `<!doctype html><iframe src="OTHER/busy"></iframe><iframe src="OTHER/frame"></iframe>`,
		"/frame": `<!doctype html><script>const dark = matchMedia("(prefers-color-scheme: dark)").matches</script>`,
		"/busy":  `<!doctype html><p>busy`,
	})
	p := open(t, b, url, true)
	var dark bool
	require.Eventually(t, func() bool { return p.EvalIn(within(t), "/frame", "dark", &dark) == nil }, patience, 10*time.Millisecond)
	assert.True(t, dark)
	var origin string
	require.NoError(t, p.EvalIn(within(t), "/frame", "origin", &origin))
	assert.Equal(t, other, origin)
	require.NoError(t, p.EvalIn(within(t), "/frame", `history.pushState(0, "", "/moved")`, nil))
	require.Eventually(t, func() bool { return p.EvalIn(within(t), "/moved", "dark", &dark) == nil }, patience, 10*time.Millisecond)
	assert.ErrorContains(t, p.EvalIn(within(t), "/frame", "dark", nil), "no frame shows /frame")
	assert.ErrorContains(t, p.Eval(within(t), "nothing.here()", nil), "nothing is not defined")
}

// testConsole shows what is kept of what the page and its frames write.
func testConsole(t *testing.T, b *chrome.Browser) {
	cancelled := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(cancelled)
	}))
	t.Cleanup(slow.Close)
	url, other := serve(t, map[string]string{
		"/": `<!doctype html><link rel="icon" href="data:,"><iframe src="OTHER/frame"></iframe><img src="/missing.png">`,
		"/frame": strings.ReplaceAll(`<!doctype html>
<script>
console.log("text", 1, { a: "b", n: 2 }, [1, "2"], undefined, null, NaN, 12n);
console.debug("d"); console.warn("w");
  console.error("e", new RangeError("far"));
Promise.reject(new TypeError("rejected\nand more"));
const late = Promise.reject(new Error("late"));
setTimeout(() => late.catch(() => {}), 50);
Promise.reject("a text");
try { null.caught } catch {}
(function inner() { Promise.resolve().then(function job() { throw new Error("swallowed") }).catch(() => {}) })();
fetch("https://host.invalid/").catch(() => {});
const stopped = new AbortController; fetch("SLOW", stopped).catch(() => {});
setTimeout(() => { stopped.abort(); setTimeout(() => console.log("end"), 50) }, 60);
nothing.here();
</script>`, "SLOW", slow.URL),
	})
	p := openCatching(t, b, url)
	<-cancelled
	ended := func(m chrome.Message) bool { return m.Text == "end" }
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(p.Console(), ended) && len(p.Exceptions()) >= 3 && len(p.FailedLoads()) >= 2
	}, patience, 10*time.Millisecond)
	frame := other + "/frame"
	at := func(line, column int) chrome.Position { return chrome.Position{URL: frame, Line: line, Column: column} }
	stack := func(p chrome.Position) []chrome.Frame { return []chrome.Frame{{Position: p}} }
	assert.Subset(t, p.Console(), []chrome.Message{
		{chrome.LevelInfo, `text 1 {a: "b", n: 2} [1, "2"] undefined null NaN 12n`, at(3, 9), stack(at(3, 9))},
		{chrome.LevelDebug, "d", at(4, 9), stack(at(4, 9))},
		{chrome.LevelWarning, "w", at(4, 29), stack(at(4, 29))},
		{chrome.LevelError, "e RangeError: far", at(5, 11), stack(at(5, 11))},
	})
	for _, m := range p.Console() {
		assert.NotContains(t, m.Text, "Failed to load", "said by FailedLoads")
	}
	type thrown struct {
		text      string
		rejection bool
		chrome.Position
	}
	list := func(all []chrome.Exception) (list []thrown) {
		for _, e := range all {
			list = append(list, thrown{e.Text, e.Rejection, e.Position})
		}
		return list
	}
	assert.ElementsMatch(t, []thrown{
		{"ReferenceError: nothing is not defined", false, at(15, 1)},
		{"TypeError: rejected\nand more", true, at(6, 16)},
		{"a text", true, at(9, 9)},
	}, list(p.Exceptions()), "that of a promise with a late handler is revoked")
	caught := list(p.Caught())
	assert.Contains(t, caught, thrown{"TypeError: Cannot read properties of null (reading 'caught')", false, at(10, 12)})
	assert.Contains(t, caught, thrown{"Error: swallowed", true, at(11, 61)})
	for _, e := range p.Caught() {
		if e.Text == "Error: swallowed" {
			assert.Equal(t, []chrome.Frame{{"job", at(11, 61)}}, e.Stack)
		}
	}
	var loads []string
	for _, l := range p.FailedLoads() {
		loads = append(loads, l.Type+" "+l.URL+" by "+l.Document+": "+l.Reason)
	}
	assert.ElementsMatch(t, []string{
		"Image " + url + "/missing.png by " + url + "/: HTTP status 404",
		"Fetch https://host.invalid/ by " + frame + ": net::ERR_NAME_NOT_RESOLVED",
	}, loads)
}

func openCatching(t *testing.T, b *chrome.Browser, url string) *chrome.Page {
	t.Helper()
	p, err := b.OpenCatching(within(t), url, 200, 100, false)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// testNoPauses shows that errors which a script catches do not pause a page that is
// opened without them: a message that is posted meanwhile would be lost.
func testNoPauses(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{
		"/": `<!doctype html><iframe src="OTHER/frame"></iframe><script>
			onmessage = async ({ data, source }) => {
				for (let i = 0; i < 300; i++) {
					source.postMessage("message", "*");
					await new Promise((done) => setTimeout(done));
				}
				source.postMessage("last", "*");
			};
		</script>`,
		"/frame": `<!doctype html><script>
			let got = 0;
			const throwing = setInterval(() => { try { throw new Error() } catch { } });
			onmessage = ({ data }) => {
				got++;
				if (data !== "last") return;
				clearInterval(throwing);
				console.log(got);
			};
			parent.postMessage("begin", "*");
		</script>`,
	})
	p := open(t, b, url, false)
	require.Eventually(t, func() bool { return len(p.Console()) > 0 }, patience, 10*time.Millisecond)
	assert.Equal(t, "301", p.Console()[0].Text)
	assert.False(t, p.Paused())
}

// testPauses shows that a page which throws without end is not slowed down for long.
func testPauses(t *testing.T, b *chrome.Browser) {
	url, _ := serve(t, map[string]string{
		"/":      `<!doctype html><iframe src="OTHER/frame"></iframe>`,
		"/frame": `<!doctype html><script>let n = 0; for (; n < 20000; n++) try { throw new Error(n) } catch { } debugger; console.log("done")</script>`,
	})
	p := openCatching(t, b, url)
	require.Eventually(t, func() bool { return len(p.Console()) > 0 }, patience, 10*time.Millisecond)
	assert.NotEmpty(t, p.Caught())
	assert.True(t, p.Paused())
	assert.LessOrEqual(t, len(p.Caught()), 100)
}
