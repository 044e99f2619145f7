package mcpapps_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// passOn is middleware that changes nothing, but could.
func passOn(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		return next(ctx, method, req)
	}
}

func textOf(text string) mcp.ResourceHandler {
	return mcpapps.HTMLFunc(func(context.Context, *mcp.ReadResourceRequest) (string, error) { return text, nil })
}

// bothLists returns the one URI that tools and resources are listed with.
func bothLists(t *testing.T, c *rawClient) string {
	t.Helper()
	uris := resourceURIs(t, c)
	if len(uris) == 0 {
		uris = []string{toolURIs(t, c)["show"][0].(string)}
	}
	require.Len(t, uris, 1)
	assert.Equal(t, [2]any{uris[0], uris[0]}, toolURIs(t, c)["show"])
	return uris[0]
}

// A document that is called directly has the version that a read of it has, which
// instances of a server compute with and without middleware.
func TestVersionIsTheSameWithMiddleware(t *testing.T) {
	for name, doc := range map[string]mcp.ResourceHandler{
		"HTML":     mcpapps.HTML("<p>a"),
		"HTMLFile": mcpapps.HTMLFile(embeddedFiles, "README.md"),
		"HTMLFunc": textOf("<p>a"),
	} {
		for _, ui := range []mcpapps.ResourceUIMetadata{{}, {CSP: &mcpapps.CSP{ConnectDomains: []string{"https://a.example"}}}} {
			var uris []string
			for _, before := range []bool{false, true} {
				s := newServer()
				if before {
					s.AddReceivingMiddleware(passOn)
				}
				mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
				mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a"}, UI: ui, Document: doc}, say("shown"))
				c := connectRaw(t, s, "2025-11-25", capsUI)
				for range 3 {
					uris = append(uris, bothLists(t, c))
				}
			}
			for _, uri := range uris {
				assert.Regexp(t, `^ui://a\?v=[0-9a-f]{12}$`, uri, name)
				assert.Equal(t, uris[0], uri, name)
			}
		}
	}
}

// A registration replaces the one before it in the next list, whoever makes it.
func TestVersionFollowsTheRegistration(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	tool := func(description string) {
		mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show", Description: description}, mcpapps.ToolUIMetadata{ResourceURI: "ui://a"}, say("shown"))
	}
	tool("1")
	c := connectRaw(t, s, "2025-11-25", capsUI)
	seen := map[string]bool{}
	look := func(text string) {
		t.Helper()
		for range 2 {
			uri := bothLists(t, c)
			assert.Regexp(t, `^ui://a\?v=[0-9a-f]{12}$`, uri)
			assert.Equal(t, text, readResult(t, c, uri)[0]["text"])
			seen[uri] = true
		}
	}
	register := func(h mcp.ResourceHandler) {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, mcpapps.ResourceUIMetadata{}, h)
	}
	register(mcpapps.HTML("<p>1"))
	look("<p>1")
	register(mcpapps.HTML("<p>2"))
	look("<p>2")
	// By the SDK alone, of whose registration this package does not know.
	s.AddResource(&mcp.Resource{URI: "ui://a", Name: "a", MIMEType: mcpapps.MIMEType}, mcpapps.HTML("<p>3"))
	look("<p>3")
	register(textOf("<p>4"))
	look("<p>4")
	register(func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "<p>5"}}}, nil
	})
	look("<p>5")
	assert.Len(t, seen, 5)

	s.RemoveResources("ui://a")
	assert.Equal(t, "ui://a", bothLists(t, c), "what can't be read has no version")
	register(mcpapps.HTML("<p>1"))
	look("<p>1")
	assert.Len(t, seen, 5, "the same document has the same version")

	tool("2") // is listed as it is now
	look("<p>1")
	assert.Contains(t, c.result("tools/list", `{}`), `"description":"2"`)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show"}, mcpapps.ToolUIMetadata{ResourceURI: "ui://b"}, say("shown"))
	assert.Equal(t, "ui://b", toolURIs(t, c)["show"][0])
}

