package sourcemap_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(m *sourcemap.Map, line, column int) string {
	source, line, column, ok := m.Position(line, column)
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%s:%d:%d", source, line, column)
}

// Each part begins where the one before it ends, also within a line and after
// characters of two code units.
func TestWriter(t *testing.T) {
	var w sourcemap.Writer
	w.Copied("page.html", 0, 0, "<p>\nü😀")
	w.Text("glue")
	w.Compiled("f();\n g()", []string{"a.js", "b.js"}, []sourcemap.Segment{
		{Line: 0, Column: 0, Source: 0, SourceLine: 6, SourceColumn: 2}, {Line: 0, Column: 2, Source: -1},
		{Line: 1, Column: 1, Source: 1, SourceLine: 8, SourceColumn: 1}})
	w.At("page.html", 4, 2, "<b>\n</b>")
	w.Copied("page.html", 5, 1, "x\ny")
	w.Copied("page.html", 7, 7, "")
	data, err := json.Marshal(w.Value())
	require.NoError(t, err)
	assert.Equal(t, `{"sections":[`+
		`{"map":{"mappings":"AAAA;AACA","names":[],"sources":["page.html"],"version":3,"x_mcpapps_copied":true},"offset":{"column":0,"line":0}},`+
		`{"map":{"mappings":"","names":[],"sources":[],"version":3},"offset":{"column":3,"line":1}},`+
		`{"map":{"mappings":"AAME,E;CCED","names":[],"sources":["a.js","b.js"],"version":3},"offset":{"column":7,"line":1}},`+
		`{"map":{"mappings":"AAIE;AAAA","names":[],"sources":["page.html"],"version":3},"offset":{"column":4,"line":2}},`+
		`{"map":{"mappings":"AAKC;AACD","names":[],"sources":["page.html"],"version":3,"x_mcpapps_copied":true},"offset":{"column":4,"line":3}}],"version":3}`,
		string(data))
	for _, v := range []any{w.Value(), data, string(data), json.RawMessage(data)} {
		m, err := sourcemap.Parse(v)
		require.NoError(t, err)
		for place, want := range map[[2]int]string{
			{1, 1}: "page.html:1:1", {1, 3}: "page.html:1:3", {2, 3}: "page.html:2:3",
			{2, 4}: "none", {2, 8}: "a.js:7:3", {2, 9}: "a.js:7:3", {2, 10}: "none", {3, 1}: "none",
			{3, 2}: "b.js:9:2", {3, 5}: "page.html:5:3", {4, 1}: "page.html:5:3", {4, 5}: "page.html:6:2", {5, 2}: "page.html:7:2",
			{0, 1}: "none", {1, 0}: "none", {6, 1}: "none", {1 << 40, 1}: "none",
		} {
			assert.Equal(t, want, at(m, place[0], place[1]), "%v", place)
		}
	}
	assert.Equal(t, "none", at(nil, 1, 1))
	m, err := sourcemap.Parse((&sourcemap.Writer{}).Value())
	require.NoError(t, err)
	assert.Equal(t, "none", at(m, 1, 1))
}

// A compiler's map is read as a section that begins at the beginning.
func TestParseCompilersMap(t *testing.T) {
	result := api.Transform("let a: number = 1\n\nf(a)", api.TransformOptions{Loader: api.LoaderTS, Sourcefile: "a.ts", Sourcemap: api.SourceMapExternal})
	m, err := sourcemap.Parse(result.Map)
	require.NoError(t, err)
	require.Equal(t, "let a = 1;\nf(a);\n", string(result.Code))
	assert.Equal(t, "a.ts:1:17", at(m, 1, 9))
	assert.Equal(t, "a.ts:3:3", at(m, 2, 3))
}

