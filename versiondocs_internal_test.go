package mcpapps

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func testServer(opts *Options) (*mcp.Server, *server) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	return s, enable("test", s, opts)
}

// Handlers of this package are recognized, and others are not called for it.
func TestHTMLHandlerOf(t *testing.T) {
	f := func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "<p>", nil }
	for name, h := range map[string]mcp.ResourceHandler{
		"HTML": HTML("<p>"), "HTMLFunc": HTMLFunc(f), "HTMLFile": HTMLFile(fstest.MapFS{}, "a.html"),
	} {
		got := htmlHandlerOf(h)
		require.NotNil(t, got, name)
		assert.Equal(t, name == "HTML", got.unchanging, name)
	}
	inner := HTML("<p>")
	assert.Nil(t, htmlHandlerOf(func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		t.Error("called")
		return inner(ctx, req)
	}))
	assert.Nil(t, htmlHandlerOf((&document{read: inner}).serve))
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
	s, sv := testServer(&Options{VersionedURIs: true})
	sv.versions.limits = readLimits{each: 100 * time.Millisecond, all: 200 * time.Millisecond, atOnce: 4}
	release := make(chan struct{})
	defer close(release)
	for uri, f := range map[string]func(context.Context) error{
		"ui://stuck": func(context.Context) error { <-release; return nil },
		"ui://waits": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"ui://z":     func(context.Context) error { return nil },
	} {
		RegisterAppResource(s, &mcp.Resource{URI: uri}, ResourceUIMetadata{}, HTMLFunc(func(ctx context.Context, _ *mcp.ReadResourceRequest) (string, error) {
			return "<p>", f(ctx)
		}))
	}
	ct, st := mcp.NewInMemoryTransports()
	_, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	defer cs.Close()
	for range 2 {
		list, err := cs.ListResources(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, list.Resources, 3)
		assert.Equal(t, "ui://stuck", list.Resources[0].URI)
		assert.Equal(t, "ui://waits", list.Resources[1].URI)
		assert.Contains(t, list.Resources[2].URI, "?v=")
	}
}
