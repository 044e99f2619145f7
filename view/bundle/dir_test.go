package bundle_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listed returns the resources of a server as JSON, one a line.
func listed(t testing.TB, cs *mcp.ClientSession) string {
	t.Helper()
	var lines []string
	for r, err := range cs.Resources(t.Context(), nil) {
		require.NoError(t, err)
		data, err := json.Marshal(r)
		require.NoError(t, err)
		lines = append(lines, string(data))
	}
	return strings.Join(lines, "\n")
}

func TestRegisterDir(t *testing.T) {
	s := newServer()
	require.NoError(t, bundle.RegisterDir(s, "acme", folder(
		"views/weather.html", "<title>The weather</title><script type=module>import 'shared'</script>",
		"views/charts/Bar chart.HTM", "<img src=https://img.example.com/x.png>",
		"views/.draft.html", "<p>", "views/.git/x.html", "<p>", "views/node_modules/x/x.html", "<p>", "views/readme.md", "", "other.html", "<p>",
		"node_modules/shared/index.js", "globalThis.shared = 1",
	), &bundle.Options{Dir: "views", Describe: func(name string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
		r.Description = "from " + name
		ui.PrefersBorder = new(bool)
		r.URI = "ui://elsewhere/x"
	}}))
	cs := connect(t, s, nil)
	assert.Equal(t, `{"_meta":{"ui":{"csp":{"resourceDomains":["https://img.example.com"]},"prefersBorder":false}},"description":"from views/charts/Bar chart.HTM","mimeType":"text/html;profile=mcp-app","name":"charts/Bar chart","uri":"ui://acme/charts/Bar%20chart.html"}
{"_meta":{"ui":{"prefersBorder":false}},"description":"from views/weather.html","mimeType":"text/html;profile=mcp-app","name":"weather","title":"The weather","uri":"ui://acme/weather.html"}`, listed(t, cs))
	item, err := read(t, cs, "ui://acme/weather.html")
	require.NoError(t, err)
	assert.Equal(t, `<title>The weather</title><script type="module">globalThis.shared=1;</script>`, item.Text)
	item, err = read(t, cs, "ui://acme/charts/Bar%20chart.html")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"csp": map[string]any{"resourceDomains": []any{"https://img.example.com"}}, "prefersBorder": false}, item.Meta["ui"])
}

// Describe may change the CSP that it gets, which belongs to that call. An empty
// CSP is not declared, unless the options declare one.
func TestDescribeOwnsItsCSP(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		write(t, dir, name+".html", "<p>one</p>")
	}
	write(t, dir, "external.html", "<img src=https://img.example.com/x.png>")
	for _, test := range []struct {
		csp                  *mcpapps.CSP
		a, b, c, externalCSP string
	}{
		{nil, `{"connectDomains":["https://a.example.com"]}`, `{"connectDomains":["https://b.example.com"]}`, `null`, `{"connectDomains":["https://external.example.com"],"resourceDomains":["https://img.example.com"]}`},
		{
			&mcpapps.CSP{ConnectDomains: make([]string, 0, 8), ResourceDomains: []string{"https://img.example.com"}, Extra: map[string]any{"x": map[string]any{}}},
			`{"connectDomains":["https://a.example.com"],"resourceDomains":["https://img.example.com"],"x":{"a":true}}`,
			`{"connectDomains":["https://b.example.com"],"resourceDomains":["https://img.example.com"],"x":{"b":true}}`,
			`{"connectDomains":[],"resourceDomains":["https://img.example.com"],"x":{}}`,
			`{"connectDomains":["https://external.example.com"],"resourceDomains":["https://img.example.com"],"x":{"external":true}}`,
		},
	} {
		s := newServer()
		require.NoError(t, bundle.RegisterDir(s, "acme", os.DirFS(dir), &bundle.Options{CSP: test.csp, Describe: func(name string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
			stem := strings.TrimSuffix(name, ".html")
			if stem == "c" {
				return
			}
			ui.CSP.ConnectDomains = append(ui.CSP.ConnectDomains, "https://"+stem+".example.com")
			if ui.CSP.Extra != nil {
				ui.CSP.Extra["x"].(map[string]any)[stem] = true
			}
		}}))
		cs := connect(t, s, nil)
		for range 2 { // the second time, after a change
			for stem, want := range map[string]string{"a": test.a, "b": test.b, "c": test.c, "external": test.externalCSP} {
				item, err := read(t, cs, "ui://acme/"+stem+".html")
				require.NoError(t, err)
				ui, _ := item.Meta["ui"].(map[string]any)
				got, err := json.Marshal(ui["csp"])
				require.NoError(t, err)
				assert.Equal(t, want, string(got), stem)
			}
			write(t, dir, "a.html", "<p>changed "+t.Name()+"</p>")
		}
	}
}

