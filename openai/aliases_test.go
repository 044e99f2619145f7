package openai_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

const capsUI = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// newAliased returns a server with an app that only views may call, one that only the model
// may, and a tool without an app.
func newAliased(opts *mcpapps.Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	if opts != nil {
		mcpapps.Enable(s, opts)
	}
	openai.EnableAliases(s)
	border := false
	view := boardView
	view.UI.PrefersBorder = &border
	visible := func(audience string) mcp.Meta {
		return mcp.Meta{"ui": map[string]any{"visibility": []string{audience}}}
	}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "both"}, view, say[struct{}]("a"))
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "app", Meta: visible("app")}, view, say[struct{}]("a"))
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "model", Meta: visible("model")}, view, say[struct{}]("a"))
	own := visible("app")
	own["openai/visibility"], own["openai/widgetAccessible"] = "public", false
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "own", Meta: own}, view, say[struct{}]("a"))
	mcp.AddTool(s, &mcp.Tool{Name: "plain", Meta: mcp.Meta{"example.com/a": 1}}, say[struct{}]("a"))

	bare := mcpapps.View{Resource: mcp.Resource{URI: "ui://notes/bare"}, Document: mcpapps.HTML("<p>a")}
	mcpapps.RegisterAppResource(s, &bare.Resource, bare.UI, bare.Document)
	redirects := openai.View(mcpapps.View{Resource: mcp.Resource{URI: "ui://notes/redirects"}, UI: view.UI, Document: view.Document},
		openai.ViewUI{RedirectDomains: []string{"https://example.com"}})
	mcpapps.RegisterAppResource(s, &redirects.Resource, redirects.UI, redirects.Document)
	s.AddResource(&mcp.Resource{URI: "file:///a", Name: "a"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "file:///a", Text: "a", Meta: mcp.Meta{"ui": map[string]any{"domain": "a"}}}}}, nil
	})
	return s
}

// metas returns the _meta of each entry of a list or of a read, by name or URI.
func metas(t *testing.T, result string) map[string]map[string]any {
	t.Helper()
	type entry struct {
		Name, URI string
		Meta      map[string]any `json:"_meta"`
	}
	var list struct{ Tools, Resources, Contents []entry }
	require.NoError(t, json.Unmarshal([]byte(result), &list))
	all := make(map[string]map[string]any)
	for _, e := range list.Tools {
		all[e.Name] = e.Meta
	}
	for _, e := range append(list.Resources, list.Contents...) {
		all[e.URI] = e.Meta
	}
	return all
}

// openAIKeys returns the keys of a _meta that begin with "openai/".
func openAIKeys(meta map[string]any) map[string]any {
	keys := make(map[string]any)
	for k, v := range meta {
		if strings.HasPrefix(k, "openai/") {
			keys[k] = v
		}
	}
	return keys
}

const widgetCSP = `{"openai/widgetCSP":{"connect_domains":["https://api.example.com"],"resource_domains":[],"frame_domains":[]},"openai/widgetDomain":"notes.example.com","openai/widgetPrefersBorder":false}`

// TestAliases: the older keys, over each transport.
func TestAliases(t *testing.T) {
	rawclient.Each(t, newAliased(nil), rawclient.Config{}, func(t *testing.T, c *rawclient.Client) {
		tools := metas(t, c.Result(t, "tools/list", `{}`))
		for name, want := range map[string]string{
			"both":  `{"openai/outputTemplate":"ui://notes/board","openai/widgetAccessible":true}`,
			"app":   `{"openai/outputTemplate":"ui://notes/board","openai/widgetAccessible":true,"openai/visibility":"private"}`,
			"model": `{"openai/outputTemplate":"ui://notes/board"}`,
			"own":   `{"openai/outputTemplate":"ui://notes/board","openai/widgetAccessible":false,"openai/visibility":"public"}`,
			"plain": `{}`,
		} {
			assert.Equal(t, decode(t, want), openAIKeys(tools[name]), name)
		}
		for uri, want := range map[string]string{
			"ui://notes/board":     widgetCSP,
			"ui://notes/bare":      `{}`,
			"ui://notes/redirects": strings.Replace(widgetCSP, `"frame_domains":[]`, `"frame_domains":[],"redirect_domains":["https://example.com"]`, 1),
			"file:///a":            `{}`,
		} {
			read := metas(t, c.Result(t, "resources/read", `{"uri":"`+uri+`"}`))
			assert.Equal(t, decode(t, want), openAIKeys(read[uri]), uri)
		}
	})
}

