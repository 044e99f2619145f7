package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// shown has the texts of the monitor's view.
type shown struct {
	State, Process, Sample, Window, Notice string
	Heap, Goroutines, Pauses, Latency      string
}

// monitorReport is the report of driver/monitor.mjs.
type monitorReport struct {
	ProtocolVersion string
	Capabilities    struct{ Extensions map[string]any }
	ModelTools      []string
	Methods         [][2]string
	Drawn           map[string]float64

	Initial, Paused, Refreshed shown
	CallsWhilePaused           int
	RefreshCalls               []struct {
		Name      string
		Arguments map[string]any
	}
	Picture, ChartPicture string

	NoticeAfterForgery string
	Wide, Narrow       struct{ Frame, Content, Overflow float64 }
	SizesWhileIdle     int

	CallsWhileHidden, CallsAfterTeardown, SnapshotCalls int
	Closed, Snapshot, TextSnapshot, Refused             shown
	RefusedMethods                                      []string
	Ping, Teardown                                      map[string]any
	Errors                                              []string
}

// The monitor in the reference host. What does not depend on the host is tested beside
// the monitor. ci/full adds pictures for people.
func TestMonitor(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Browser)
	url := Start(t, Build(t, "examples/monitor"), "-addr", "127.0.0.1:0")
	var r monitorReport
	Drive(t, "monitor.mjs", map[string]any{"url": url, "name": "monitor", "pictures": testenv.Full()}, &r)
	assert.Equal(t, "2025-11-25", r.ProtocolVersion)
	assertMonitor(t, &r)

	t.Run("order", func(t *testing.T) {
		// The host sends nothing before the view is initialized, then the input, then
		// the result.
		want := [][2]string{
			{"view", "ui/notifications/sandbox-proxy-ready"},
			{"host", "ui/notifications/sandbox-resource-ready"},
			{"view", "ui/initialize"},
			{"host", "response"},
			{"view", "ui/notifications/initialized"},
			{"host", "ui/notifications/tool-input"},
			{"host", "ui/notifications/tool-result"},
		}
		fromView := slices.IndexFunc(r.Methods, func(m [2]string) bool { return m[1] == "ui/notifications/size-changed" })
		assert.Positive(t, fromView, "the view reports its size")
		handshake := slices.DeleteFunc(slices.Clone(r.Methods), func(m [2]string) bool { return m[1] == "ui/notifications/size-changed" })
		require.GreaterOrEqual(t, len(handshake), len(want))
		assert.Equal(t, want, handshake[:len(want)])
	})
	t.Run("forged messages", func(t *testing.T) {
		assert.Empty(t, r.NoticeAfterForgery, "the view ignores messages of other windows than its parent")
	})
	t.Run("size", func(t *testing.T) {
		for name, size := range map[string]struct{ Frame, Content, Overflow float64 }{"wide": r.Wide, "narrow": r.Narrow} {
			assert.Equal(t, size.Content, size.Frame, "%s: the frame has the height that the view reported", name)
			assert.Zero(t, size.Overflow, "%s: nothing is wider than the frame", name)
		}
		assert.Greater(t, r.Narrow.Frame, r.Wide.Frame, "a narrow frame shows the charts below each other")
		assert.Zero(t, r.SizesWhileIdle, "an idle view reports no sizes")
	})
	t.Run("a hidden view", func(t *testing.T) {
		assert.Zero(t, r.CallsWhileHidden, "it calls no tools")
	})
	t.Run("host lets views call no tools", func(t *testing.T) {
		assert.Equal(t, "Snapshot", r.Snapshot.State)
		assert.Contains(t, r.Snapshot.Notice, "does not let views call tools")
		assert.NotEqual(t, "–", r.Snapshot.Heap, "the view still shows the result of its call")
		assert.Zero(t, r.SnapshotCalls)
	})
	t.Run("host passes the text alone, and lets views call no tools", func(t *testing.T) {
		assert.Regexp(t, `Now: heap .* of a .* goal, \d+ goroutines`, r.TextSnapshot.Process, "the text of show_monitor")
	})
	t.Run("host refuses the view", func(t *testing.T) {
		assert.Contains(t, r.Refused.Notice, "The host refused this view: app.connect() failed: this host knows no such version")
		assert.NotContains(t, r.RefusedMethods, "ui/notifications/initialized", "the view takes the error for a result")
	})
	t.Run("ping and teardown", func(t *testing.T) {
		assert.NotNil(t, r.Ping)
		assert.NotNil(t, r.Teardown)
		assert.Equal(t, "Closed", r.Closed.State)
		assert.Zero(t, r.CallsAfterTeardown)
	})
}