// After a forgotten build, with an unusable name or with a mistake in any page,
// nothing is registered.
func TestRegisterDirErrors(t *testing.T) {
	for _, test := range []struct {
		name, host string
		fsys       fs.FS
		opts       *bundle.Options
		want       string
	}{
		{"absent", "a", folder("x.html", "<p>"), &bundle.Options{Dir: "dist"}, `bundle.RegisterDir: there is no folder "dist" in the file system: build the views first, or name another folder`},
		{"empty", "a", folder("readme.md", ""), nil, `bundle.RegisterDir: the folder "." has no HTML file: build the views first, or name another folder`},
		{"absent on disk", "a", os.DirFS(filepath.Join(t.TempDir(), "none")), nil, `bundle.RegisterDir: there is no folder "." in the file system`},
		{"no host", "", folder("x.html", "<p>"), nil, `bundle.RegisterDir: "" can't be the host of a ui:// URI`},
		{"host with a path", "a/b", folder("x.html", "<p>"), nil, `bundle.RegisterDir: "a/b" can't be the host of a ui:// URI`},
		{"host outside of ASCII", "é", folder("x.html", "<p>"), nil, `bundle.RegisterDir: "é" can't be the host of a ui:// URI`},
		{"host that is a template", "{a}", folder("x.html", "<p>"), nil, `bundle.RegisterDir: "{a}" can't be the host of a ui:// URI`},
		{"media type from Describe", "a", folder("ok.html", "<p>", "x.html", "<p>"), describing(func(r *mcp.Resource, _ *mcpapps.ResourceUIMetadata) { r.MIMEType = "text/html" }),
			`bundle.RegisterDir: x.html: the media type is "text/html", and an app's is always "text/html;profile=mcp-app": leave it empty`},
		{"ui from Describe", "a", folder("ok.html", "<p>", "x.html", "<p>"), describing(func(r *mcp.Resource, _ *mcpapps.ResourceUIMetadata) { r.Meta = mcp.Meta{"ui": "x"} }),
			`bundle.RegisterDir: x.html: _meta.ui must be an object, not "x"`},
		{"key from Describe", "a", folder("ok.html", "<p>", "x.html", "<p>"), describing(func(r *mcp.Resource, _ *mcpapps.ResourceUIMetadata) {
			r.Meta = mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connect-src": []string{}}}}
		}), `bundle.RegisterDir: x.html: _meta.ui.csp has the key "connect-src": write "connectDomains"`},
		{"declaration from Describe", "a", folder("ok.html", "<p>", "x.html", "<p>"), describing(func(_ *mcp.Resource, ui *mcpapps.ResourceUIMetadata) { ui.Extra = map[string]any{"f": func() {}} }),
			`bundle.RegisterDir: x.html: json: `},
		{"mistakes", "a", folder("ok.html", "<p>", "x.html", "<img src=a.png>", "y.html", " "), nil, "bundle.RegisterDir: bundle: x.html:1:6: \"a.png\" is not there: file does not exist (looked for \"a.png\")\nbundle: y.html: the page is empty"},
		{"same name", "a", folder("x.html", "<p>", "x.htm", "<p>"), nil, `bundle.RegisterDir: "x.htm" and "x.html" would both be ui://a/x.html: rename one`},
		{"bad folder", "a", folder("x.html", "<p>"), &bundle.Options{Dir: "./x"}, `bundle.RegisterDir: "./x" is not a folder's name in a file system`},
		{"CSP that is replaced", "a", folder("x.html", "<p>\n<img src=https://x.example.com/>"), describing(func(_ *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
			ui.CSP = &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}
		}), `bundle.RegisterDir: x.html:2:6: "https://x.example.com/" is blocked when the view runs, since Options.Describe leaves "https://x.example.com" out of the ResourceDomains of ui.CSP: append to what it holds`},
		{"bad metadata", "a", folder("x.html", "<p>"), &bundle.Options{CSP: &mcpapps.CSP{ConnectDomains: []string{"*"}}}, `bundle.RegisterDir: x.html: `},
		{"CSP", "a", folder("x.html", "<img src=https://x.example.com/>"), &bundle.Options{CSP: &mcpapps.CSP{}}, `bundle.RegisterDir: bundle: x.html:1:6: "https://x.example.com/" is blocked`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			err := bundle.RegisterDir(s, test.host, test.fsys, test.opts)
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), test.want), "got  %s\nwant %s", err, test.want)
			s.AddResource(&mcp.Resource{URI: "file:///x", Name: "x"}, nil)
			assert.NotContains(t, listed(t, connect(t, s, nil)), "ui://")
		})
	}
	assert.EqualError(t, bundle.RegisterDir(nil, "a", folder(), nil), "bundle.RegisterDir: the server is nil")
	assert.EqualError(t, bundle.RegisterDir(newServer(), "a", nil, nil), "bundle.RegisterDir: the file system is nil")
}

