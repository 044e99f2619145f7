// Package factwords writes the values of facts of package compat for people.
package factwords

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value returns a value, which is JSON, in words: "unknown" for "", "none" for an empty
// list or size.
func Value(value string) string {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return "unknown"
	}
	var words []string
	switch v := v.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		for _, e := range v {
			words = append(words, fmt.Sprint(e))
		}
	case map[string]any: // a size
		for _, side := range []struct{ key, words string }{{"width", "%v wide"}, {"maxWidth", "at most %v wide"}, {"height", "%v high"}, {"maxHeight", "at most %v high"}} {
			if n, ok := v[side.key]; ok {
				words = append(words, fmt.Sprintf(side.words, n))
			}
		}
	case float64:
		return fmt.Sprintf("%.0f", v)
	default:
		return fmt.Sprint(v)
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
