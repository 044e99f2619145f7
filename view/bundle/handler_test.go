package bundle_test

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
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

// counted counts how often files are opened, and can delay that.
type counted struct {
	fs.FS
	opens atomic.Int64
	delay time.Duration
}

func (c *counted) Open(name string) (fs.File, error) {
	if name == "index.html" {
		c.opens.Add(1)
		time.Sleep(c.delay)
	}
	return c.FS.Open(name)
}

// connect connects a client to a server; changed counts list_changed.
func connect(t testing.TB, s *mcp.Server, changed *atomic.Int64) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {
			if changed != nil {
				changed.Add(1)
			}
		}})
	ours, theirs := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), ours, nil)
	require.NoError(t, err)
	cs, err := client.Connect(t.Context(), theirs, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = cs.Close(); _ = ss.Wait() })
	return cs
}

func read(t testing.TB, cs *mcp.ClientSession, uri string) (*mcp.ResourceContents, error) {
	t.Helper()
	res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	require.Len(t, res.Contents, 1)
	return res.Contents[0], nil
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// From a file system that can't change, the page is bundled once, also for many
// reads at the same time.
func TestHandlerBundlesOnce(t *testing.T) {
	fsys := &counted{FS: folder("index.html", `<script type=module>import { x } from "./x.js"; x()</script>`, "x.js", "export const x = () => 'bundled'"), delay: 20 * time.Millisecond}
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/x.html"}, mcpapps.ResourceUIMetadata{}, bundle.Handler(fsys, "index.html", nil))
	assert.Zero(t, fsys.opens.Load(), "nothing is read before it is asked for")
	cs := connect(t, s, nil)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			item, err := read(t, cs, "ui://test/x.html")
			if assert.NoError(t, err) {
				assert.Equal(t, mcpapps.MIMEType, item.MIMEType)
				assert.Contains(t, item.Text, "bundled")
			}
		})
	}
	group.Wait()
	assert.EqualValues(t, 1, fsys.opens.Load())
}

// A page is bundled again only after one of its files has changed. The content is
// compared if the times are too close to tell.
func TestHandlerReloads(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "index.html", `<script type=module>import x from "./x.js"; console.log(x)</script>`)
	write(t, dir, "x.js", `export default "one"`)
	fsys := &counted{FS: os.DirFS(dir)}
	h := bundle.Handler(fsys, "index.html", nil)
	get := func() string {
		res, err := h(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}})
		require.NoError(t, err)
		return res.Contents[0].Text
	}
	assert.Contains(t, get(), "one")
	write(t, dir, "x.js", `export default "two"`) // the same size, perhaps the same time
	assert.Contains(t, get(), "two")
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"x.js", "index.html"} {
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
	assert.Contains(t, get(), "two")
	opens := fsys.opens.Load()
	for range 5 {
		get()
	}
	// counted has no Stat, so each look at the page's time opens it.
	assert.EqualValues(t, opens+5, fsys.opens.Load())
	require.NoError(t, os.Remove(filepath.Join(dir, "x.js")))
	_, err := h(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}})
	assert.ErrorContains(t, err, `index.html:1:35: "./x.js" is not there`)
	assert.NotErrorIs(t, err, fs.ErrNotExist, "the resource is there")
	write(t, dir, "x.ts", `export default "three" as string`)
	assert.Contains(t, get(), "three")
	require.NoError(t, os.Remove(filepath.Join(dir, "index.html")))
	_, err = h(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}})
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// A client sees the errors of a page that can't be bundled.
func TestHandlerError(t *testing.T) {
	s := newServer()
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/x.html"}, mcpapps.ResourceUIMetadata{},
		bundle.Handler(folder("index.html", "<script type=module src=a.ts></script>", "a.ts", "let x: = 1"), "index.html", nil))
	_, err := read(t, connect(t, s, nil), "ui://test/x.html")
	assert.ErrorContains(t, err, `reading the app "ui://test/x.html": bundle: a.ts:1:8: unexpected "="`)
}

