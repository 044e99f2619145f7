package bundle

import (
	"encoding/json"
	"strings"
)

// originalPosition returns the position in the source for a position in the
// generated code: that of the last mapping at or before it on its line. Lines and
// columns are from 0.
func originalPosition(sourceMap []byte, line, column int) (originalLine, originalColumn int) {
	var m struct {
		Mappings string `json:"mappings"`
	}
	if json.Unmarshal(sourceMap, &m) != nil {
		return 0, 0
	}
	var source, toLine, toColumn int
	for i, group := range strings.Split(m.Mappings, ";") {
		generated := 0
		for _, segment := range strings.Split(group, ",") {
			fields := vlq(segment)
			if len(fields) < 4 {
				continue
			}
			generated += fields[0]
			source += fields[1]
			toLine += fields[2]
			toColumn += fields[3]
			if i == line && generated <= column {
				originalLine, originalColumn = toLine, toColumn
			}
		}
		if i == line {
			return originalLine, originalColumn
		}
	}
	return 0, 0
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
