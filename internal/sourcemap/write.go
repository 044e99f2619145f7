package sourcemap

import (
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"
)

// A Writer makes the index map of a document from its parts, which are added in their
// order. The zero value is ready to use.
type Writer struct {
	line, column int32 // where the next part begins
	size         int
	sections     []any
}

// Text adds a part that has no source.
func (w *Writer) Text(text string) {
	if text != "" {
		w.section(nil, nil, false)
	}
	w.advance(text)
}

// At adds a part that stands for something at a place of a source, such as the new
// start tag of an element. The place counts from 0.
func (w *Writer) At(source string, line, column int32, text string) {
	if text != "" {
		w.section([]string{source}, everyLine(text, func(i int32) (int32, int32) { return line, column }), false)
	}
	w.advance(text)
}

// Copied adds a part that is a copy of the text at a place of a source. The place
// counts from 0.
func (w *Writer) Copied(source string, line, column int32, text string) {
	if text != "" {
		w.section([]string{source}, everyLine(text, func(i int32) (int32, int32) {
			if i == 0 {
				return line, column
			}
			return line + i, 0
		}), true)
	}
	w.advance(text)
}

// Compiled adds compiled code and its mappings. sources are the names to which
// [Segment.Source] refers.
func (w *Writer) Compiled(text string, sources []string, segments []Segment) {
	if text != "" {
		w.section(sources, segments, false)
	}
	w.advance(text)
}

// Beyond adds code that is not part of the document, but which a browser places on a
// line after its last one, from 0. Nothing but such code can follow.
func (w *Writer) Beyond(line int32, sources []string, segments []Segment) {
	w.line, w.column = line, 0
	w.section(sources, segments, false)
	w.sections[len(w.sections)-1].(map[string]any)[keyBeyond] = true
}

// keyBeyond marks sections of [Writer.Beyond]. It is an extension of the standard.
const keyBeyond = "x_mcpapps_beyond"

// Len returns the approximate length of the map's JSON.
func (w *Writer) Len() int { return w.size }

// Value returns the map as generic JSON.
func (w *Writer) Value() map[string]any {
	sections := w.sections
	if sections == nil {
		sections = []any{}
	}
	return map[string]any{"version": 3.0, "sections": sections}
}

// Replaced returns the map of a document in which the text after before, which is a
// part of its own, was replaced. It changes nothing in the map that it is given.
func Replaced(m map[string]any, before, was, is string) map[string]any {
	line, column := Size(before)
	wasEnd, isEnd := end(line, column, was), end(line, column, is)
	old, _ := m["sections"].([]any)
	sections := make([]any, len(old))
	for i, v := range old {
		s := maps.Clone(v.(map[string]any))
		offset := s["offset"].(map[string]any)
		at := [2]int32{int32(offset["line"].(float64)), int32(offset["column"].(float64))}
		if _, beyond := s[keyBeyond]; !beyond && (at[0] > wasEnd[0] || at[0] == wasEnd[0] && at[1] >= wasEnd[1]) {
			if at[0] == wasEnd[0] {
				at[1] += isEnd[1] - wasEnd[1]
			}
			at[0] += isEnd[0] - wasEnd[0]
		}
		s["offset"] = map[string]any{"line": float64(at[0]), "column": float64(at[1])}
		sections[i] = s
	}
	m = maps.Clone(m)
	m["sections"] = sections
	return m
}

// end returns where a text ends that begins at a place.
func end(line, column int32, text string) [2]int32 {
	lines, columns := Size(text)
	if lines > 0 {
		column = 0
	}
	return [2]int32{line + lines, column + columns}
}

func (w *Writer) section(sources []string, segments []Segment, copied bool) {
	names := make([]any, len(sources))
	for i, name := range sources {
		names[i] = name
	}
	mappings := encode(segments)
	w.size += len(mappings) + 150
	for _, name := range sources {
		w.size += len(name) + 3
	}
	m := map[string]any{"version": 3.0, "sources": names, "names": []any{}, "mappings": mappings}
	if copied {
		m["x_mcpapps_copied"] = true
	}
	w.sections = append(w.sections, map[string]any{
		"offset": map[string]any{"line": float64(w.line), "column": float64(w.column)},
		"map":    m,
	})
}

// everyLine returns a segment for the beginning of each line of a text.
func everyLine(text string, source func(line int32) (int32, int32)) []Segment {
	var all []Segment
	for i := int32(0); ; i++ {
		line, column := source(i)
		all = append(all, Segment{Line: i, SourceLine: line, SourceColumn: column})
		next := strings.IndexByte(text, '\n')
		if next < 0 {
			return all
		}
		text = text[next+1:]
	}
}

// advance moves the place where the next part begins.
func (w *Writer) advance(text string) {
	line, column := Size(text)
	if line > 0 {
		w.column = 0
	}
	w.line += line
	w.column += column
}

// Size returns how many lines a text ends, and the UTF-16 code units after the last
// of them.
func Size(text string) (lines, columns int32) {
	lines = int32(strings.Count(text, "\n"))
	rest := text[strings.LastIndexByte(text, '\n')+1:]
	columns = int32(utf8.RuneCountInString(rest))
	for i := 0; i < len(rest); i++ {
		if rest[i] >= 0xf0 { // a character of two units
			columns++
		}
	}
	return lines, columns
}

// Decode reads a plain source map of a compiler. One that is invalid has no
// segments.
func Decode(data []byte) (sources []string, segments []Segment) {
	var m plain
	if json.Unmarshal(data, &m) != nil {
		return nil, nil
	}
	for _, name := range m.Sources {
		if name == nil {
			name = new(string)
		}
		sources = append(sources, *name)
	}
	return sources, decode(m.Mappings)
}
