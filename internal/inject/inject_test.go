package inject

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The script is one line of ASCII that no document's parser ends early.
func TestScript(t *testing.T) {
	script := Script("http://localhost:8123", 1500*time.Millisecond)
	assert.NotContains(t, script, "\n")
	assert.Equal(t, 1, strings.Count(script, "</"))
	assert.NotContains(t, script, "<!--")
	assert.Contains(t, script, `"http://localhost:8123"`)
	assert.Contains(t, script, `Number("1500")`)
	for _, r := range script {
		assert.Less(t, r, rune(0x80))
	}
	assert.Less(t, len(script), 10<<10)
}

// The script comes before all that could be seen to run or to load, and after what a
// document must begin with.
func TestInto(t *testing.T) {
	for doc, want := range map[string]string{
		"":                               "#",
		"  \n":                           "  \n#",
		"a":                              "#a",
		" \n\ta":                         " \n\t#a",
		"<p>":                            "#<p>",
		"\ufeff<!doctype html>\n<p>":     "\ufeff<!doctype html>\n#<p>",
		"<!-- <head> --><head>\n<title>": "<!-- <head> --><head>#\n<title>",
		"<!doctype html><html lang='>'>\n<HEAD class=head>x": "<!doctype html><html lang='>'>\n<HEAD class=head>#x",
		"<html>\n<body>":                     "<html>\n#<body>",
		"<?xml version='1.0'?><html><title>": "<?xml version='1.0'?><html>#<title>",
		"</p><p>":                            "#</p><p>",
		"<script>'<head>'</script>":          "#<script>'<head>'</script>",
		"<header>":                           "#<header>",
		"\x00<head>":                         "#\x00<head>",
		"<html":                              "#<html",
	} {
		got, _ := Into(doc, "#")
		assert.Equal(t, want, got, "%q", doc)
	}
}

// A position in the served document is turned into one in the document as it was.
func TestUndo(t *testing.T) {
	type position struct{ line, column int }
	for doc, want := range map[string]map[position]position{
		// In UTF-16 units, and without a byte order mark.
		"<!doctype html>\n<html>\r\n<!--😀--><head>x": {
			{1, 5}: {1, 5}, {3, 15}: {3, 15}, {3, 16}: {}, {3, 20}: {}, {3, 21}: {3, 16}, {3, 22}: {3, 17}, {4, 1}: {4, 1},
		},
		"\ufeff<head>x": {{1, 7}: {}, {1, 12}: {1, 7}},
		"\r\r<p>":       {{3, 1}: {}, {3, 6}: {3, 1}, {1, 1}: {1, 1}},
	} {
		_, place := Into(doc, "12345")
		for at, want := range want {
			line, column, ok := place.Undo(at.line, at.column)
			assert.Equal(t, want, position{line, column}, "%q %v", doc, at)
			assert.Equal(t, want != position{}, ok)
		}
	}
}

func FuzzInto(f *testing.F) {
	f.Add("<!doctype html><head>")
	f.Fuzz(func(t *testing.T, doc string) {
		got, place := Into(doc, "<script></script>")
		if strings.Replace(got, "<script></script>", "", 1) != doc && !strings.Contains(doc, "<script></script>") {
			t.Errorf("%q became %q", doc, got)
		}
		if line, column, ok := place.Undo(place.line, place.column+place.length); !ok || line != place.line || column != place.column {
			t.Errorf("%q: %+v", doc, place)
		}
	})
}