// describing returns options that change the page x.html alone.
func describing(f func(*mcp.Resource, *mcpapps.ResourceUIMetadata)) *bundle.Options {
	return &bundle.Options{Describe: func(name string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
		if name == "x.html" {
			f(r, ui)
		}
	}}
}

// When an edited page makes what Describe returns invalid, its reads fail until it is
// mended, and those of other pages do not.
func TestRegisterDirReloadsInvalidMetadata(t *testing.T) {
	for name, invalid := range map[string]func(string, *mcp.Resource, *mcpapps.ResourceUIMetadata){
		`the media type is "text/html"`: func(title string, r *mcp.Resource, _ *mcpapps.ResourceUIMetadata) { r.MIMEType = title },
		`_meta.ui must be an object, not "text/html"`: func(title string, r *mcp.Resource, _ *mcpapps.ResourceUIMetadata) {
			if title != "" {
				r.Meta = mcp.Meta{"ui": title}
			}
		},
		`csp.connectDomains[0] is "text/html": `: func(title string, _ *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
			if title != "" {
				ui.CSP.ConnectDomains = []string{title}
			}
		},
	} {
		dir := t.TempDir()
		write(t, dir, "x.html", "<p>one")
		write(t, dir, "y.html", "<p>other")
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		s := newServer()
		require.NoError(t, bundle.RegisterDir(s, "a", root.FS(), &bundle.Options{Describe: func(_ string, r *mcp.Resource, ui *mcpapps.ResourceUIMetadata) {
			invalid(r.Title, r, ui)
		}}))
		cs := connect(t, s, nil)
		write(t, dir, "x.html", "<title>text/html</title><p>two")
		for range 2 {
			_, err = read(t, cs, "ui://a/x.html")
			assert.ErrorContains(t, err, "x.html: "+name)
		}
		_, err = read(t, cs, "ui://a/y.html")
		require.NoError(t, err)
		write(t, dir, "x.html", "<p>three")
		item, err := read(t, cs, "ui://a/x.html")
		require.NoError(t, err)
		assert.Equal(t, "<p>three", item.Text)
		require.NoError(t, root.Close())
	}
}