// TestAliasesOptions: the older keys follow the options of the server.
func TestAliasesOptions(t *testing.T) {
	connect := func(opts mcpapps.Options, caps string) *rawclient.Client {
		return rawclient.Memory(t, newAliased(&opts), rawclient.Config{Capabilities: caps})
	}
	t.Run("VersionedURIs", func(t *testing.T) {
		s := newAliased(&mcpapps.Options{VersionedURIs: true})
		for _, version := range []string{rawclient.Older, rawclient.Modern} {
			c := rawclient.Memory(t, s, rawclient.Config{Version: version})
			for range 2 { // the second list is from a cache
				tools := metas(t, c.Result(t, "tools/list", `{}`))
				for _, name := range []string{"both", "app", "model", "own"} {
					uri := tools[name]["ui"].(map[string]any)["resourceUri"]
					assert.Regexp(t, `^ui://notes/board\?v=[0-9a-f]{12}$`, uri)
					assert.Equal(t, uri, tools[name]["openai/outputTemplate"], name)
				}
				uri := tools["both"]["openai/outputTemplate"].(string)
				read := metas(t, c.Result(t, "resources/read", `{"uri":"`+uri+`"}`))
				assert.Equal(t, decode(t, widgetCSP), openAIKeys(read[uri]))
			}
		}
	})
	t.Run("DisableApps", func(t *testing.T) {
		list := connect(mcpapps.Options{DisableApps: true}, capsUI).Result(t, "tools/list", `{}`)
		for name, meta := range metas(t, list) {
			assert.NotContains(t, meta, "openai/outputTemplate", name)
		}
		c := rawclient.Memory(t, newDeclared(&mcpapps.Options{DisableApps: true}, true), rawclient.Config{})
		assert.NotContains(t, c.Result(t, "tools/list", `{}`), "openai/ui", "an entrypoint would open a tool without a view")
	})
	t.Run("StripUIForText", func(t *testing.T) {
		opts := mcpapps.Options{StripUIForText: true}
		assert.Empty(t, openAIKeys(metas(t, connect(opts, `{}`).Result(t, "tools/list", `{}`))["both"]))
		assert.Len(t, openAIKeys(metas(t, connect(opts, capsUI).Result(t, "tools/list", `{}`))["both"]), 2)
	})
	t.Run("OmitLegacyURI", func(t *testing.T) {
		both := metas(t, connect(mcpapps.Options{OmitLegacyURI: true}, capsUI).Result(t, "tools/list", `{}`))["both"]
		assert.NotContains(t, both, mcpapps.LegacyResourceURIKey)
		assert.Equal(t, "ui://notes/board", both["openai/outputTemplate"])
	})
	t.Run("UnlistResources", func(t *testing.T) {
		c := connect(mcpapps.Options{UnlistResources: true}, capsUI)
		assert.NotContains(t, metas(t, c.Result(t, "resources/list", `{}`)), "ui://notes/board")
		assert.Equal(t, decode(t, widgetCSP), openAIKeys(metas(t, c.Result(t, "resources/read", `{"uri":"ui://notes/board"}`))["ui://notes/board"]))
	})
	t.Run("PlainReadResults", func(t *testing.T) {
		var reads [2]string
		for i, plain := range []bool{false, true} {
			reads[i] = connect(mcpapps.Options{PlainReadResults: plain}, capsUI).Result(t, "resources/read", `{"uri":"ui://notes/board"}`)
		}
		assert.Contains(t, reads[0], "openai/widgetCSP")
		assert.JSONEq(t, reads[0], reads[1])
	})
}

// TestAliasesCopy: the keys of one list stay out of what the server keeps.
func TestAliasesCopy(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "board"}, boardView, say[struct{}]("a"))
	var kept []mcp.Meta
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			switch r := res.(type) {
			case *mcp.ListToolsResult:
				kept = append(kept, r.Tools[0].Meta)
			case *mcp.ReadResourceResult:
				kept = append(kept, r.Contents[0].Meta)
			}
			return res, err
		}
	})
	openai.EnableAliases(s)
	openai.EnableAliases(s) // again, for nothing
	c := rawclient.Memory(t, s, rawclient.Config{})
	assert.Contains(t, c.Result(t, "tools/list", `{}`), "openai/outputTemplate")
	assert.Contains(t, c.Result(t, "resources/read", `{"uri":"ui://notes/board"}`), "openai/widgetCSP")
	require.Len(t, kept, 2)
	for _, meta := range kept {
		assert.Empty(t, openAIKeys(meta))
	}
}

// TestAliasesOrder: options that come after EnableAliases would not reach its keys.
func TestAliasesOrder(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	openai.EnableAliases(s)
	assert.Panics(t, func() { mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true}) })
	assert.PanicsWithValue(t, "openai.EnableAliases: the server is nil", func() { openai.EnableAliases(nil) })
}

// TestAliasesTwice: another call for the same server does nothing, so that middleware that
// was added after the first one has the last word.
func TestAliasesTwice(t *testing.T) {
	s := newAliased(nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				for _, tool := range list.Tools {
					delete(tool.Meta, "openai/outputTemplate")
				}
			}
			return res, err
		}
	})
	openai.EnableAliases(s)
	result := rawclient.Memory(t, s, rawclient.Config{}).Result(t, "tools/list", `{}`)
	assert.Contains(t, result, "openai/widgetAccessible")
	assert.NotContains(t, result, "openai/outputTemplate")
}
