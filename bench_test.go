package mcpapps_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

// The benchmarks named Cost do the same with the bare SDK and with this package
// in one run, in turns, so that a slow moment of the machine falls on both. They
// report the rate of each and, as "x", how many times the bare SDK's rate ours
// is.

func BenchmarkCostListTools(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			bare, ours := bareCost(nil, n, false), oursCost(nil, n, false)
			inTurns(b, overHTTP(b, bare, listTools), overHTTP(b, ours, listTools))
		})
	}
}

// PlainReadResults against the bare SDK, and this package without the option.
func BenchmarkCostRead(b *testing.B) {
	for name, doc := range documents(b) {
		bare, ours, plain := readServers(doc)
		line := readLine("ui://cost/view.html")
		b.Run(name+"/plain", func(b *testing.B) {
			inTurns(b, overHTTP(b, bare, line), overHTTP(b, plain, line))
		})
		b.Run(name+"/default", func(b *testing.B) {
			inTurns(b, overHTTP(b, bare, line), overHTTP(b, ours, line))
		})
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

// inTurns runs both b.N times, in blocks, and reports the rates.
func inTurns(b *testing.B, bare, ours func()) {
	b.Helper()
	bare() // what is done once: a connection, a list that is sorted, an encoding
	ours()
	const block = 8
	var tb, to time.Duration
	b.ResetTimer()
	for done := 0; done < b.N; done += block {
		n := min(block, b.N-done)
		tb += times(n, bare)
		to += times(n, ours)
	}
	b.ReportMetric(0, "ns/op") // both together say nothing
	b.ReportMetric(float64(b.N)/tb.Seconds(), "bare/s")
	b.ReportMetric(float64(b.N)/to.Seconds(), "ours/s")
	b.ReportMetric(tb.Seconds()/to.Seconds(), "x")
}

func times(n int, f func()) time.Duration {
	start := time.Now()
	for range n {
		f()
	}
	return time.Since(start)
}

// overHTTP asks a server on loopback, statelessly and for JSON.
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
