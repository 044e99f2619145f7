package bundle

import (
	"encoding/json"
	"sort"
	"strings"
)

// A sourceMap has the mappings of each line of generated code, in the order of their
// columns. Lines and columns are from 0.
type sourceMap [][]mapping

type mapping struct{ generated, line, column int }

// readSourceMap reads an encoded source map. One that is invalid has no mappings.
func readSourceMap(encoded []byte) sourceMap {
	var m struct {
		Mappings string `json:"mappings"`
	}
	if json.Unmarshal(encoded, &m) != nil {
		return nil
	}
	var all sourceMap
	var line, column int
	for group := range strings.SplitSeq(m.Mappings, ";") {
		var mappings []mapping
		generated := 0
		for segment := range strings.SplitSeq(group, ",") {
			fields := vlq(segment)
			if len(fields) < 4 {
				continue
			}
			generated += fields[0]
			line += fields[2]
			column += fields[3]
			mappings = append(mappings, mapping{generated, line, column})
		}
		all = append(all, mappings)
	}
	return all
}

// position returns the position in the source for a position in the generated code:
// that of the last mapping at or before it on its line, or the beginning.
func (m sourceMap) position(line, column int) (originalLine, originalColumn int) {
	if line < 0 || line >= len(m) {
		return 0, 0
	}
	mappings := m[line]
	i := sort.Search(len(mappings), func(i int) bool { return mappings[i].generated > column })
	if i == 0 {
		return 0, 0
	}
	return mappings[i-1].line, mappings[i-1].column
}

// vlq decodes a segment of mappings: base64 variable-length quantities.
func vlq(segment string) []int {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var fields []int
	value, shift := 0, 0
	for i := 0; i < len(segment); i++ {
		d := strings.IndexByte(digits, segment[i])
		if d < 0 {
			return nil
		}
		value |= d & 31 << shift
		if d&32 != 0 {
			shift += 5
			continue
		}
		n := value >> 1
		if value&1 != 0 {
			n = -n
		}
		fields = append(fields, n)
		value, shift = 0, 0
	}
	return fields
}