// The same without sessions, with a client that declares its capabilities in each
// request. ci/full adds an older client, whose version [TestMonitor] has with sessions.
func TestMonitorStateless(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Browser)
	url := Start(t, Build(t, "examples/monitor"), "-addr", "127.0.0.1:0", "-stateless")
	versions := []string{"2026-07-28"}
	runs := []map[string]any{{"name": "monitor-stateless-2026-07-28", "versionNegotiation": map[string]any{"mode": map[string]any{"pin": "2026-07-28"}}}}
	if testenv.Full() {
		versions = append(versions, "2025-11-25")
		runs = append(runs, map[string]any{"name": "monitor-stateless-2025-11-25"})
	}
	var reports []monitorReport
	Drive(t, "monitor.mjs", map[string]any{"url": url, "runs": runs}, &reports)
	require.Len(t, reports, len(runs))
	for i, version := range versions {
		t.Run(version, func(t *testing.T) {
			assert.Equal(t, version, reports[i].ProtocolVersion)
			assertMonitor(t, &reports[i])
		})
	}
}

// assertMonitor checks what is the same with and without sessions: the view
// initializes, gets its input and result, draws, and Refresh shows new figures.
func assertMonitor(t *testing.T, r *monitorReport) {
	t.Helper()
	assert.Equal(t, map[string]any{"mimeTypes": []any{"text/html;profile=mcp-app"}}, r.Capabilities.Extensions["io.modelcontextprotocol/ui"])
	assert.Equal(t, []string{"show_monitor"}, r.ModelTools, "the other tools are for views")
	assert.Empty(t, r.Errors, "errors in the browser, violations of the policy included")

	assert.Equal(t, "Live", r.Initial.State)
	assert.Empty(t, r.Initial.Notice)
	assert.Contains(t, r.Initial.Window, "Last 1\u00a0min", "from the tool's input")
	assert.Regexp(t, `^pid.\d+ · go1\.`, r.Initial.Process, "from the tool's result")
	assert.Regexp(t, `^[\d.]+ [kMG]B$`, r.Initial.Heap)
	assert.Regexp(t, `^\d+$`, r.Initial.Goroutines)
	for _, chart := range []string{"heap", "goroutines", "latency"} {
		assert.Greater(t, r.Drawn[chart], 10.0, "%s: the length of the lines, in pixels", chart)
	}
	assert.Greater(t, Ink(t, r.ChartPicture), 0.02, "the chart of the heap is blank")
	assert.Greater(t, Ink(t, r.Picture), 0.02, "the view is blank")

	assert.Equal(t, "Paused", r.Paused.State)
	assert.Zero(t, r.CallsWhilePaused)
	require.NotEmpty(t, r.RefreshCalls)
	assert.Equal(t, "sample_metrics", r.RefreshCalls[0].Name)
	for _, c := range r.RefreshCalls[1:] { // what a pause as long as a slow machine's has missed
		assert.Equal(t, "show_monitor_data", c.Name)
	}
	assert.NotEqual(t, r.Paused.Sample, r.Refreshed.Sample)
	assert.NotEqual(t, r.Paused.Process, r.Refreshed.Process, "the process is older now")
	assert.NotEqual(t, [3]string{r.Paused.Heap, r.Paused.Goroutines, r.Paused.Latency}, [3]string{r.Refreshed.Heap, r.Refreshed.Goroutines, r.Refreshed.Latency}, "Refresh brings new figures")
}
