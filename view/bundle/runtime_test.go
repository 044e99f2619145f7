package bundle_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/view/bundle"
)

// A page has of a module what it imports and nothing else. Each function has a word
// that the others don't have.
func TestFunctionsAlone(t *testing.T) {
	type function struct {
		name, word string
		most       int // bytes, compressed, of the document
	}
	for module, functions := range map[string][]function{
		"mcp-app/data": {
			{"resultData", `"_data"`, 1050}, {"pages", "view_cursor", 750}, {"viewState", "view_state", 950},
			{"subscribe", "view_version", 1000}, {"form", `"_submit"`, 1250},
		},
		"mcp-app/openai": {
			{"deepLink", "openai/deepLink", 450}, {"sendMessage", "openai/message", 310}, {"modelContext", "openai/modelContext", 470},
			{"keepId", "mcpapps/id", 360}, {"readFile", "sent no content", 460}, {"writeFile", "openai/resources/write", 640},
		},
	} {
		for _, f := range functions {
			doc, err := bundle.HTML(folder("index.html", `<script type="module">import { `+f.name+` } from "`+module+`"; window.f = `+f.name+`</script>`), "index.html", nil)
			require.NoError(t, err)
			for _, other := range functions {
				assert.Equal(t, other.name == f.name, strings.Contains(doc.HTML, other.word), "%s in a page with %s", other.word, f.name)
			}
			var b bytes.Buffer
			w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			require.NoError(t, err)
			_, err = w.Write([]byte(doc.HTML))
			require.NoError(t, err)
			require.NoError(t, w.Close())
			t.Logf("%s: %d bytes, %d compressed", f.name, len(doc.HTML), b.Len())
			assert.LessOrEqual(t, b.Len(), f.most, f.name)
			assert.NotContains(t, doc.HTML, "ui/initialize", "nothing of the App")
			assert.Empty(t, doc.Warnings)
		}

		doc, err := bundle.HTML(folder("index.html", `<script type="module">import "`+module+`"; window.f = 1</script>`), "index.html", nil)
		require.NoError(t, err)
		assert.Less(t, len(doc.HTML), 150, "the module does nothing by itself")
	}
}
