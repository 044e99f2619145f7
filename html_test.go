package mcpapps_test

import (
	"embed"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed go.mod testdata/wire
var embedded embed.FS

// A missing embedded file can't appear later, so a wrong name is reported at
// registration, not as "resource not found" in a host.
func TestHTMLFileNotEmbedded(t *testing.T) {
	for _, name := range []string{"index.html", "testdata"} {
		message := panicOf(t, func() { mcpapps.HTMLFile(embedded, name) })
		assert.True(t, strings.HasPrefix(message, `mcpapps.HTMLFile: "`+name+`" is not a file of the embed.FS, which has "go.mod", "testdata/wire/`), message)
		assert.True(t, strings.HasSuffix(message, ` more: write the name with the directories of the go:embed pattern, or embed the file`), message)
	}
	assert.PanicsWithValue(t, `mcpapps.HTMLFile: "index.html" is not a file of the embed.FS, which is empty: is there a //go:embed line above its declaration?`,
		func() { mcpapps.HTMLFile(embed.FS{}, "index.html") })
	assert.NotPanics(t, func() { mcpapps.HTMLFile(embedded, "go.mod") })
}

// A file of a build that was not run does not keep the server from starting, and one
// that was is read once.
func TestHTMLFileOfASubTree(t *testing.T) {
	dist, err := fs.Sub(embedded, "testdata/wire")
	require.NoError(t, err)
	s := newServer()
	for _, name := range []string{"2025-11-25-ui.txtar", "missing.html"} {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://" + name}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFile(dist, name))
	}
	c := connectRaw(t, s, "2025-11-25", capsUI)
	assert.Equal(t, "Resource not found", c.fail("resources/read", `{"uri":"ui://missing.html"}`).Message)

	h := mcpapps.HTMLFile(dist, "2025-11-25-ui.txtar")
	req := &mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{URI: "ui://a"}}
	text := func() string {
		res, err := h(t.Context(), req)
		require.NoError(t, err)
		return res.Contents[0].Text
	}
	assert.Same(t, unsafe.StringData(text()), unsafe.StringData(text()), "read again")
}

func panicOf(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() { message, _ = recover().(string) }()
	f()
	return ""
}

// A byte order mark belongs to the file. In a document that is written into a
// frame it comes before the doctype, and the page is laid out in quirks mode.
func TestHTMLFileByteOrderMark(t *testing.T) {
	s := newServer()
	files := fstest.MapFS{"a.html": {Data: []byte("\ufeff<!doctype html>")}, "empty.html": {Data: []byte("\ufeff\n")}}
	for name := range files {
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://" + name}, mcpapps.ResourceUIMetadata{}, mcpapps.HTMLFile(files, name))
	}
	c := connectRaw(t, s, "2025-11-25", capsUI)
	assert.Contains(t, c.result("resources/read", `{"uri":"ui://a.html"}`), `"text":"\u003c!doctype html\u003e"`)
	assert.Contains(t, c.fail("resources/read", `{"uri":"ui://empty.html"}`).Message, "the document is empty")
}
