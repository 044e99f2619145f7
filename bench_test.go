package mcpapps_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// The benchmarks named Cost run the same work on the bare SDK and on this package
// alternately, so that a slow moment of the machine affects both. They report
// both rates and, as "x", our rate divided by the bare SDK's; "cpu-x" is the same
// ratio by CPU time, which other processes affect less.

// Over loopback the client is in the same process and costs the same for both;
// the handler alone is the cost of the server.
func BenchmarkCostListTools(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			bare, ours := bareCost(nil, n, false), oursCost(nil, n, false)
			b.Run("loopback", func(b *testing.B) { inTurns(b, overHTTP(b, bare, listTools), overHTTP(b, ours, listTools)) })
			b.Run("handler", func(b *testing.B) { inTurns(b, handled(bare, listTools), handled(ours, listTools)) })
		})
	}
}

// PlainReadResults against the bare SDK, and this package without the option.
func BenchmarkCostRead(b *testing.B) {
	docs := documents(b)
	for _, name := range []string{"bundle", "markup"} {
		doc := docs[name]
		bare, ours, plain := readServers(doc)
		line := readLine("ui://cost/view.html")
		b.Run(name+"/plain", func(b *testing.B) { inTurns(b, handled(bare, line), handled(plain, line)) })
		b.Run(name+"/default", func(b *testing.B) { inTurns(b, handled(bare, line), handled(ours, line)) })
	}
}

func BenchmarkCostRegister(b *testing.B) {
	for _, cached := range []bool{false, true} {
		opts := &mcp.ServerOptions{}
		if cached {
			opts.SchemaCache = mcp.NewSchemaCache()
		}
		b.Run(fmt.Sprintf("1000 tools/SchemaCache=%t", cached), func(b *testing.B) {
			inTurns(b, func() { bareCost(opts, 1000, false) }, func() { oursCost(opts, 1000, false) })
		})
		b.Run(fmt.Sprintf("server per request/SchemaCache=%t", cached), func(b *testing.B) {
			hb := statelessHandler(func() *mcp.Server { return bareCost(opts, 40, true) })
			ho := statelessHandler(func() *mcp.Server { return oursCost(opts, 40, true) })
			inTurns(b, func() { discard(hb, listTools) }, func() { discard(ho, listTools) })
		})
	}
}

func BenchmarkClientSupport(b *testing.B) {
	for _, c := range []wireClient{{"2025-11-25", true}, {modern, true}} {
		ctx, req := capturedRequest(b, c)
		b.Run(c.version, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mcpapps.ClientSupport(ctx, req)
			}
		})
	}
}

// inTurns runs each side for b.N turns of several tenths of a second, and reports
// the rates. It collects garbage before each turn.
func inTurns(b *testing.B, bare, ours func()) {
	b.Helper()
	bare() // what is done once: a connection, a list that is sorted, an encoding
	ours()
	var tb, to turns
	b.ResetTimer()
	for range b.N {
		tb.take(bare)
		to.take(ours)
	}
	b.ReportMetric(0, "ns/op") // both together say nothing
	b.ReportMetric(tb.rate(tb.clock), "bare/s")
	b.ReportMetric(to.rate(to.clock), "ours/s")
	b.ReportMetric(to.rate(to.clock)/tb.rate(tb.clock), "x")
	if to.cpu > 0 {
		b.ReportMetric(to.rate(to.cpu)/tb.rate(tb.cpu), "cpu-x")
	}
}

// turns counts what one side has done.
type turns struct {
	done       int
	clock, cpu time.Duration
}

func (t *turns) take(f func()) {
	runtime.GC()
	start, cpu := time.Now(), cputime.Used()
	for time.Since(start) < 300*time.Millisecond {
		f()
		t.done++
	}
	t.clock += time.Since(start)
	t.cpu += cputime.Used() - cpu
}

func (t *turns) rate(d time.Duration) float64 { return float64(t.done) / d.Seconds() }

// handled calls the streamable HTTP handler of a server, without a network.
func handled(s *mcp.Server, line string) func() {
	h := statelessHandler(func() *mcp.Server { return s })
	return func() { discard(h, line) }
}

// overHTTP calls a stateless server on loopback, which answers with JSON.
func overHTTP(b *testing.B, s *mcp.Server, line string) func() {
	srv := httptest.NewServer(statelessHandler(func() *mcp.Server { return s }))
	b.Cleanup(srv.Close)
	return func() {
		resp, err := srv.Client().Do(askRequest(srv.URL, line))
		require.NoError(b, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(b, err)
		resp.Body.Close()
		require.Equal(b, http.StatusOK, resp.StatusCode)
	}
}
