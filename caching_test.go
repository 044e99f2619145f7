package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// caching is what a result says about caches.
type caching struct {
	TTLMs      *int
	CacheScope string
}

func (c caching) String() string {
	if c.TTLMs == nil {
		return "no ttlMs"
	}
	return fmt.Sprint(*c.TTLMs, " ", c.CacheScope)
}

func readCaching(t *testing.T, c *rawClient, uri string) string {
	t.Helper()
	var got caching
	require.NoError(t, json.Unmarshal([]byte(c.result("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))), &got))
	return got.String()
}

// Documents that can't change may be kept an hour by anybody. Those of functions may be
// another client's, and files may change.
func TestCachingOfDocuments(t *testing.T) {
	file := fstest.MapFS{"a.html": {Data: []byte("<p>")}}
	dynamic := func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "<p>", nil }
	chosen := func(c mcp.Cacheable) mcp.ResourceHandler {
		return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Cacheable: c, Contents: []*mcp.ResourceContents{{Text: "<p>"}}}, nil
		}
	}
	handlers := map[string]struct {
		h    mcp.ResourceHandler
		want string
	}{
		"html":     {mcpapps.HTML("<p>"), "3600000 public"},
		"embedded": {mcpapps.HTMLFile(embedded, "go.mod"), "3600000 public"},
		"file":     {mcpapps.HTMLFile(file, "a.html"), "0 public"},
		"func":     {mcpapps.HTMLFunc(dynamic), "0 private"},
		"handler":  {chosen(mcp.Cacheable{}), "0 public"},
		"author":   {chosen(mcp.Cacheable{TTLMs: 7, CacheScope: "private"}), "7 private"},
		"domain":   {mcpapps.DomainFunc(mcpapps.HTML("<p>"), none), "3600000 private"},
	}
	for _, opts := range []mcpapps.Options{{}, {VersionedURIs: true}, {PlainReadResults: true}} {
		s := newServer()
		mcpapps.Enable(s, &opts)
		for name, tt := range handlers {
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/" + name}, mcpapps.ResourceUIMetadata{}, tt.h)
		}
		mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://t/{x}"}, "ui://t", mcpapps.ResourceUIMetadata{},
			mcpapps.HTMLTemplateFunc(func(context.Context, *mcp.ReadResourceRequest, map[string]string) (string, error) { return "<p>", nil }))
		for _, version := range mcp.SupportedProtocolVersions() {
			c := connectRaw(t, s, version, capsUI)
			for name, tt := range handlers {
				want := tt.want
				if version < "2026-07-28" && name != "author" {
					want = "0 public" // the SDK's, for clients that don't know the field
				}
				assert.Equal(t, want, readCaching(t, c, "ui://a/"+name), "%+v %s %s", opts, version, name)
			}
			if version >= "2026-07-28" {
				assert.Equal(t, "0 private", readCaching(t, c, "ui://t/7"), version)
				assert.Equal(t, "0 private", readCaching(t, c, "ui://t"), version)
			}
		}
		if opts.VersionedURIs {
			c := connectRaw(t, s, "2026-07-28", capsUI)
			for _, uri := range resourceURIs(t, c) {
				name, version, _ := strings.Cut(strings.TrimPrefix(uri, "ui://a/"), "?v=")
				require.NotEmpty(t, version, uri)
				if tt, ok := handlers[name]; ok {
					assert.Equal(t, tt.want, readCaching(t, c, uri), uri)
				}
			}
		}
	}
}

// The author's SetCacheable and middleware have the last word, on lists too.
func TestCachingIsTheAuthors(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{
		SetCacheable: func(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
			if r, ok := req.(*mcp.ReadResourceRequest); ok && r.Params.URI == "ui://a/set" {
				assert.Equal(t, 3600000, c.TTLMs, "it sees the default")
				*c = mcp.Cacheable{TTLMs: 5, CacheScope: "private"}
			}
		},
	})
	for _, name := range []string{"set", "middleware"} {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/" + name}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>"))
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := req.(*mcp.ReadResourceRequest); ok && r.Params.URI == "ui://a/middleware" {
				res.(*mcp.ReadResourceResult).TTLMs = 6
			}
			return res, err
		}
	})
	c := connectRaw(t, s, "2026-07-28", capsUI)
	assert.Equal(t, "5 private", readCaching(t, c, "ui://a/set"))
	assert.Equal(t, "6 public", readCaching(t, c, "ui://a/middleware"))
	var list caching
	require.NoError(t, json.Unmarshal([]byte(c.result("resources/list", `{}`)), &list))
	assert.Equal(t, "0 public", list.String(), "nothing is invented for lists")
}

// What was read with a token is not for caches that several users share, as in HTTP.
func TestCachingBehindBearer(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>"))
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: "u", Expiration: time.Now().Add(time.Hour)}, nil
	}
	web := httptest.NewServer(auth.RequireBearerToken(verify, nil)(statelessHandler(func() *mcp.Server { return s })))
	defer web.Close()
	cs, err := mcp.NewClient(costInfo, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: web.URL, HTTPClient: &http.Client{Transport: withHeader{"Authorization", "Bearer t"}},
	}, nil)
	require.NoError(t, err)
	defer cs.Close()
	res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://a/html"})
	require.NoError(t, err)
	assert.Equal(t, mcp.Cacheable{TTLMs: 3600000, CacheScope: "private"}, res.Cacheable)
}
