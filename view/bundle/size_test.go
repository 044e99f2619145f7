package bundle

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A document that hosts are likely to refuse causes a warning, and one without any
// measure an error, that names the largest files.
func TestSizeOfDocument(t *testing.T) {
	document := func(a, b, c int) (*Document, error) {
		fsys := fstest.MapFS{"index.html": {Data: []byte("<img src=a.png><img src=b.png><img src=c.png><iframe srcdoc='<img src=a.png>'></iframe>")}}
		for name, n := range map[string]int{"a.png": a, "b.png": b, "c.png": c} {
			fsys[name] = &fstest.MapFile{Data: []byte(strings.Repeat("x", n))}
		}
		bundler := newBundler(fsys, "index.html", &Options{}, policy{})
		bundler.limits = limits{usual: 400_000, most: 900_000}
		return bundler.document()
	}
	const why = "and hosts refuse one above a limit of their own (often 8 MB): make its largest files smaller, " +
		"or have the view get what is in them by a tool's result or resources/read: "
	doc, err := document(1000, 250_000, 150_000)
	require.NoError(t, err)
	require.Len(t, doc.Warnings, 1)
	assert.Equal(t, "index.html: the document has 0.5 MB, "+why+"b.png (0.2 MB), c.png (0.1 MB), a.png (0.0 MB)", doc.Warnings[0].Error())
	_, err = document(500_000, 1, 1)
	assert.EqualError(t, err, "bundle: index.html: the document has 1.3 MB, "+why+"a.png (0.5 MB), index.html (0.0 MB), b.png (0.0 MB)")
	doc, err = document(100_000, 1, 1)
	require.NoError(t, err)
	assert.Empty(t, doc.Warnings)
	assert.Equal(t, limits{8 << 20, 64 << 20}, newBundler(fstest.MapFS{}, "index.html", &Options{}, policy{}).limits)
}

// A view is not installed, so that a manifest has no effect, and is left out.
func TestManifest(t *testing.T) {
	doc, err := HTML(fstest.MapFS{"index.html": {Data: []byte("<title>x</title>\n<link rel=manifest href=m.json><p>")}}, "index.html", nil)
	require.NoError(t, err)
	assert.Equal(t, "<title>x</title>\n<p>", doc.HTML)
	require.Len(t, doc.Warnings, 1)
	assert.Equal(t, "index.html:2:20: a view is not a page that can be installed, and its policy blocks the manifest: the bundle is without this link", doc.Warnings[0].Error())
}
