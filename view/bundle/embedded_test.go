package bundle_test

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/plainlog"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/embedded testdata/broken
var program embed.FS

func sub(t testing.TB, dir string) fs.FS {
	t.Helper()
	fsys, err := fs.Sub(program, dir)
	require.NoError(t, err)
	return fsys
}

// A page that is embedded is bundled when its handler is made. What no CSP can solve is
// logged then, and read with the same words; what a CSP decides is left to the read.
func TestEmbeddedProblemIsLogged(t *testing.T) {
	var log bytes.Buffer
	opts := &bundle.Options{Logger: plainlog.New(func(line string) { fmt.Fprintln(&log, line) })}
	h := bundle.Handler(program, "testdata/broken/index.html", opts)
	const want = `bundle: testdata/broken/index.html:2:24: "gone.css" is not there: file does not exist (looked for "testdata/broken/gone.css")`
	assert.Contains(t, log.String(), want)
	assert.NotContains(t, log.String(), "cdn.example.com")
	_, err := h(t.Context(), nil)
	assert.EqualError(t, err, want)

	// The handlers of a server that is made for each request share the bundle.
	log.Reset()
	bundle.Handler(program, "testdata/broken/index.html", opts)
	bundle.Handler(sub(t, "testdata/broken"), "index.html", opts) // another name
	bundle.Handler(sub(t, "testdata/broken"), "index.html", opts)
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("gone.css\" is not there")), log.String())
}

func TestEmbeddedHandlersShareTheBundle(t *testing.T) {
	make := func(opts *bundle.Options) float64 {
		h := bundle.Handler(sub(t, "testdata/embedded/ui"), "index.html", opts)
		_, err := h(t.Context(), nil)
		require.NoError(t, err)
		return testing.AllocsPerRun(3, func() {
			h := bundle.Handler(sub(t, "testdata/embedded/ui"), "index.html", opts)
			_, err = h(t.Context(), nil)
		})
	}
	assert.Less(t, make(nil), 100.0)
	assert.Less(t, make(&bundle.Options{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://a.example.com"}}}), 100.0)
	text := func(opts *bundle.Options) string {
		res, err := bundle.Handler(sub(t, "testdata/embedded/ui"), "index.html", opts)(t.Context(), nil)
		require.NoError(t, err)
		return res.Contents[0].Text
	}
	assert.NotEqual(t, text(nil), text(&bundle.Options{Unminified: true}), "other options")
	assert.Contains(t, text(&bundle.Options{SourceMaps: true}), "sourceMappingURL")
}

// copied writes embedded files to a folder of their own, from which the program could
// have been built.
func copied(t testing.TB, dir string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(program, "testdata", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, err := fs.ReadFile(program, name)
			require.NoError(t, err)
			write(t, dir, name, string(data))
		}
		return err
	}))
}