// A missing page is a missing resource. A page that names a missing file is not: the
// client, and so the author, sees which file.
func TestWhatIsMissing(t *testing.T) {
	fsys := folder("import.html", "<script type=module>import './x.js'</script>", "image.html", "<img src=x.png>",
		"script.html", "<script src=x.js></script>", "package.html", "<script type=module>import 'x'</script>",
		"several.html", "<img src=x.png><img src=y.png>", "here.html", "<p>")
	dir := t.TempDir()
	for name, file := range fsys {
		write(t, dir, name, string(file.Data))
	}
	for kind, fsys := range map[string]fs.FS{"memory": fsys, "disk": os.DirFS(dir)} {
		s := newServer()
		for _, page := range []string{"import", "image", "script", "package", "several", "none"} {
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://handler/" + page}, mcpapps.ResourceUIMetadata{}, bundle.Handler(fsys, page+".html", nil))
			mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://html/" + page}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFunc(
				func(context.Context, *mcp.ReadResourceRequest) (string, error) {
					doc, err := bundle.HTML(fsys, page+".html", nil)
					if err != nil {
						return "", fmt.Errorf("the view: %w", err)
					}
					return doc.HTML, nil
				}))
		}
		cs := connect(t, s, nil)
		for _, host := range []string{"handler", "html"} {
			for page, want := range map[string]string{
				"import": `import.html:1:28: "./x.js" is not there`, "image": `image.html:1:6: "x.png" is not there`, "script": `script.html:1:9: "x.js" is not there`,
				"package": `package.html:1:28: package "x" is not in a node_modules folder`, "several": `2 problems`,
			} {
				_, err := read(t, cs, "ui://"+host+"/"+page)
				assert.ErrorContains(t, err, want, "%s %s", kind, host)
			}
			_, err := read(t, cs, "ui://"+host+"/none")
			assert.ErrorContains(t, err, "Resource not found", "%s %s", kind, host)
		}
	}
}

// Without a CSP, the page of a handler may load nothing external, since its resource
// would declare nothing.
func TestHandlerCSP(t *testing.T) {
	fsys := folder("index.html", "<script src=https://cdn.example.com/a.js></script>")
	_, err := bundle.Handler(fsys, "index.html", nil)(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}})
	assert.ErrorContains(t, err, `add "https://cdn.example.com" to its ResourceDomains`)
	csp := &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}
	h := bundle.Handler(fsys, "index.html", &bundle.Options{CSP: csp})
	csp.ResourceDomains[0] = "https://other.example.com" // the caller's again
	_, err = h(t.Context(), &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}})
	assert.NoError(t, err)
}

func TestHandlerPanics(t *testing.T) {
	assert.PanicsWithValue(t, "bundle.Handler: the file system is nil", func() { bundle.Handler(nil, "index.html", nil) })
	assert.PanicsWithValue(t, `bundle.Handler: "./index.html" is not a file's name in a file system: write it with slashes, without a leading / or ./, as in "ui/index.html"`,
		func() { bundle.Handler(folder(), "./index.html", nil) })
	// A file that was not embedded can't appear later.
	assert.PanicsWithValue(t, `bundle.Handler: "index.html" is not a file of the embed.FS, which is empty: is there a //go:embed line above its declaration?`,
		func() { bundle.Handler(embed.FS{}, "index.html", nil) })
	assert.NotPanics(t, func() { bundle.Handler(folder(), "index.html", nil) }, "it may be built later")
}

// A read that is cancelled does not wait for the bundle.
func TestHandlerCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fsys := &counted{FS: folder("index.html", "<p>"), delay: time.Minute}
		h := bundle.Handler(fsys, "index.html", nil)
		req := &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://test/x"}}
		done := make(chan error)
		go func() { _, err := h(context.Background(), req); done <- err }()
		synctest.Wait()
		require.EqualValues(t, 1, fsys.opens.Load())
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := h(ctx, req)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Zero(t, time.Since(start))
		assert.NoError(t, <-done)
	})
}
