package bundle_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startedWith runs the test once more in a process with a variable in its
// environment, as the preview starts a server, and reports whether this is that
// process.
func startedWith(t *testing.T, variable, value string) bool {
	if os.Getenv(variable) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+value)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "--- PASS: "+t.Name())
	return false
}

// mappedServer has a bundle behind each kind of registration.
func mappedServer(t testing.TB) *mcp.Server {
	fsys := folder("index.html", "<!doctype html>\n<title>x</title><script type=module src=main.ts></script>", "main.ts", "interface X { a: string }\nconsole.log('here')")
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{VersionedURIs: true})
	h := bundle.Handler(fsys, "index.html", nil)
	csp := &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/handler"}, mcpapps.ResourceUIMetadata{CSP: csp}, h)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/bare"}, mcpapps.ResourceUIMetadata{}, h)
	around := func(change func(*mcp.ResourceContents)) mcp.ResourceHandler {
		return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			res, err := h(ctx, req)
			if err == nil {
				change(res.Contents[0])
			}
			return res, err
		}
	}
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/changed"}, mcpapps.ResourceUIMetadata{},
		around(func(c *mcp.ResourceContents) { c.Text = strings.Replace(c.Text, "x", "longer", 1) }))
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/own"}, mcpapps.ResourceUIMetadata{CSP: csp},
		around(func(c *mcp.ResourceContents) { c.Meta = mcp.Meta{"ui": map[string]any{}, "example.com/own": 1.0} }))
	require.NoError(t, bundle.RegisterDir(s, "folder", fsys, nil))
	return s
}

func metaOf(t testing.TB, cs *mcp.ClientSession, uri string) (meta, text string) {
	t.Helper()
	c, err := read(t, cs, uri)
	require.NoError(t, err)
	if _, ok := c.Meta[devenv.MapKey]; ok {
		c.Meta[devenv.MapKey] = "map"
	}
	b, err := json.Marshal(c.Meta)
	require.NoError(t, err)
	return string(b), c.Text
}

const withCSP = `{"csp":{"connectDomains":["https://api.example.com"]}}`

// In a process that nobody started for that, no source map is made or sent.
func TestNoSourceMapByDefault(t *testing.T) {
	cs := connect(t, mappedServer(t), nil)
	for uri, want := range map[string]string{
		"ui://test/handler": `{"ui":` + withCSP + `}`, "ui://test/bare": "null", "ui://test/changed": "null",
		"ui://test/own": `{"example.com/own":1,"ui":{}}`, "ui://folder/index.html": "null",
	} {
		meta, _ := metaOf(t, cs, uri)
		assert.Equal(t, want, meta, uri)
	}
}

// In a process that the preview or the check started, the content item has the source
// map of its document, beside whatever else is in _meta. A document that was changed
// after bundling has no map.
func TestSourceMapInMeta(t *testing.T) {
	if !startedWith(t, devenv.SourceMaps, "1") {
		return
	}
	cs := connect(t, mappedServer(t), nil)
	for uri, want := range map[string]string{
		"ui://test/handler":      `{"io.github.mcpapps-go/sourceMap":"map","ui":` + withCSP + `}`,
		"ui://test/bare":         `{"io.github.mcpapps-go/sourceMap":"map"}`,
		"ui://test/changed":      `null`,
		"ui://test/own":          `{"example.com/own":1,"io.github.mcpapps-go/sourceMap":"map","ui":{}}`,
		"ui://folder/index.html": `{"io.github.mcpapps-go/sourceMap":"map"}`,
	} {
		meta, text := metaOf(t, cs, uri)
		assert.Equal(t, want, meta, uri)
		assert.NotContains(t, text, "sourceMappingURL")
	}
	c, err := read(t, cs, "ui://test/handler")
	require.NoError(t, err)
	m, err := sourcemap.Parse(c.Meta[devenv.MapKey])
	require.NoError(t, err)
	line := strings.Split(c.Text, "\n")[1]
	source, row, column, ok := m.Position(2, strings.Index(line, "console.log")+1)
	assert.True(t, ok)
	assert.Equal(t, []any{"main.ts", 2, 1}, []any{source, row, column})
}

// Documents and their versions are the same with and without source maps.
func TestSourceMapChangesNoVersion(t *testing.T) {
	list := func() string {
		s := mappedServer(t)
		res, err := connect(t, s, nil).ListResources(t.Context(), nil)
		require.NoError(t, err)
		b, err := json.Marshal(res.Resources)
		require.NoError(t, err)
		require.Contains(t, string(b), "?v=")
		return string(b)
	}
	if os.Getenv("WANT") != "" {
		require.True(t, devenv.SourceMapsEnabled())
		assert.Equal(t, os.Getenv("WANT"), list())
		return
	}
	t.Setenv("WANT", list())
	startedWith(t, devenv.SourceMaps, "1")
}
