package bundle_test

import (
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A document that hosts are likely to refuse causes a warning, and one without any
// measure an error, that names the largest files.
func TestSizeOfDocument(t *testing.T) {
	image := func(n int) string { return strings.Repeat("x", n) }
	const why = "and hosts refuse one above a limit of their own (often 8 MB): make its largest files smaller, " +
		"or have the view get what is in them by a tool's result or resources/read: "
	page := "<img src=a.png><img src=b.png><img src=c.png>"
	doc := bundled(t, folder("index.html", page, "a.png", image(1000), "b.png", image(6_300_000), "c.png", image(300_000)), nil)
	require.Len(t, doc.Warnings, 1)
	assert.Equal(t, "index.html: the document has 8.8 MB, "+why+"b.png (6.3 MB), c.png (0.3 MB), a.png (0.0 MB)", doc.Warnings[0].Error())
	_, err := bundle.HTML(folder("index.html", page, "a.png", image(51_000_000), "b.png", "x", "c.png", "x"), "index.html", nil)
	assert.EqualError(t, err, "bundle: index.html: the document has 68.0 MB, "+why+"a.png (51.0 MB), index.html (0.0 MB), b.png (0.0 MB)")
	assert.Empty(t, bundled(t, folder("index.html", page, "a.png", image(6_000_000), "b.png", "x", "c.png", "x"), nil).Warnings)
}

// A view is not installed, so that a manifest has no effect, and is left out.
func TestManifest(t *testing.T) {
	doc := bundled(t, folder("index.html", "<title>x</title>\n<link rel=manifest href=m.json><p>"), nil)
	assert.Equal(t, "<title>x</title>\n<p>", doc.HTML)
	require.Len(t, doc.Warnings, 1)
	assert.Equal(t, "index.html:2:20: a view is not a page that can be installed, and its policy blocks the manifest: the bundle is without this link", doc.Warnings[0].Error())
}
