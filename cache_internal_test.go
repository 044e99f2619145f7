package mcpapps

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func entries() int {
	servers.Lock()
	defer servers.Unlock()
	return len(servers.m)
}

func encodings() (n int) {
	schemaJSON.Range(func(any, any) bool { n++; return true })
	return n
}

// eventually collects garbage until the condition holds, because cleanups run
// some time after the collection that finds them.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: still not so after two minutes of collecting", what)
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
}

// TestServersLeaveNothing creates, uses and drops 5,000 servers (100,000 in ci/full),
// as stateless deployments do. No entry, no encoding and no memory remains.
func TestServersLeaveNothing(t *testing.T) {
	total := 5_000
	if testenv.Full() {
		total = 100_000
	}
	impl := &mcp.Implementation{Name: "s", Version: "1"}
	resource := &mcp.Resource{URI: "ui://s/view.html"}
	doc := HTML("<p>")
	use := func(connect bool) {
		s := mcp.NewServer(impl, nil)
		RegisterAppResource(s, resource, ResourceUIMetadata{CSP: &CSP{}}, doc)
		// Each with a schema of its own, as without a SchemaCache.
		tool := &mcp.Tool{Name: "t", InputSchema: &jsonschema.Schema{Type: "object"}}
		if !connect {
			list := enable("test", s, nil).middleware(func(context.Context, string, mcp.Request) (mcp.Result, error) {
				return &mcp.ListToolsResult{Tools: []*mcp.Tool{tool}}, nil
			})
			_, err := list(t.Context(), "tools/list", nil)
			require.NoError(t, err)
			return
		}
		RegisterRawAppTool(s, tool, AppOnly(""), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
		ct, st := mcp.NewInMemoryTransports()
		ss, err := s.Connect(t.Context(), st, nil)
		require.NoError(t, err)
		cs, err := mcp.NewClient(impl, nil).Connect(t.Context(), ct, nil)
		require.NoError(t, err)
		_, err = cs.ListTools(t.Context(), nil)
		require.NoError(t, err)
		_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: resource.URI})
		require.NoError(t, err)
		require.NoError(t, cs.Close())
		require.NoError(t, ss.Wait())
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	run := func(n int) {
		for i := range n {
			use(i%100 == 0)
		}
	}

	var left int // what tests before this one still hold
	runtime.GC()
	left = entries() + encodings()
	forgotten := func() bool { return entries()+encodings() <= left }
	run(1000)
	eventually(t, "the first servers are forgotten", forgotten)
	before := heap()
	run(total)
	eventually(t, "all servers are forgotten", forgotten)
	// The tables keep some of their capacity. An entry for each server would be
	// ten times this.
	eventually(t, "the heap is as it was", func() bool { return heap() < before+2<<20 })
}

// TestServerInUseStays: the state of a server is kept as long as anything refers
// to the server.
func TestServerInUseStays(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	Enable(s, &Options{OmitLegacyURI: true})
	for range 3 {
		runtime.GC()
	}
	assert.True(t, enable("test", s, nil).opts.OmitLegacyURI)
}

// TestEnableOnce: many concurrent calls install the middleware once.
func TestEnableOnce(t *testing.T) {
	for range 50 {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		found := make([]*server, 64)
		var wg sync.WaitGroup
		for i := range found {
			wg.Go(func() { found[i] = enable("test", s, nil) })
		}
		wg.Wait()
		for _, sv := range found {
			require.Same(t, found[0], sv)
		}
	}
}

// TestEnableOfOneServer: while one server produces a list, registrations on it and
// on other servers do not wait.
func TestEnableOfOneServer(t *testing.T) {
	listing, release := make(chan struct{}), make(chan struct{})
	impl := &mcp.Implementation{Name: "s", Version: "1"}
	busy := mcp.NewServer(impl, &mcp.ServerOptions{SetCacheable: func(_ context.Context, req mcp.Request, _ *mcp.Cacheable) {
		if _, ok := req.(*mcp.ListToolsRequest); ok { // under the server's lock
			close(listing)
			<-release
		}
	}})
	ct, st := mcp.NewInMemoryTransports()
	_, err := busy.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(impl, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	defer cs.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := cs.ListTools(t.Context(), nil)
		assert.NoError(t, err)
	})
	<-listing
	wg.Go(func() { Enable(busy, nil) }) // waits for the list
	time.Sleep(20 * time.Millisecond)
	done := make(chan struct{})
	go func() {
		Enable(mcp.NewServer(impl, nil), nil)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("another server waits for the busy one")
	}
	close(release)
	wg.Wait()
}

// TestEncodedSchema: a value that is not a schema, or can't be encoded, is left to
// the SDK.
func TestEncodedSchema(t *testing.T) {
	for _, v := range []any{
		nil,
		(*jsonschema.Schema)(nil),
		map[string]any{"type": "object"},
		&jsonschema.Schema{Type: "object", Extra: map[string]any{"x": func() {}}},
		&jsonschema.Schema{Type: "object", Types: []string{"null"}},
	} {
		got := encodedSchema(v)
		assert.Equal(t, fmt.Sprintf("%T %p", v, v), fmt.Sprintf("%T %p", got, got))
	}
	s := &jsonschema.Schema{Type: "object"}
	key := weak.Make(s)
	assert.JSONEq(t, `{"type":"object"}`, fmt.Sprintf("%s", encodedSchema(s)))
	raw, ok := schemaJSON.Load(key)
	require.True(t, ok)
	assert.Len(t, raw, cap(raw.(json.RawMessage)), "middleware that appends would write to it")
	runtime.KeepAlive(s)
	eventually(t, "the encoding goes with its schema", func() bool {
		_, ok := schemaJSON.Load(key)
		return !ok
	})
	// A schema that the program itself holds is never collected.
	for range 2 {
		assert.JSONEq(t, `{"type":"object"}`, fmt.Sprintf("%s", encodedSchema(packageSchema)))
		runtime.GC()
	}
}

// packageSchema lies in the program's data, where the collector does not look.
var packageSchema = &jsonschema.Schema{Type: "object"}
