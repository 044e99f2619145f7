package host

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A countingView checks that each response arrives once and in order.
type countingView struct {
	received   int64
	unexpected atomic.Int64
}

func (v *countingView) Send(msg json.RawMessage) error {
	v.received++
	if want := `{"jsonrpc":"2.0","id":` + strconv.FormatInt(v.received, 10) + `,"result":{}}`; string(msg) != want {
		v.unexpected.Add(1)
	}
	return nil
}

// Each of 1000 views sends 100 messages per second, which the default limits allow
// and which the bridge answers itself. No response is lost or reordered.
func TestLoadThousandBridges(t *testing.T) {
	const views, rate = 1000, 100
	seconds := 1
	if testenv.Full() {
		seconds = 10
	}
	before := runtime.NumGoroutine()
	s, err := Connect(t.Context(), Target{Server: testServer()}, nil)
	require.NoError(t, err)
	bridges := make([]*Bridge, views)
	counters := make([]*countingView, views)

	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	for i := range bridges {
		bridges[i], err = s.NewBridge(t.Context(), nil)
		require.NoError(t, err)
		counters[i] = &countingView{}
		bridges[i].Attach(counters[i])
	}
	runtime.GC()
	runtime.ReadMemStats(&m1)
	perBridge := (m1.HeapAlloc + m1.StackInuse - m0.HeapAlloc - min(m0.StackInuse, m1.StackInuse)) / views
	t.Logf("%d bytes per idle bridge", perBridge)
	assert.Less(t, perBridge, uint64(64<<10))

	start, cpu := time.Now(), cputime.Used()
	sent := 0
	for tick := range seconds * 10 { // the messages of 0.1 s at a time
		for n := range rate / 10 {
			msg := json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, tick*rate/10+n+1))
			for _, b := range bridges {
				b.Receive(msg)
			}
			sent += views
		}
		if next := start.Add(time.Duration(tick+1) * 100 * time.Millisecond); time.Until(next) > 0 {
			time.Sleep(time.Until(next))
		}
	}
	took, used := time.Since(start), cputime.Used()-cpu
	t.Logf("%d messages in %v, %v of CPU time: %.2f cores, %.1f µs per message", sent, took, used, used.Seconds()/float64(seconds), used.Seconds()*1e6/float64(sent))
	for i, c := range counters {
		require.EqualValues(t, seconds*rate, c.received, "view %d", i)
		require.Zero(t, c.unexpected.Load(), "view %d", i)
	}
	if testenv.Full() {
		assert.Less(t, used.Seconds(), float64(seconds), "more than one core, including the test itself")
	}
	require.NoError(t, s.Close())
	for _, b := range bridges {
		<-b.Done()
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines are left:\n%s", goroutineStacks())
}

// echoTransport connects to a server that takes almost no CPU time, so that the
// test measures only the forwarding of calls and results.
func echoTransport(context.Context) (mcp.Transport, error) {
	near, _ := rawServer(`[{"name":"echo","inputSchema":{"type":"object"}}]`)
	return near, nil
}

func TestLoadForwardedCalls(t *testing.T) {
	calls := 1000
	if testenv.Full() {
		calls = 40000
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
	})
	for _, tc := range []struct {
		name, version string
		target        Target
	}{
		{"to a server without the SDK", "", Target{Transport: echoTransport}},
		{"to the SDK's server, 2025-11-25", "2025-11-25", Target{Server: server}},
		// In this version the server decodes the client's capabilities from each request.
		{"to the SDK's server, 2026-07-28", "2026-07-28", Target{Server: server}},
	} {
		s, err := Connect(t.Context(), tc.target, &ConnectOptions{ProtocolVersion: tc.version})
		require.NoError(t, err)
		const views = 8
		var wg sync.WaitGroup
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		start, cpu := time.Now(), cputime.Used()
		for range views {
			b, err := s.NewBridge(t.Context(), &BridgeOptions{Limits: Limits{Rate: 1 << 20, Burst: 1 << 20}})
			require.NoError(t, err)
			answers := make(chan struct{}, 64)
			b.Attach(TransportFunc(func(msg json.RawMessage) error { answers <- struct{}{}; return nil }))
			wg.Go(func() {
				open := 0
				for i := range calls / views {
					b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo"}}`, i)))
					if open++; open == 16 {
						<-answers
						open--
					}
				}
				for range open {
					<-answers
				}
			})
		}
		wg.Wait()
		perSecond := float64(calls) / time.Since(start).Seconds()
		micros := (cputime.Used() - cpu).Seconds() * 1e6 / float64(calls)
		runtime.ReadMemStats(&m1)
		bytes := (m1.TotalAlloc - m0.TotalAlloc) / uint64(calls)
		t.Logf("%s: %.0f forwarded calls per second, %.0f µs of CPU time and %d bytes allocated per call, including the server's", tc.name, perSecond, micros, bytes)
		if tc.target.Server == nil {
			// The SDK's decoder allocates at least 32 KiB: results must bypass it.
			assert.Less(t, bytes, uint64(16<<10))
			if testenv.Full() {
				assert.Less(t, micros, 200.0)
			}
		}
		s.Close()
	}
}

// goroutineStacks returns the stack traces of all goroutines.
func goroutineStacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}