// A change on disk is served at the next read, with the page's new metadata, and
// clients are notified.
func TestRegisterDirReloads(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "x.html", "<title>One</title>")
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	s := newServer()
	require.NoError(t, bundle.RegisterDir(s, "a", root.FS(), nil))
	var changed atomic.Int64
	cs := connect(t, s, &changed)
	item, err := read(t, cs, "ui://a/x.html")
	require.NoError(t, err)
	assert.Equal(t, "<title>One</title>", item.Text)
	assert.NotContains(t, item.Meta, "ui")
	time.Sleep(50 * time.Millisecond)
	assert.Zero(t, changed.Load(), "reading what is unchanged announces nothing")

	write(t, dir, "x.html", "<title>Two</title><img src=https://img.example.com/x.png>")
	item, err = read(t, cs, "ui://a/x.html")
	require.NoError(t, err)
	assert.Contains(t, item.Text, "Two")
	csp := map[string]any{"csp": map[string]any{"resourceDomains": []any{"https://img.example.com"}}}
	assert.Equal(t, csp, item.Meta["ui"], "the read that noticed")
	require.Eventually(t, func() bool { return changed.Load() == 1 }, time.Minute, 5*time.Millisecond)
	item, err = read(t, cs, "ui://a/x.html")
	require.NoError(t, err)
	assert.Equal(t, csp, item.Meta["ui"])
	assert.Contains(t, listed(t, cs), `"title":"Two"`)

	write(t, dir, "x.html", "<img src=gone.png>")
	_, err = read(t, cs, "ui://a/x.html")
	assert.ErrorContains(t, err, `x.html:1:6: "gone.png" is not there`)
	assert.NotContains(t, err.Error(), dir)
	write(t, dir, "x.html", "<p>mended</p>")
	item, err = read(t, cs, "ui://a/x.html")
	require.NoError(t, err)
	assert.Equal(t, "<p>mended</p>", item.Text)
	assert.NotContains(t, item.Meta["ui"], "csp")
}

// With Watch clients are notified of a change without a read. The goroutine ends
// with its context.
func TestRegisterDirWatch(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "x.html", "<p>one</p>")
	watching := func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "bundle.(*dir).watch")
	}
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, bundle.RegisterDir(s, "a", os.DirFS(dir), &bundle.Options{Watch: ctx}))
		var changed atomic.Int64
		cs := connect(t, s, &changed)
		// announced are the announcements while a minute passes.
		announced := func() int64 {
			time.Sleep(time.Minute)
			synctest.Wait()
			return changed.Swap(0)
		}
		assert.Zero(t, announced(), "nothing changed")
		write(t, dir, "x.html", "<p>two</p>")
		assert.EqualValues(t, 1, announced())
		write(t, dir, "y.html", "<link rel=stylesheet href=shared.css>")
		write(t, dir, "z.html", "<link rel=stylesheet href=shared.css>")
		write(t, dir, "shared.css", "a{b:c}")
		assert.EqualValues(t, 1, announced(), "all at once")
		assert.Contains(t, listed(t, cs), "ui://a/z.html")
		write(t, dir, "shared.css", "a{b:d}")
		assert.EqualValues(t, 1, announced(), "both pages at once")
		assert.Contains(t, listed(t, cs), "ui://a/y.html")
		require.NoError(t, os.Remove(filepath.Join(dir, "x.html")))
		assert.EqualValues(t, 1, announced())
		assert.NotContains(t, listed(t, cs), "ui://a/x.html")
		assert.Zero(t, announced(), "nothing changed")
		assert.True(t, watching())
		cancel()
		synctest.Wait()
		assert.False(t, watching(), "the goroutine stays")

		// An embedded folder can't change: there is nothing to watch.
		require.NoError(t, bundle.RegisterDir(newServer(), "a", folder("x.html", "<p>"), &bundle.Options{Watch: t.Context()}))
		assert.False(t, watching())
	})
}
