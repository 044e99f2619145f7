package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byName is a domain for each client, by the name that it gives itself.
func byName(_ context.Context, req *mcp.ReadResourceRequest) string {
	if info, ok := req.Params.Meta["io.modelcontextprotocol/clientInfo"].(map[string]any); ok {
		return fmt.Sprint(info["name"]) + ".example.com"
	}
	if init := req.Session.InitializeParams(); init != nil && init.ClientInfo != nil {
		return init.ClientInfo.Name + ".example.com"
	}
	return ""
}

func none(context.Context, *mcp.ReadResourceRequest) string { return "" }

func readMeta(t *testing.T, c *rawClient, uri string) string {
	t.Helper()
	return jsonOf(t, readResult(t, c, uri)[0]["_meta"])
}

func TestDomainFunc(t *testing.T) {
	border := true
	ui := mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}, PrefersBorder: &border, Domain: "declared.example.com"}
	own := contents(&mcp.ResourceContents{Text: "<p>", Meta: mcp.Meta{"com.example/x": 1, "ui": map[string]any{"prefersBorder": false, "later": 7}}})
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, versioned := range []bool{false, true} {
			s := newServer()
			mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: versioned})
			register := func(name string, ui mcpapps.ResourceUIMetadata, h mcp.ResourceHandler) {
				mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/" + name}, ui, h)
			}
			register("html", ui, mcpapps.DomainFunc(mcpapps.HTML("<p>"), byName))
			register("none", ui, mcpapps.DomainFunc(mcpapps.HTML("<p>"), none))
			register("own", ui, mcpapps.DomainFunc(own, byName))
			register("zero", mcpapps.ResourceUIMetadata{}, mcpapps.DomainFunc(mcpapps.HTML("<p>"), none))
			register("only", mcpapps.ResourceUIMetadata{Domain: "declared.example.com"}, mcpapps.DomainFunc(mcpapps.HTML("<p>"), none))
			template := mcpapps.HTMLTemplateFunc(func(_ context.Context, _ *mcp.ReadResourceRequest, vars map[string]string) (string, error) {
				return "<p>" + vars["x"], nil
			})
			mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://t/{x}"}, "ui://t", ui,
				func(ctx context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (*mcp.ReadResourceResult, error) {
					return mcpapps.DomainFunc(func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
						return template(ctx, req, vars)
					}, byName)(ctx, req)
				})
			c := connectRaw(t, s, version, capsUI)
			const (
				csp  = `"csp":{"connectDomains":["https://api.example.com"]}`
				full = `{"ui":{` + csp + `,"prefersBorder":true,"domain":"raw.example.com"}}`
			)
			for uri, want := range map[string]string{
				"ui://a/html": full, "ui://t": full, "ui://t/7": full,
				"ui://a/none": `{"ui":{` + csp + `,"prefersBorder":true}}`,
				"ui://a/own":  `{"com.example/x":1,"ui":{"prefersBorder":false,"later":7,"domain":"raw.example.com"}}`,
				"ui://a/zero": `null`,
				"ui://a/only": `{"ui":{}}`,
			} {
				assert.JSONEq(t, want, readMeta(t, c, uri), "%s %s", version, uri)
			}
			if versioned {
				for _, uri := range resourceURIs(t, c) {
					require.Regexp(t, `\?v=`, uri)
					assert.NotContains(t, readMeta(t, c, uri), "declared.example.com", uri)
				}
			}
		}
	}
}

// A domain is for one client, and so is the document then.
func TestDomainFuncIsPrivate(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/b"}, mcpapps.ResourceUIMetadata{}, mcpapps.DomainFunc(mcpapps.HTML("<p>"), byName))
	var got struct{ CacheScope string }
	require.NoError(t, json.Unmarshal([]byte(connectRaw(t, s, "2026-07-28", capsUI).result("resources/read", `{"uri":"ui://a/b"}`)), &got))
	assert.Equal(t, "private", got.CacheScope)
}

func TestDomainFuncMistakes(t *testing.T) {
	s := newServer()
	bad := mcpapps.DomainFunc(mcpapps.HTML("<p>"), func(context.Context, *mcp.ReadResourceRequest) string { return "a b" })
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/b"}, mcpapps.ResourceUIMetadata{}, bad)
	s.AddResource(&mcp.Resource{URI: "ui://a/c", Name: "c"}, mcpapps.DomainFunc(mcpapps.HTML("<p>"), none))
	odd := contents(&mcp.ResourceContents{Text: "<p>", Meta: mcp.Meta{"ui": map[string]any{"domain": 7}}})
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a/d"}, mcpapps.ResourceUIMetadata{}, mcpapps.DomainFunc(odd, none))
	for _, version := range mcp.SupportedProtocolVersions() {
		c := connectRaw(t, s, version, capsUI)
		assert.Contains(t, c.fail("resources/read", `{"uri":"ui://a/b"}`).Message, `mcpapps.DomainFunc: domain "a b" has a space`)
		assert.Contains(t, c.fail("resources/read", `{"uri":"ui://a/c"}`).Message, `mcpapps.DomainFunc: "ui://a/c" is not an app that this package registered`)
		assert.Contains(t, c.fail("resources/read", `{"uri":"ui://a/d"}`).Message, `mcpapps.DomainFunc: `)
	}
	assert.Panics(t, func() { mcpapps.DomainFunc(nil, none) })
	assert.Panics(t, func() { mcpapps.DomainFunc(mcpapps.HTML("<p>"), nil) })
}
