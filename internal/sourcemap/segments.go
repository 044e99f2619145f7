package sourcemap

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// A Segment maps a position in generated code to one in a source. All numbers count
// from 0, columns in UTF-16 code units.
type Segment struct {
	Line, Column             int32 // in the generated code
	Source                   int32 // the index of the source, -1 if the code has none
	SourceLine, SourceColumn int32
}

const (
	digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	// maxValue bounds each number. Beyond it the mappings are not read any further.
	maxValue = math.MaxInt32
)

// decode reads encoded mappings, in the order of their positions. It reads as far as
// they are valid.
func decode(mappings string) []Segment {
	var (
		all                         = make([]Segment, 0, count(mappings))
		line                        int32
		column, source, row, offset int64
		fields                      [5]int64
	)
	for at := 0; at < len(mappings); {
		switch mappings[at] {
		case ';':
			if line == maxValue {
				return all
			}
			line, column = line+1, 0
			at++
			continue
		case ',':
			at++
			continue
		}
		n := 0
		for at < len(mappings) && mappings[at] != ',' && mappings[at] != ';' {
			value, next := readVLQ(mappings, at)
			if next < 0 || n == len(fields) {
				return sorted(all)
			}
			fields[n], at = value, next
			n++
		}
		if column += fields[0]; !isValid(column) {
			return sorted(all)
		}
		s := Segment{Line: line, Column: int32(column), Source: -1}
		switch n {
		case 1:
		case 4, 5:
			source, row, offset = source+fields[1], row+fields[2], offset+fields[3]
			if !isValid(source) || !isValid(row) || !isValid(offset) {
				return sorted(all)
			}
			s.Source, s.SourceLine, s.SourceColumn = int32(source), int32(row), int32(offset)
		default:
			return sorted(all)
		}
		all = append(all, s)
	}
	return sorted(all)
}

// count returns how many segments there may be, so that they are stored once.
func count(mappings string) (n int) {
	for i := range len(mappings) {
		if isSeparator(mappings[i]) {
			continue
		}
		if i == 0 || isSeparator(mappings[i-1]) {
			n++
		}
	}
	return n
}

func isSeparator(b byte) bool { return b == ',' || b == ';' }

func isValid(n int64) bool { return 0 <= n && n <= maxValue }

func sorted(all []Segment) []Segment {
	order := func(a, b Segment) int {
		if a.Line != b.Line {
			return int(a.Line) - int(b.Line)
		}
		return int(a.Column) - int(b.Column)
	}
	if !slices.IsSortedFunc(all, order) {
		slices.SortStableFunc(all, order)
	}
	return all
}

// readVLQ reads a base64 variable-length quantity. next is negative if it is invalid.
func readVLQ(s string, at int) (value int64, next int) {
	var bits int64
	for shift := 0; at < len(s) && shift < 35; shift += 5 {
		d := strings.IndexByte(digits, s[at])
		if d < 0 {
			return 0, -1
		}
		at++
		bits |= int64(d&31) << shift
		if d&32 == 0 {
			if value = bits >> 1; bits&1 != 0 {
				value = -value
			}
			return value, at
		}
	}
	return 0, -1
}

// encode writes mappings, which are in the order of their positions.
func encode(all []Segment) string {
	var out []byte
	var last Segment
	for i, s := range all {
		if s.Line > last.Line {
			out = append(out, strings.Repeat(";", int(s.Line-last.Line))...)
			last.Line, last.Column = s.Line, 0
		} else if i > 0 {
			out = append(out, ',')
		}
		out = appendVLQ(out, s.Column-last.Column)
		last.Column = s.Column
		if s.Source < 0 {
			continue
		}
		out = appendVLQ(out, s.Source-last.Source)
		out = appendVLQ(out, s.SourceLine-last.SourceLine)
		out = appendVLQ(out, s.SourceColumn-last.SourceColumn)
		last.Source, last.SourceLine, last.SourceColumn = s.Source, s.SourceLine, s.SourceColumn
	}
	return string(out)
}

func appendVLQ(out []byte, n int32) []byte {
	bits := uint64(n) << 1
	if n < 0 {
		bits = uint64(-int64(n))<<1 | 1
	}
	for {
		d := bits & 31
		if bits >>= 5; bits > 0 {
			d |= 32
		}
		out = append(out, digits[d])
		if bits == 0 {
			return out
		}
	}
}

// find returns the last segment at or before a position on its line.
func find(all []Segment, line, column int32) (Segment, bool) {
	i := sort.Search(len(all), func(i int) bool {
		return all[i].Line > line || all[i].Line == line && all[i].Column > column
	})
	if i == 0 || all[i-1].Line != line {
		return Segment{}, false
	}
	return all[i-1], true
}
