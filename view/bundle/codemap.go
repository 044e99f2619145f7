package bundle

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// A codeMap says where compiled code stands in its sources, which have the names
// that they have in the file system.
type codeMap struct {
	sources  []string
	segments []sourcemap.Segment
}

// compilerMap reads the source map of a compiler. It is nil if it is invalid.
func compilerMap(encoded []byte) *sourcemap.Map {
	m, _ := sourcemap.Parse(encoded)
	return m
}

// inSource returns the place in the source for one in compiled code, or the beginning
// if the map does not have the position.
func inSource(m *sourcemap.Map, line, column int) (sourceLine, sourceColumn int) {
	if _, line, column, ok := m.Position(line, column); ok {
		return line, column
	}
	return 1, 1
}

// sourceMapOption returns the compiler's options for source maps.
func (b *bundler) sourceMapOption() (api.SourceMap, api.SourcesContent) {
	switch {
	case b.maps && b.opts.SourceMaps:
		return api.SourceMapInlineAndExternal, api.SourcesContentInclude
	case b.maps:
		return api.SourceMapExternal, api.SourcesContentExclude
	case b.opts.SourceMaps:
		return api.SourceMapInline, api.SourcesContentInclude
	}
	return api.SourceMapNone, api.SourcesContentExclude
}

// codeMap reads the compiler's map of code. Positions in a text of the page become
// positions in the page.
func (c *compilation) codeMap(encoded []byte) *codeMap {
	if encoded == nil {
		return nil
	}
	sources, segments := sourcemap.Decode(encoded)
	m := &codeMap{sources: make([]string, len(sources))}
	starts, foreign := make(map[int32]textStart), make(map[int32]bool)
	for i, source := range sources {
		namespace, name, _ := strings.Cut(source, ":")
		switch namespace {
		case inFiles:
			m.sources[i], _, _ = strings.Cut(name, "?")
			foreign[int32(i)] = inNodeModules(name)
		case inRuntime:
			m.sources[i], foreign[int32(i)] = name, true
		case inPage:
			if p, ok := c.page[name]; ok && p.offset >= 0 {
				m.sources[i] = c.b.name
				starts[int32(i)] = c.b.startOf(p.offset)
			}
		}
	}
	m.segments = segments[:0]
	var last sourcemap.Segment
	for i, s := range segments {
		if s.Source < 0 || int(s.Source) >= len(sources) || m.sources[s.Source] == "" {
			s.Source, s.SourceLine, s.SourceColumn = -1, 0, 0
		} else if start, ok := starts[s.Source]; ok {
			s = start.moved(s)
		}
		// Of what the author did not write, lines are enough.
		if i > 0 && s.Line == last.Line && s.Source == last.Source && s.SourceLine == last.SourceLine &&
			(s.Source < 0 || foreign[s.Source]) {
			continue
		}
		m.segments = append(m.segments, s)
		last = s
	}
	return m
}

// textStart says how positions in a text of the page as it is compiled, from 0, become
// positions in the page.
type textStart struct {
	first         int32 // the line of the compiled text on which the page's text begins
	lines, column int32 // what is added to lines, and to the columns of the first line
}

// startOf returns that of the text at an offset.
func (b *bundler) startOf(offset int) textStart {
	line, column := b.lines.Position(offset)
	_, units := sourcemap.Size(strings.TrimPrefix(b.src[offset-column+1:offset], byteOrderMark))
	if _, at := b.placed("", offset); at == (place{}) { // it has been put where it is, in columns of bytes
		return textStart{first: int32(line - 1), column: units - int32(column-1)}
	}
	return textStart{lines: int32(line - 1), column: units}
}

func (t textStart) moved(s sourcemap.Segment) sourcemap.Segment {
	if s.SourceLine == t.first {
		s.SourceColumn += t.column
	}
	s.SourceLine += t.lines
	return s
}

// escaped returns the map of code in which tags were escaped by escapeTags, which
// moves what follows on their lines.
func (m *codeMap) escaped(before, after string) *codeMap {
	if m == nil || before == after {
		return m
	}
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	moved := &codeMap{sources: m.sources}
	var line, from, to int // the place in was and is
	var units, added int32 // UTF-16 code units before from, and how many more there are before to
	for _, s := range m.segments {
		if int(s.Line) != line {
			line, from, to, units, added = int(s.Line), 0, 0, 0, 0
		}
		for line < len(was) && line < len(is) && from < len(was[line]) && units < s.Column {
			rest := is[line][to:]
			switch {
			case strings.HasPrefix(rest, `\x3C`) && was[line][from] == '<':
				to, added = to+4, added+3
			case strings.HasPrefix(rest, `\`) && was[line][from] != '\\':
				to, added = to+2, added+1
			default:
				to++
			}
			if b := was[line][from]; b < 0x80 || b >= 0xc0 {
				units++
				if b >= 0xf0 {
					units++
				}
			}
			from++
		}
		s.Column += added
		moved.segments = append(moved.segments, s)
	}
	return moved
}
