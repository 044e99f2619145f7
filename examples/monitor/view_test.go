package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// connect returns a client session of the monitor's server.
func connect(t *testing.T, s *sampler) *mcp.ClientSession {
	clientTransport, serverTransport := mcp.NewInMemoryTransports()
	_, err := newServer(s).Connect(t.Context(), serverTransport, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientTransport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

// The declarations with which the view is type-checked match the current tools.
func TestToolTypes(t *testing.T) {
	list, err := connect(t, newSampler(readMetrics)).ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}

// The view is one document that loads nothing external.
func TestView(t *testing.T) {
	document, err := bundle.HTML(files, "ui/index.html", nil)
	require.NoError(t, err)
	assert.Empty(t, document.External)
	assert.Empty(t, document.Warnings)
	assert.Equal(t, []string{"ui/chart.ts", "ui/charts.ts", "ui/format.ts", "ui/index.html", "ui/main.ts", "ui/style.css", "ui/tsconfig.json"}, document.Inputs)

	result, err := connect(t, newSampler(readMetrics)).ReadResource(t.Context(), &mcp.ReadResourceParams{URI: viewURI})
	require.NoError(t, err)
	require.Len(t, result.Contents, 1)
	assert.Equal(t, document.HTML, result.Contents[0].Text)
}

// open opens the monitor's view. change changes what the server answers; it may be nil.
func open(t *testing.T, args any, change func(result mcp.Result, err error) (mcp.Result, error)) *mcpappstest.Page {
	t.Helper()
	s := newServer(newSampler(readMetrics))
	if change != nil {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				result, err := next(ctx, method, req)
				if method == "tools/call" {
					return change(result, err)
				}
				return result, err
			}
		})
	}
	return mcpappstest.Open(t, s, "show_monitor", args, &mcpappstest.PageOptions{Width: 1000, Theme: host.ThemeLight, Timeout: time.Minute})
}

// samples returns how many calls of sample_metrics the view has made.
func samples(page *mcpappstest.Page) (n int) {
	for _, c := range page.Calls() {
		if c.Tool == "sample_metrics" {
			n++
		}
	}
	return n
}

// The view draws what the tools return, asks each second, and stops while it is paused.
func TestLiveView(t *testing.T) {
	t.Parallel()
	page := open(t, ShowInput{Seconds: 60}, nil)
	state := page.Locator("#state")
	state.WaitText("Live")
	page.Locator("#window").WaitText("Last 1 min, each second")
	assert.Regexp(t, `^[\d.]+ [kMG]B$`, page.Locator("#heap .now").Text())
	require.Eventually(t, func() bool { return samples(page) >= 3 }, time.Minute, 50*time.Millisecond)
	for _, chart := range []string{"heap", "goroutines", "latency"} {
		length, _ := page.Locator("#" + chart + " path.line").Nth(0).Eval("(path) => path.getTotalLength()").(float64)
		assert.Greater(t, length, 10.0, "%s: the length of the line, in pixels", chart)
	}
	assert.Empty(t, page.Accessibility())

	page.ByRole("button", "Pause").Click()
	state.WaitText("Paused")
	page.WaitCall("sample_metrics")
	count, sample := samples(page), page.Locator("#sample").Text()
	time.Sleep(1200 * time.Millisecond) // a live view asks a second after the last answer
	assert.Equal(t, count, samples(page))
	page.ByRole("button", "Refresh").Click()
	page.WaitCall("sample_metrics")
	assert.Equal(t, count+1, samples(page))
	require.Eventually(t, func() bool { return page.Locator("#sample").Text() != sample }, time.Minute, 50*time.Millisecond)
	page.ByRole("button", "Resume").Click()
	state.WaitText("Live")
	followContext(t, page)

	page.Close()
	count = samples(page)
	time.Sleep(1200 * time.Millisecond)
	assert.Equal(t, count, samples(page), "a closed view asks for nothing")
}

// followContext shows that the view has the host's theme, and its style variables, and
// fits a narrow frame.
func followContext(t *testing.T, page *mcpappstest.Page) {
	t.Helper()
	background := func() (color string) {
		page.Eval("getComputedStyle(document.body).backgroundColor", &color)
		return color
	}
	light := background()
	page.SetTheme(host.ThemeDark)
	assert.NotEqual(t, light, background())
	c := page.Bridge().Context()
	c.Styles = &host.Styles{Variables: map[string]string{"--color-background-primary": "rgb(16, 20, 24)"}}
	require.NoError(t, page.Bridge().SetContext(c))
	require.NoError(t, page.Bridge().Ping(t.Context()))
	assert.Equal(t, "rgb(16, 20, 24)", background())

	var size struct{ Height, Overflow float64 }
	const measure = `({ height: document.querySelector("main").offsetHeight, overflow: document.documentElement.scrollWidth - innerWidth })`
	page.Eval(measure, &size)
	wide := size.Height
	page.SetSize(320, 600)
	page.Eval(measure, &size)
	assert.Greater(t, size.Height, wide, "a narrow frame shows the charts below each other")
	assert.Zero(t, size.Overflow)
}

