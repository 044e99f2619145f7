package view_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/mcpapps-go/mcpapps/view"
)

// compressed returns the larger of two sizes in bytes: of "gzip -9", which stores
// the file's name, and of Go's gzip at the same level.
func compressed(t *testing.T, file, text string) int {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	n := b.Len()
	if out, err := exec.Command("gzip", "-9", "-c", file).Output(); err == nil {
		n = max(n, len(out))
	}
	return n
}

func TestSize(t *testing.T) {
	for _, m := range []struct {
		name, text string
		limit      int
	}{
		{"mcp-app.min.js", view.Script(), 5120},
		{"mcp-app-data.min.js", view.DataScript(), 2560},
		{"mcp-app-openai.min.js", view.OpenAIScript(), 1536},
		{"mcp-app-react.min.js", view.ReactScript(), 1024},
	} {
		n := compressed(t, m.name, m.text)
		t.Logf("%s: %d bytes, %d compressed", m.name, len(m.text), n)
		assert.LessOrEqual(t, n, m.limit, m.name)
	}
}

// Each module can be put inline in a script element of a document of any encoding,
// and uses neither eval nor the network.
func TestScriptsCanBeInlined(t *testing.T) {
	for _, text := range []string{view.Script(), view.DataScript(), view.OpenAIScript(), view.ReactScript()} {
		assert.Equal(t, -1, strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }))
		for _, word := range []string{"</script", "<!--", "eval(", "new Function", "import(", "fetch(", "sourceMappingURL"} {
			assert.NotContains(t, strings.ToLower(text), strings.ToLower(word))
		}
	}
	imports := regexp.MustCompile(`from"([^"]*)"`)
	assert.Empty(t, imports.FindAllString(view.Script(), -1))
	assert.Empty(t, imports.FindAllString(view.DataScript(), -1))
	assert.Empty(t, imports.FindAllString(view.OpenAIScript(), -1))
	for _, m := range imports.FindAllStringSubmatch(view.ReactScript(), -1) {
		assert.Contains(t, []string{"mcp-app", "react"}, m[1])
	}
}

func TestTypesNameTheModules(t *testing.T) {
	for text, modules := range map[string][]string{
		view.Types():       {"mcp-app", "@modelcontextprotocol/ext-apps"},
		view.DataTypes():   {"mcp-app/data"},
		view.OpenAITypes(): {"mcp-app/openai"},
		view.ReactTypes():  {"mcp-app/react", "@modelcontextprotocol/ext-apps/react"},
	} {
		for _, m := range modules {
			assert.Contains(t, text, `declare module "`+m+`" {`)
		}
	}
}

func TestDataSurvivesAnHTMLParser(t *testing.T) {
	for _, v := range []any{
		"</script><script>alert(1)</script>",
		"<!--<script>",
		"a\u2028b\u2029c & <d> \x00",
		map[string]any{"</ScRiPt >": []any{nil, true, 1.5, "\"'`${x}"}},
		json.RawMessage(`{"raw":"</script>","n":9007199254740993}`),
		struct {
			A *int `json:"a<b"`
		}{},
	} {
		text, err := view.Data(v)
		require.NoError(t, err)
		doc, err := html.Parse(strings.NewReader(`<!doctype html><script type="application/json">` + text + `</script><p>after</p>`))
		require.NoError(t, err)
		var scripts []string
		for n := range doc.Descendants() {
			if n.Data == "script" {
				scripts = append(scripts, n.FirstChild.Data)
			}
		}
		require.Len(t, scripts, 1, "%v", v)
		want, err := json.Marshal(v)
		require.NoError(t, err)
		assert.JSONEq(t, string(want), scripts[0])
		assert.NotContains(t, text, "\u2028")
	}
}

func TestDataErrors(t *testing.T) {
	_, err := view.Data(map[string]any{"x": math.NaN()})
	require.EqualError(t, err, "view.Data: map[string]interface {}: json: unsupported value: NaN")
	_, err = view.Data(json.RawMessage(`{`))
	require.Error(t, err)
}