func TestParseErrors(t *testing.T) {
	many := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	for in, want := range map[string]string{
		`{`:             "source map: unexpected end of JSON input",
		`"x"`:           "source map: json: cannot unmarshal string into Go value of type sourcemap.encoded",
		`{}`:            "source map: its version is 0, not 3",
		`{"version":4}`: "source map: its version is 4, not 3",
		`{"version":3,"sources":[` + many(1<<16+1, `"a"`) + `]}`:                            "source map: it is too large",
		`{"version":3,"sections":[` + many(1<<16+1, `{}`) + `]}`:                            "source map: it is too large",
		`{"version":3,"sections":[{"offset":{"line":-1}}]}`:                                 "source map: sections[0] has an invalid offset",
		`{"version":3,"sections":[{"offset":{"column":2147483648}}]}`:                       "source map: sections[0] has an invalid offset",
		`{"version":3,"sections":[{"offset":{"line":1}},{"offset":{"line":0,"column":9}}]}`: "source map: sections[1] begins before the one before it",
	} {
		_, err := sourcemap.Parse(in)
		if len(in) > 100 {
			in = in[:100]
		}
		assert.EqualError(t, err, want, in)
	}
	_, err := sourcemap.Parse(func() {})
	assert.ErrorContains(t, err, "source map: json: unsupported type")
	_, err = sourcemap.Parse(`{"version":3,"mappings":"` + strings.Repeat("A", 8<<20+1) + `"}`)
	assert.EqualError(t, err, "source map: it is too large")
}

// Whatever a map says, no position is found where it makes no sense, and no name that
// can't be shown.
func TestPositionOfHostileMap(t *testing.T) {
	for mappings, want := range map[string]string{
		"AAAA": "a:1:1", "DAAA": "none", "A": "none", "AA": "none", "AAA": "none", "AAAAAA": "none", "ACAA": "none", "AADA": "none", "ADAA": "none",
		"!": "none", "g": "none", "ggggggggggggggB": "none", "AAAggggggggggggggB": "none", ";;;": "none", "AAAA,!": "a:1:1",
		"AA+/////DA": "a:2147483648:1", "CAAA,DACA": "a:2:1", "AEAA": "none", "AIAA": "none", "AGAA": "none", "AKAA": "b:1:1",
	} {
		m, err := sourcemap.Parse(map[string]any{"version": 3, "mappings": mappings,
			"sources": []any{"a", nil, "evil\x1b[2J", strings.Repeat("x", 2000), "\u202eright to left", "b"}})
		require.NoError(t, err)
		assert.Equal(t, want, at(m, 1, 1), mappings)
	}
}

// Reading a map and finding a position in it takes no more than it has bytes.
func TestManyEmptyLines(t *testing.T) {
	m, err := sourcemap.Parse(map[string]any{"version": 3, "sources": []any{"a"}, "mappings": strings.Repeat(";", 1<<20) + "AAAA"})
	require.NoError(t, err)
	assert.Equal(t, "a:1:1", at(m, 1<<20+1, 1))
	assert.Equal(t, "none", at(m, 1<<20, 1))
}

// The largest map that is read takes a bounded amount of memory, once.
func TestMemoryOfHostileMap(t *testing.T) {
	m, err := sourcemap.Parse(map[string]any{"version": 3, "sources": []any{"a"}, "mappings": "AAAA" + strings.Repeat(",A", 4<<20-2)})
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	assert.Equal(t, "none", at(m, 1, 1))
	assert.Equal(t, "none", at(m, 1, 1))
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20))
}

func FuzzParse(f *testing.F) {
	f.Add(`{"version":3,"sources":["a"],"mappings":"AAAA,CAAC;;AACA"}`, 1, 2)
	f.Add(`{"version":3,"sections":[{"offset":{"line":1,"column":3},"map":{"sources":["a",null],"mappings":"AACA,E","x_mcpapps_copied":true}}]}`, 2, 9)
	f.Add(`{"version":3,"sections":[null,{}],"mappings":"+/////D"}`, 1, 1)
	f.Fuzz(func(t *testing.T, data string, line, column int) {
		m, err := sourcemap.Parse(data)
		if err != nil {
			return
		}
		source, line, column, ok := m.Position(line, column)
		if ok && (source == "" || line < 1 || column < 1) {
			t.Errorf("%q:%d:%d", source, line, column)
		}
		sources, segments := sourcemap.Decode([]byte(data))
		var w sourcemap.Writer
		w.Compiled("x", sources, segments)
		again, err := sourcemap.Parse(w.Value())
		if err != nil {
			t.Fatal(err)
		}
		plain, err := sourcemap.Parse(w.Value()["sections"].([]any)[0].(map[string]any)["map"])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range segments {
			if a, b := at(again, int(s.Line)+1, int(s.Column)+1), at(plain, int(s.Line)+1, int(s.Column)+1); a != b {
				t.Errorf("%q: %s, %s", data, a, b)
			}
		}
	})
}
