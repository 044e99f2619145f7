package mcpapps

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func testServer(opts *Options) (*mcp.Server, *server) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	return s, enable("test", s, opts)
}

// Middleware of the program before Enable is noticed.
func TestIsUntouched(t *testing.T) {
	_, sv := testServer(&Options{VersionedURIs: true})
	assert.True(t, sv.versions.direct)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(ctx, method, req)
		}
	})
	assert.False(t, enable("test", s, &Options{VersionedURIs: true}).versions.direct)
}

// A document that is removed or replaced is forgotten.
func TestRemovedDocumentsAreForgotten(t *testing.T) {
	s, sv := testServer(&Options{VersionedURIs: true})
	known := func() int {
		sv.versions.mu.Lock()
		defer sv.versions.mu.Unlock()
		return len(sv.versions.documents)
	}
	register := func(uri string) {
		RegisterAppResource(s, &mcp.Resource{URI: uri}, ResourceUIMetadata{}, HTML("<p>"))
	}
	register("ui://a")
	register("ui://a")
	register("ui://b")
	s.RemoveResources("ui://b")
	eventually(t, "the removed one is forgotten", func() bool { return known() == 1 })
	s.AddResource(&mcp.Resource{URI: "ui://a", Name: "a", MIMEType: MIMEType}, HTML("<p>"))
	eventually(t, "the replaced one is forgotten", func() bool { return known() == 0 })
}

// A function that is called directly does not hold up a list either.
func TestListsDoNotWaitForFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, sv := testServer(&Options{VersionedURIs: true})
		release := make(chan struct{})
		list := &mcp.ListResourcesResult{}
		var calls atomic.Int32
		add := func(uri string, f func(context.Context) error) {
			r, doc := appResource("test", &mcp.Resource{URI: uri}, ResourceUIMetadata{}, HTMLFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
				return "<p>", f(ctx)
			}))
			addResource("test", s, r, doc)
			list.Resources = append(list.Resources, r)
		}
		add("ui://stuck", func(context.Context) error { calls.Add(1); <-release; return nil })
		add("ui://waits", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		add("ui://z", func(context.Context) error { return nil })
		for range 2 {
			begin := time.Now()
			got := sv.versions.resources(t.Context(), nil, &mcp.ListResourcesRequest{}, list).(*mcp.ListResourcesResult).Resources
			assert.LessOrEqual(t, time.Since(begin), sv.versions.limits.all)
			require.Len(t, got, 3)
			assert.Same(t, list.Resources[0], got[0])
			assert.Same(t, list.Resources[1], got[1])
			assert.Contains(t, got[2].URI, "?v=")
		}
		assert.EqualValues(t, 1, calls.Load(), "a call that goes on is not made again")
		close(release)
		synctest.Wait()
		runtime.KeepAlive(s)
	})
}
