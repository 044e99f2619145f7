package forge

import (
	"context"
	"math"
	"net/http"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// bareServer does what NewServer does for a request that asks for all tools, with
// metadata written by hand.
func bareServer(c Config) *mcp.Server {
	opts := &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}}
	opts.Capabilities.AddExtension(mcpapps.ExtensionID, map[string]any{"mimeTypes": []string{mcpapps.MIMEType}})
	s := mcp.NewServer(&mcp.Implementation{Name: "forge", Version: "1.0.0"}, opts)
	for _, name := range views {
		ui := map[string]any{"csp": map[string]any{"resourceDomains": []string{"https://avatars.forge.example"}}, "prefersBorder": true}
		s.AddResource(&mcp.Resource{URI: uri(name), Name: name, MIMEType: mcpapps.MIMEType, Meta: mcp.Meta{"ui": ui}},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return nil, nil })
	}
	for i := range registry {
		t := &registry[i]
		if t.Insiders {
			continue
		}
		decl := t.Tool
		if !c.ShareSchemas {
			decl.InputSchema = decl.InputSchema.(*jsonschema.Schema).CloneSchemas()
		}
		if ui := t.UI; ui.ResourceURI != "" {
			visibility := []string{"model", "app"}
			if t.appOnly() {
				visibility = []string{"app"}
			}
			decl.Meta = mcp.Meta{
				"ui":                         map[string]any{"resourceUri": ui.ResourceURI, "visibility": visibility},
				mcpapps.LegacyResourceURIKey: ui.ResourceURI,
			}
		}
		s.AddTool(&decl, t.Call)
	}
	return s
}

func bareHandler(c Config) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return bareServer(c) },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// TestCostServerForEachRequest: a list of 66 tools from a server made for the
// request, compared with the bare SDK. A schema that was cloned for the server is
// never in the cache of encoded schemas, so KeepSchemas is cheaper then, and sharing
// the schemas is cheapest.
func TestCostServerForEachRequest(t *testing.T) {
	testenv.Measure(t)
	header := http.Header{"Forge-Toolsets": {"all"}, "Forge-User": {"ada"}}
	for _, tt := range []struct {
		name          string
		config        Config
		allocs, bytes float64 // at most, times the bare SDK's
	}{
		{"cloned schemas", Config{Views: complete, Options: &mcpapps.Options{}}, 1.1, 1.05},
		{"cloned schemas, KeepSchemas", Config{Views: complete, Options: &mcpapps.Options{KeepSchemas: true}}, 1.03, 1.02},
		{"shared schemas", Config{Views: complete, ShareSchemas: true, Options: &mcpapps.Options{}}, 0.8, 0.95},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hb, ho := bareHandler(tt.config), Handler(tt.config)
			ask := func(h http.Handler) string { return post(t, h, clients[0], modern, header, 1, tools) }
			require.Equal(t, ask(hb), ask(ho), "the bytes differ")
			bare, ours := costOf(func() { ask(hb) }), costOf(func() { ask(ho) })
			t.Logf("bare %.0f allocations and %.0f bytes, ours %.2f and %.2f times that", bare.allocs, bare.bytes, ours.allocs/bare.allocs, ours.bytes/bare.bytes)
			assert.LessOrEqual(t, ours.allocs, bare.allocs*tt.allocs, "allocations")
			assert.LessOrEqual(t, ours.bytes, bare.bytes*tt.bytes, "bytes")
		})
	}
}

// A cost is what one run of a function allocates.
type cost struct{ allocs, bytes float64 }

// costOf returns the lower of two rounds, because the runtime itself allocates
// occasionally. It turns garbage collection off meanwhile, which empties pools.
func costOf(f func()) cost {
	const runs = 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	best := cost{math.Inf(1), math.Inf(1)}
	for range 2 {
		runtime.GC()
		f() // fills the pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			f()
		}
		runtime.ReadMemStats(&after)
		best.allocs = min(best.allocs, float64(after.Mallocs-before.Mallocs)/runs)
		best.bytes = min(best.bytes, float64(after.TotalAlloc-before.TotalAlloc)/runs)
	}
	return best
}
