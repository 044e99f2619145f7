package mcpapps_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// toolURIs returns the URI of each tool under its two keys, as listed.
func toolURIs(t *testing.T, c *rawClient) map[string][2]any {
	t.Helper()
	uris := map[string][2]any{}
	for _, tool := range list(t, c, "tools/list").Tools {
		ui, _ := tool.Meta["ui"].(map[string]any)
		uris[tool.Name] = [2]any{ui["resourceUri"], tool.Meta["ui/resourceUri"]}
	}
	return uris
}

func resourceURIs(t *testing.T, c *rawClient) (uris []string) {
	t.Helper()
	for _, r := range list(t, c, "resources/list").Resources {
		uris = append(uris, r.URI)
	}
	return uris
}

func readResult(t *testing.T, c *rawClient, uri string) (contents []map[string]any) {
	t.Helper()
	var res struct{ Contents []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(c.result("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))), &res))
	return res.Contents
}

func TestVersionedURIs(t *testing.T) {
	// SHA-256 of the lengths, the document and its metadata. They are the same in
	// every process, so instances behind one address agree.
	const view, shell = "ui://a/view.html?v=deb6c8c26d9c", "ui://t?v=b0388baf1ff5"
	for _, plain := range []bool{false, true} {
		s := optionServer(&mcpapps.Options{VersionedURIs: true, PlainReadResults: plain})
		for _, version := range mcp.SupportedProtocolVersions() {
			c := connectRaw(t, s, version, capsUI)
			both := [2]any{view, view}
			assert.Equal(t, map[string][2]any{"own": both, "show": both, "poll": {}, "plain": {}}, toolURIs(t, c), version)
			assert.Equal(t, []string{"file:///readme", view, shell}, resourceURIs(t, c), version)
			for _, uri := range []string{view, "ui://a/view.html", "ui://a/view.html?v=000000000000"} {
				assert.Equal(t, []map[string]any{{"uri": uri, "mimeType": mcpapps.MIMEType, "text": "<p>hello"}}, readResult(t, c, uri), version)
			}
			assert.Equal(t, "ui://t/1", readResult(t, c, "ui://t/1")[0]["uri"])
		}
	}
	// Without the option, versions are not found.
	c := connectRaw(t, optionServer(nil), "2025-11-25", capsUI)
	assert.Equal(t, []string{"file:///readme", "ui://a/view.html", "ui://t"}, resourceURIs(t, c))
	assert.Contains(t, c.fail("resources/read", `{"uri":"`+view+`"}`).Error(), "not found")
}

// The version changes with what hosts cache: the document and its metadata.
func TestVersionFollowsTheDocument(t *testing.T) {
	files := fstest.MapFS{"view.html": {Data: []byte("<p>1")}}
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	register := func(ui mcpapps.ResourceUIMetadata) {
		mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://a/view?lang=en"}, UI: ui, Document: mcpapps.HTMLFile(files, "view.html")}, say("shown"))
	}
	register(mcpapps.ResourceUIMetadata{})
	c := connectRaw(t, s, "2025-11-25", capsUI)
	seen := map[any]bool{}
	look := func(text string) {
		t.Helper()
		uri := toolURIs(t, c)["show"][0]
		assert.Regexp(t, `^ui://a/view\?lang=en&v=[0-9a-f]{12}$`, uri)
		assert.Equal(t, []string{uri.(string)}, resourceURIs(t, c))
		assert.False(t, seen[uri], uri)
		seen[uri] = true
		for old := range seen { // the document of now, under the URI that was asked for
			item := readResult(t, c, old.(string))[0]
			assert.Equal(t, text, item["text"])
			assert.Equal(t, old, item["uri"])
		}
	}
	look("<p>1")
	files["view.html"] = &fstest.MapFile{Data: []byte("<p>2")}
	look("<p>2")
	register(mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://a.example"}}})
	look("<p>2")

	delete(files, "view.html")
	assert.Equal(t, [2]any{"ui://a/view?lang=en", "ui://a/view?lang=en"}, toolURIs(t, c)["show"], "what can't be read has no version")
	assert.Equal(t, []string{"ui://a/view?lang=en"}, resourceURIs(t, c))
}

// A URI of an author's that looks versioned is found, and errors are those of the
// document.
func TestVersionsOfAuthors(t *testing.T) {
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	const own = "ui://own/view.html?v=0123456789ab"
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: own}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>own"))
	fail := func(context.Context, *mcp.ReadResourceRequest) (string, error) { return "", errors.New("out of ink") }
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://bad"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFunc(fail))
	c := connectRaw(t, s, "2025-11-25", capsUI)
	assert.Equal(t, []string{"ui://bad", own}, resourceURIs(t, c))
	assert.Equal(t, "<p>own", readResult(t, c, own)[0]["text"])
	assert.Contains(t, c.fail("resources/read", `{"uri":"ui://bad?v=0123456789ab"}`).Error(), "out of ink")
	// It is not hidden by a resource at the URI without the version, whoever adds it.
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://own/view.html"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>other"))
	assert.Equal(t, "<p>own", readResult(t, c, own)[0]["text"])
	assert.Equal(t, "<p>other", readResult(t, c, "ui://own/view.html?v=000000000000")[0]["text"])
	const added = "ui://bad?v=abcdefabcdef"
	s.AddResource(&mcp.Resource{URI: added, Name: "added", MIMEType: mcpapps.MIMEType}, mcpapps.HTML("<p>added"))
	resourceURIs(t, c)
	assert.Equal(t, "<p>added", readResult(t, c, added)[0]["text"], "hosts read what was listed")
	assert.JSONEq(t, `{"uri":"ui://none?v=0123456789ab"}`, string(c.fail("resources/read", `{"uri":"ui://none?v=0123456789ab"}`).Data), "not found is what was asked for")
}

// The reads for a list are made on behalf of the client that requested it.
func TestVersionsAreReadAsTheClient(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		for caps, want := range map[string]mcpapps.Support{capsUI: mcpapps.SupportUI, capsText: mcpapps.SupportNone} {
			s := newServer()
			mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
			var got []mcpapps.Support
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://a"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFunc(func(ctx context.Context, req *mcp.ReadResourceRequest) (string, error) {
				assert.NotNil(t, req.Session)
				got = append(got, mcpapps.ClientSupport(ctx, req))
				return "<p>a", nil
			}))
			for _, name := range []string{"a", "b"} {
				mcpapps.RegisterAppTool(s, &mcp.Tool{Name: name}, mcpapps.ToolUIMetadata{ResourceURI: "ui://a"}, say(name))
			}
			c := connectRaw(t, s, version, caps)
			list(t, c, "tools/list")
			list(t, c, "resources/list")
			assert.Equal(t, []mcpapps.Support{want, want}, got, "%s %s: each list reads a document once", version, caps)
		}
	}
}
