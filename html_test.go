package mcpapps_test

import (
	"embed"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
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