// Clients that read different documents have different versions, from a handler and
// from middleware before Enable, and none gets one of another client.
func TestVersionsOfClientsThatReadDifferently(t *testing.T) {
	isUI := func(ctx context.Context, req mcp.Request) bool {
		return mcpapps.ClientSupport(ctx, req) == mcpapps.SupportUI
	}
	for name, add := range map[string]func(s *mcp.Server) (doc mcp.ResourceHandler){
		"handler": func(*mcp.Server) mcp.ResourceHandler {
			return mcpapps.HTMLFunc(func(ctx context.Context, req *mcp.ReadResourceRequest) (string, error) {
				if !isUI(ctx, req) {
					return "", errors.New("not for you")
				}
				return "<p>secret", nil
			})
		},
		"middleware": func(s *mcp.Server) mcp.ResourceHandler {
			s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					if method == "resources/read" && !isUI(ctx, req) {
						return nil, errors.New("not for you")
					}
					return next(ctx, method, req)
				}
			})
			return mcpapps.HTML("<p>secret")
		},
	} {
		s := newServer()
		doc := add(s)
		mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
		mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a"}, Document: doc}, say("shown"))
		for _, version := range mcp.SupportedProtocolVersions() {
			may, mayNot := connectRaw(t, s, version, capsUI), connectRaw(t, s, version, capsText)
			for range 2 {
				assert.Regexp(t, `\?v=`, bothLists(t, may), "%s %s", name, version)
				assert.Equal(t, "ui://a", bothLists(t, mayNot), "%s %s", name, version)
			}
		}
	}
}

// Lists call the documents of this package without reads through the SDK, on each
// page, and each call has a request of its own.
func TestListsCallDocuments(t *testing.T) {
	var reads, calls atomic.Int32
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ServerOptions{
		PageSize: 3,
		SetCacheable: func(_ context.Context, req mcp.Request, _ *mcp.Cacheable) {
			if _, ok := req.(*mcp.ReadResourceRequest); ok {
				reads.Add(1)
			}
		},
	})
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	const n = 7
	for i := range n {
		uri := fmt.Sprintf("ui://%d", n-i) // in another order than the tools
		mcpapps.RegisterApp(s, &mcp.Tool{Name: fmt.Sprint(i)}, mcpapps.View{Resource: mcp.Resource{URI: uri},
			Document: mcpapps.HTMLFunc(func(_ context.Context, req *mcp.ReadResourceRequest) (string, error) {
				calls.Add(1)
				assert.Equal(t, uri, req.Params.URI)
				assert.Equal(t, "v", req.Params.Meta["k"])
				assert.NotContains(t, req.Params.Meta, "progressToken")
				assert.NotContains(t, req.Params.Meta, "mine")
				req.Params.Meta["mine"] = uri
				return "<p>", nil
			})}, say("shown"))
	}
	c := connectRaw(t, s, "2025-11-25", capsUI)
	for _, method := range []string{"tools/list", "resources/list"} {
		calls.Store(0)
		cursor, entries := "", 0
		for {
			var page struct {
				listing
				NextCursor string
			}
			params := `{"_meta":{"k":"v","progressToken":"p"}}`
			if cursor != "" {
				params = fmt.Sprintf(`{"_meta":{"k":"v","progressToken":"p"},"cursor":%q}`, cursor)
			}
			require.NoError(t, json.Unmarshal([]byte(c.result(method, params)), &page))
			for _, tool := range page.Tools {
				assert.Contains(t, tool.Meta["ui/resourceUri"], "?v=")
			}
			for _, r := range page.Resources {
				assert.Contains(t, r.URI, "?v=")
			}
			entries += len(page.Tools) + len(page.Resources)
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		assert.Equal(t, n, entries)
		assert.EqualValues(t, n, calls.Load(), "each list calls a document once")
	}
	assert.Zero(t, reads.Load())
}