// The view says what failed, and shows what it has. CI opens it without a result in a host
// that never passes structured content; ci/full adds one whose first result is empty.
func TestViewOfFailures(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	t.Run("the tool", func(t *testing.T) {
		t.Parallel()
		page := open(t, ShowInput{Seconds: 1}, nil)
		page.Locator("#state").WaitText("Failed")
		page.Locator("#notice").WaitText("seconds")
	})
	t.Run("its calls are refused", func(t *testing.T) {
		t.Parallel()
		var calls atomic.Int32
		var deny atomic.Bool
		deny.Store(true)
		page := open(t, nil, func(result mcp.Result, err error) (mcp.Result, error) {
			if calls.Add(1) > 1 && deny.Load() {
				return nil, errors.New("not allowed by policy")
			}
			return result, err
		})
		page.Locator("#notice").WaitText("did not carry out sample_metrics: not allowed by policy")
		page.Locator("#state").WaitText("Stale")
		deny.Store(false)
		page.ByRole("button", "Refresh").Click()
		page.Locator("#state").WaitText("Live")
		page.WaitCall("sample_metrics")
		page.ByText("not allowed by policy").WaitGone()
	})
	for name, strip := range map[string]func(r *mcp.CallToolResult, call int32){
		"the result is empty": func(r *mcp.CallToolResult, call int32) {
			if call == 1 {
				*r = mcp.CallToolResult{Content: []mcp.Content{}}
			}
		},
		"the result has text alone, and no other has structured content": func(r *mcp.CallToolResult, call int32) {
			if r.StructuredContent = nil; call == 1 {
				r.Meta = nil
			}
		},
	} {
		if name == "the result is empty" && !testenv.Full() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			page := open(t, ShowInput{Seconds: 60}, func(result mcp.Result, err error) (mcp.Result, error) {
				if r, ok := result.(*mcp.CallToolResult); ok {
					stripped := *r
					strip(&stripped, calls.Add(1))
					return &stripped, err
				}
				return result, err
			})
			assert.JSONEq(t, `{"seconds":60}`, string(page.WaitCall("show_monitor_data").Arguments))
			page.Locator("#state").WaitText("Live")
			page.Locator("#heap .now").WaitText("B")
			page.WaitCall("view_state")
		})
	}
	t.Run("the window is refused at first", func(t *testing.T) {
		t.Parallel()
		var calls atomic.Int32
		page := open(t, nil, func(result mcp.Result, err error) (mcp.Result, error) {
			switch calls.Add(1) {
			case 1:
				stripped := *result.(*mcp.CallToolResult)
				stripped.Meta = nil
				return &stripped, err
			case 2:
				return nil, errors.New("not now")
			}
			return result, err
		})
		page.Locator("#state").WaitText("Live")
		require.Eventually(t, func() bool {
			tools := []string{}
			for _, c := range page.Calls() {
				tools = append(tools, c.Tool)
			}
			return len(tools) > 2 && slices.Equal(tools[:3], []string{"show_monitor_data", "sample_metrics", "show_monitor_data"})
		}, time.Minute, 50*time.Millisecond)
		page.ByText("not now").WaitGone()
	})
}

// A view that is opened again, or another of the same user, is paused if the last one
// was, has the samples of its window, and takes no new ones until it is resumed. Then it
// fetches its window again if it has missed samples.
func TestPausedViewStaysPaused(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	clock := &testClock{}
	clock.heap = 1 << 20
	s := newServer(clock.sampler())
	show := func() *mcpappstest.Page {
		return mcpappstest.Open(t, s, "show_monitor", nil, &mcpappstest.PageOptions{Timeout: time.Minute})
	}
	page := show()
	page.Locator("#state").WaitText("Live")
	page.ByRole("button", "Pause").Click()
	page.Locator("#state").WaitText("Paused")
	require.Eventually(t, func() bool {
		save := page.WaitCall("view_state")
		return !save.Result.IsError && strings.Contains(string(save.Arguments), `"paused":true`)
	}, time.Minute, 50*time.Millisecond)
	page.Close()

	page = show()
	page.Locator("#state").WaitText("Paused")
	assert.Regexp(t, `^[\d.]+ [kMG]B$`, page.Locator("#heap .now").Text())
	for range 3 * liveSamples {
		clock.advance(time.Second)
	}
	for _, c := range page.Calls() {
		assert.Equal(t, "view_state", c.Tool)
	}
	page.ByRole("button", "Resume").Click()
	page.Locator("#state").WaitText("Live")
	page.WaitCall("sample_metrics")
	page.WaitCall("show_monitor_data")
	page.Locator("#sample").WaitText("Sample 16")
	length, _ := page.Locator("#heap path.line").Nth(0).Eval("(path) => path.getTotalLength()").(float64)
	assert.Greater(t, length, 10.0, "the line goes back to the first sample")
}
