// Package sourcemap reads and writes source maps (ECMA-426). A document has an index
// map, with a section for each of its parts; compiled code has a plain one.
package sourcemap

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Bounds on a map from a stranger.
const (
	maxMappings = 8 << 20 // bytes of mappings of all sections, each two of which may become a Segment
	maxSections = 1 << 16
	maxSources  = 1 << 16 // names of all sections
	maxName     = 1 << 10 // bytes of the name of a source
)

// A Map is a source map of a document or of compiled code. It is safe for concurrent
// use.
type Map struct{ sections []*section }

// A section maps what begins at a position of the generated code.
type section struct {
	line, column int32 // from 0
	sources      []string
	copied       bool // text between two segments is that of the source

	decode   sync.Once
	mappings string
	segments []Segment
}

// encoded is a source map as JSON.
type encoded struct {
	Version  int              `json:"version"`
	Sections []encodedSection `json:"sections"`
	plain
}

type encodedSection struct {
	Offset struct {
		Line   int64 `json:"line"`
		Column int64 `json:"column"`
	} `json:"offset"`
	Map plain `json:"map"`
}

type plain struct {
	Sources  []*string `json:"sources"`
	Mappings string    `json:"mappings"`
	// Copied is an extension of the standard: text between two mappings of a line is that
	// of the source, so that a column is as far from the mapping in both.
	Copied bool `json:"x_mcpapps_copied"`
}

// Parse reads a source map: its JSON as a []byte, a json.RawMessage or a string, or
// what JSON decodes to, such as the value of a key of _meta. The map may be anybody's:
// its size is bounded, and where its mappings are invalid no position is found. Parse
// returns an error for a value that is not a source map.
func Parse(v any) (*Map, error) {
	var data []byte
	switch v := v.(type) {
	case []byte:
		data = v
	case json.RawMessage:
		data = v
	case string:
		data = []byte(v)
	default:
		var err error
		if data, err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("source map: %w", err)
		}
	}
	var e encoded
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	if e.Version != 3 {
		return nil, fmt.Errorf("source map: its version is %d, not 3", e.Version)
	}
	if e.Sections == nil {
		e.Sections = []encodedSection{{Map: e.plain}}
	}
	m := &Map{}
	var mappings, sources int
	for i, s := range e.Sections {
		mappings += len(s.Map.Mappings)
		sources += len(s.Map.Sources)
		if i == maxSections || mappings > maxMappings || sources > maxSources {
			return nil, errors.New("source map: it is too large")
		}
		if !isValid(s.Offset.Line) || !isValid(s.Offset.Column) {
			return nil, fmt.Errorf("source map: sections[%d] has an invalid offset", i)
		}
		to := &section{line: int32(s.Offset.Line), column: int32(s.Offset.Column), mappings: s.Map.Mappings, copied: s.Map.Copied}
		if i > 0 && to.before(m.sections[i-1]) {
			return nil, fmt.Errorf("source map: sections[%d] begins before the one before it", i)
		}
		for _, name := range s.Map.Sources {
			to.sources = append(to.sources, readName(name))
		}
		m.sections = append(m.sections, to)
	}
	return m, nil
}

func (s *section) before(other *section) bool {
	return s.line < other.line || s.line == other.line && s.column < other.column
}

// readName returns the name of a source, "" for one that can't be shown.
func readName(name *string) string {
	if name == nil || len(*name) > maxName || !utf8.ValidString(*name) || text.Printable(*name) != *name {
		return ""
	}
	return *name
}

// Position returns where the code at a line and a column of the document stands in
// its source. Lines and columns count from 1, columns in UTF-16 code units, as in the
// messages of browsers. It returns false if the map has no source for the position.
//
// For a copied part the result is exact. For compiled code it is the beginning of the
// expression or statement at or before the position, as the compiler recorded it.
func (m *Map) Position(line, column int) (source string, sourceLine, sourceColumn int, ok bool) {
	if m == nil || line < 1 || column < 1 || line > maxValue || column > maxValue {
		return "", 0, 0, false
	}
	at := &section{line: int32(line - 1), column: int32(column - 1)}
	i := sort.Search(len(m.sections), func(i int) bool { return at.before(m.sections[i]) })
	if i == 0 {
		return "", 0, 0, false
	}
	s := m.sections[i-1]
	if at.line -= s.line; at.line == 0 {
		at.column -= s.column
	}
	s.decode.Do(func() { s.segments, s.mappings = decode(s.mappings), "" })
	seg, found := find(s.segments, at.line, at.column)
	if !found || seg.Source < 0 || int(seg.Source) >= len(s.sources) || s.sources[seg.Source] == "" {
		return "", 0, 0, false
	}
	to := int(seg.SourceColumn) + 1
	if s.copied {
		to += int(at.column - seg.Column)
	}
	return s.sources[seg.Source], int(seg.SourceLine) + 1, to, true
}