// In a process that the preview started, a handler serves the files on disk that the
// program embeds, as they are at each read.
func TestFilesOnDisk(t *testing.T) {
	dir := os.Getenv(devenv.Sources)
	if dir == "" {
		dir = t.TempDir()
		copied(t, dir)
	}
	if !startedWith(t, devenv.Sources, dir) {
		return
	}
	for name, h := range map[string]mcp.ResourceHandler{
		"embed.FS": bundle.Handler(program, "testdata/embedded/ui/index.html", nil),
		"sub-tree": bundle.Handler(sub(t, "testdata/embedded"), "ui/index.html", nil),
		"folder":   nil,
	} {
		t.Run(name, func(t *testing.T) {
			copied(t, dir)
			s := newServer()
			uri := "ui://test/index.html"
			if h != nil {
				mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{}, h)
			} else {
				require.NoError(t, bundle.RegisterDir(s, "test", sub(t, "testdata"), &bundle.Options{Dir: "embedded/ui"}))
			}
			cs := connect(t, s, nil)
			c, err := read(t, cs, uri)
			require.NoError(t, err)
			assert.Contains(t, c.Text, `"built"`)
			ui := filepath.Join(dir, "testdata", "embedded", "ui")
			files, _ := c.Meta[devenv.FilesKey].([]any)
			assert.ElementsMatch(t, []any{filepath.Join(ui, "index.html"), filepath.Join(ui, "lib.ts"), filepath.Join(ui, "main.ts"), filepath.Join(ui, "style.css")}, files)

			for i := range 3 {
				write(t, ui, "lib.ts", fmt.Sprintf("export const text = 'edit %d';", i))
				c, err = read(t, cs, uri)
				require.NoError(t, err)
				assert.Contains(t, c.Text, fmt.Sprintf("edit %d", i))
			}
			write(t, ui, "main.ts", "import './new'")
			write(t, ui, "new.ts", "console.log('new')")
			c, err = read(t, cs, uri)
			require.NoError(t, err)
			assert.Contains(t, c.Text, `"new"`)

			write(t, ui, "main.ts", "// one\n\nlet x = = 1\n// four\n// five\n// six\n")
			_, err = read(t, cs, uri)
			var rpc *jsonrpc.Error
			require.ErrorAs(t, err, &rpc)
			file := "testdata/embedded/ui/main.ts"
			switch name {
			case "sub-tree":
				file = "ui/main.ts"
			case "folder":
				file = "embedded/ui/main.ts"
			}
			text := file + `:3:9: unexpected \"=\"`
			assert.JSONEq(t, `{"io.github.mcpapps-go/buildError":{"file":"`+file+`","line":3,"column":9,"text":"bundle: `+text+`",
				"excerpt":["// one","","let x = = 1","// four","// five"],"excerptLine":3}}`, string(rpc.Data))
			assert.EqualValues(t, jsonrpc.CodeInternalError, rpc.Code)

			require.NoError(t, os.Remove(filepath.Join(ui, "lib.ts")))
			write(t, ui, "main.ts", "import './lib'")
			_, err = read(t, cs, uri)
			assert.ErrorContains(t, err, `"./lib" is not there`, "a file that is embedded, but not there any more")
		})
	}
}

// Elsewhere an error has no data, and no excerpt of a source.
func TestNoBuildErrorByDefault(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/view"}, mcpapps.ResourceUIMetadata{},
		bundle.Handler(folder("index.html", "<script type=module>import './x.js'</script>"), "index.html", nil))
	_, err := read(t, connect(t, s, nil), "ui://test/view")
	var rpc *jsonrpc.Error
	require.ErrorAs(t, err, &rpc)
	assert.Empty(t, rpc.Data)
	assert.EqualError(t, err, `calling "resources/read": reading the app "ui://test/view": bundle: index.html:1:28: "./x.js" is not there: file does not exist (looked for "x.js")`)
}

// A page that RegisterDir does not know yet is registered when it is written, without
// Options.Watch.
func TestNewPageOnDisk(t *testing.T) {
	dir := os.Getenv(devenv.Sources)
	if dir == "" {
		dir = t.TempDir()
		copied(t, dir)
	}
	if !startedWith(t, devenv.Sources, dir) {
		return
	}
	s := newServer()
	require.NoError(t, bundle.RegisterDir(s, "test", program, &bundle.Options{Dir: "testdata/embedded/ui"}))
	cs := connect(t, s, nil)
	write(t, dir, "testdata/embedded/ui/new.html", "<p>new")
	require.Eventually(t, func() bool {
		_, err := read(t, cs, "ui://test/new.html")
		return err == nil
	}, 20_000_000_000, 50_000_000)
}

