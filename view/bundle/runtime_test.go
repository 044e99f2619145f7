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

// A page has of "mcp-app/data" what it imports and nothing else. Each function has a
// word that the others don't have.
func TestDataFunctionsAlone(t *testing.T) {
	words := map[string]string{
		"resultData": `"_data"`, "pages": "view_cursor", "viewState": "view_state", "subscribe": "view_version", "form": `"_submit"`,
	}
	for _, function := range []struct {
		name string
		most int // bytes, compressed, of the document
	}{
		{"resultData", 1050}, {"pages", 750}, {"viewState", 950}, {"subscribe", 1000}, {"form", 1250},
	} {
		doc, err := bundle.HTML(folder("index.html", `<script type="module">import { `+function.name+` } from "mcp-app/data"; window.f = `+function.name+`</script>`), "index.html", nil)
		require.NoError(t, err)
		for other, word := range words {
			assert.Equal(t, other == function.name, strings.Contains(doc.HTML, word), "%s in a page with %s", word, function.name)
		}
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = w.Write([]byte(doc.HTML))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		t.Logf("%s: %d bytes, %d compressed", function.name, len(doc.HTML), b.Len())
		assert.LessOrEqual(t, b.Len(), function.most, function.name)
		assert.NotContains(t, doc.HTML, "ui/initialize", "nothing of the App")
		assert.Empty(t, doc.Warnings)
	}

	doc, err := bundle.HTML(folder("index.html", `<script type="module">import "mcp-app/data"; window.f = 1</script>`), "index.html", nil)
	require.NoError(t, err)
	assert.Less(t, len(doc.HTML), 150, "the module does nothing by itself")
}
