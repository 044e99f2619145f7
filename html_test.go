package mcpapps_test

import (
	"embed"
	"testing"
	"testing/fstest"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

//go:embed testdata
var embedded embed.FS

// What is embedded does not come later: a wrong name shows at registration, and
// not as "resource not found" in somebody's host.
func TestHTMLFileNotEmbedded(t *testing.T) {
	for _, name := range []string{"index.html", "testdata", "testdata/none.html"} {
		assert.PanicsWithValue(t, `mcpapps.HTMLFile: "`+name+`" is not a file of the embed.FS: name it with the directories of the go:embed pattern, as in "ui/index.html"`,
			func() { mcpapps.HTMLFile(embedded, name) })
	}
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
