package check_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// script returns JavaScript of about n bytes, as a minifier writes it, another
// one for each seed.
func script(seed, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `function f%[1]d_%[2]d(e,t){let n=e.items.filter(e=>e.id!==t.id&&e.kind===%[2]d);for(let r=0;r<n.length;r++){let{name:i,value:a=%[1]d}=n[r];if(a>t.limit)return{ok:!1,reason:"over "+i,rows:n.map((e,t)=>({...e,index:t,label:`+"`${e.name} ${t}`"+`}))}}return t.next?f%[1]d_%[2]d(e,t.next):document.createElement("div").append(n.length)}`, seed, i)
	}
	return b.String()
}

// manyApps is a server with 100 apps of 200 kB, each with a tool that opens it.
func manyApps() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "many", Version: "1"}, nil)
	for i := range 100 {
		doc := "<!doctype html><title>App</title><div id=root></div><script type=module>" + script(i, 199_000) + "</script>"
		mcpapps.RegisterApp(s, &mcp.Tool{Name: fmt.Sprintf("tool%d", i)},
			mcpapps.View{Resource: mcp.Resource{URI: fmt.Sprintf("ui://many/%d.html", i)}, Document: mcpapps.HTML(doc)},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "shown"}}}, nil, nil
			})
	}
	return s
}

// TestCostManyApps checks 100 apps of 200 kB in one process: under 200 MB, and under
// 2 seconds of two cores, which is 4 of processor time whatever else the machine
// does; on a slow one, under three times what the SDK takes to read them.
func TestCostManyApps(t *testing.T) {
	testenv.Measure(t)
	s := manyApps()
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	peak, stop := watchHeap()
	start, cpu := time.Now(), cputime.Used()
	r, err := check.Server(t.Context(), s, nil)
	took := time.Since(start)
	cpu = cputime.Used() - cpu
	stop()
	require.NoError(t, err)
	require.Equal(t, 100, r.Apps)
	require.Zero(t, r.Count(check.SeverityError)+r.Count(check.SeverityWarning), "%v", r.Findings)
	most := 4 * time.Second
	if cpu > most {
		most = max(most, 3*readAll(t, s))
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	t.Logf("%v, %v of processor time of %v, %d MB allocated, %d MB at most at once, of which %d are the server's", took, cpu, most, (after.TotalAlloc-before.TotalAlloc)>>20, *peak>>20, before.HeapAlloc>>20)
	if *peak > 200<<20 {
		t.Errorf("%d MB of heap, more than 200", *peak>>20)
	}
	if cpu > most {
		t.Errorf("%v of processor time, more than %v", cpu, most)
	}
}

// readAll reads each app once, with the SDK alone, and returns the processor
// time that it took.
func readAll(t *testing.T, s *mcp.Server) time.Duration {
	near, far := mcp.NewInMemoryTransports()
	_, err := s.Connect(t.Context(), far, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), near, nil)
	require.NoError(t, err)
	defer cs.Close()
	cpu := cputime.Used()
	for i := range 100 {
		_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: fmt.Sprintf("ui://many/%d.html", i)})
		require.NoError(t, err)
	}
	return cputime.Used() - cpu
}

// watchHeap returns the largest heap that is seen until stop.
func watchHeap() (peak *uint64, stop func()) {
	peak = new(uint64)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapAlloc)
			select {
			case <-quit:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(quit); <-done }
}

func BenchmarkManyApps(b *testing.B) {
	s := manyApps()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := check.Server(b.Context(), s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