// The policy is that of the registration, whatever the function, and the messages say
// where to write it.
func TestPolicyOfTheRegistration(t *testing.T) {
	cdn := func() *mcpapps.CSP { return &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}} }
	fsys := folder("index.html", "<p>\n<script src=https://cdn.example.com/a.js></script>", "module.html", "<script type=module>import 'https://cdn.example.com/m.js'; import './a.js'</script>", "a.js", "f()",
		"style.html", "<style>\n@import 'a.css';</style>", "a.css", "p { background: url(https://cdn.example.com/x.png) }")
	const (
		fixed   = ", or put a copy of the file beside the page"
		declare = `is blocked when the view runs, since View.UI.CSP does not allow it: add "https://cdn.example.com" to its ResourceDomains` + fixed
	)
	for name, test := range map[string]struct {
		page          string
		view, options *mcpapps.CSP
		want          string
	}{
		"nowhere":                  {"index.html", nil, nil, `index.html:2:9: "https://cdn.example.com/a.js" ` + declare},
		"nowhere, import":          {"module.html", nil, nil, `module.html:1:28: "https://cdn.example.com/m.js" ` + declare},
		"nowhere, style":           {"style.html", nil, nil, `a.css:1:17: "https://cdn.example.com/x.png" ` + declare},
		"in View.UI alone":         {"index.html", cdn(), nil, ""},
		"in View.UI alone, import": {"module.html", cdn(), nil, ""},
		"in both":                  {"index.html", cdn(), cdn(), ""},
		"in the options alone": {"index.html", nil, cdn(), `index.html:2:9: "https://cdn.example.com/a.js" is blocked when the view runs, ` +
			`since hosts enforce View.UI.CSP, which does not allow it, although Options.CSP does: move "https://cdn.example.com" to the ResourceDomains of View.UI.CSP` + fixed},
		"not in the options": {"index.html", cdn(), &mcpapps.CSP{}, `index.html:2:9: "https://cdn.example.com/a.js" is blocked when the view runs, ` +
			`since Options.CSP does not allow it, although View.UI.CSP does: leave Options.CSP nil` + fixed},
		"of another origin": {"index.html", &mcpapps.CSP{ResourceDomains: []string{"https://other.example.com"}}, nil, `index.html:2:9: "https://cdn.example.com/a.js" ` + declare},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer()
			h := bundle.Handler(fsys, test.page, &bundle.Options{CSP: test.options})
			ui := mcpapps.ResourceUIMetadata{CSP: test.view}
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/resource"}, ui, h)
			mcpapps.RegisterApp(s, &mcp.Tool{Name: "open"}, mcpapps.View{Resource: mcp.Resource{URI: "ui://test/view"}, UI: ui, Document: h},
				func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
					return &mcp.CallToolResult{}, nil, nil
				})
			cs := connect(t, s, nil)
			for range 2 {
				for _, uri := range []string{"ui://test/resource", "ui://test/view"} {
					_, err := read(t, cs, uri)
					if test.want == "" {
						assert.NoError(t, err)
					} else {
						assert.EqualError(t, err, `calling "resources/read": reading the app "`+uri+`": bundle: `+test.want)
					}
				}
			}
		})
	}
}

// One handler behind two resources serves each by its own policy.
func TestOneHandlerTwoPolicies(t *testing.T) {
	h := bundle.Handler(folder("index.html", "<script src=https://cdn.example.com/a.js></script>"), "index.html", nil)
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/a"}, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}}, h)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/b"}, mcpapps.ResourceUIMetadata{}, h)
	cs := connect(t, s, nil)
	for range 2 {
		_, err := read(t, cs, "ui://test/a")
		assert.NoError(t, err)
		_, err = read(t, cs, "ui://test/b")
		assert.ErrorContains(t, err, "View.UI.CSP does not allow it")
	}
}

// Clients may keep an embedded page, which can't change, and not one of a folder.
func TestCachingOfBundles(t *testing.T) {
	s := newServer()
	for uri, fsys := range map[string]fs.FS{"ui://a/embedded": sub(t, "testdata/embedded/ui"), "ui://a/folder": os.DirFS("testdata/embedded/ui")} {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri}, mcpapps.ResourceUIMetadata{}, bundle.Handler(fsys, "index.html", nil))
	}
	for version, want := range map[string]int{"2025-11-25": 0, "2026-07-28": 3600000} {
		ct, st := mcp.NewInMemoryTransports()
		ss, err := s.Connect(t.Context(), st, nil)
		require.NoError(t, err)
		cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, &mcp.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err)
		for uri, ttl := range map[string]int{"ui://a/embedded": want, "ui://a/folder": 0} {
			res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			require.NoError(t, err)
			assert.Equal(t, mcp.Cacheable{TTLMs: ttl, CacheScope: "public"}, res.Cacheable, "%s %s", version, uri)
		}
		require.NoError(t, cs.Close())
		_ = ss.Wait()
	}
}
