package tooltypes

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// literalsOf returns the values of const and enum that have one of the types.
func literalsOf(s map[string]any, known kinds) ([]string, bool) {
	values, ok := s["enum"].([]any)
	if v, isConst := s["const"]; isConst {
		values, ok = []any{v}, true
	}
	if !ok {
		return nil, false
	}
	var all []string
	for _, v := range values {
		if known.has(kindOf(v)) {
			all = append(all, literal(v))
		}
	}
	return all, true
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "integer" // allowed as a number too
}

// literal returns the type of one JSON value.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return quote(v)
	case json.Number:
		if f, err := v.Float64(); err != nil || math.IsInf(f, 0) {
			return "number"
		}
		return v.String()
	case []any:
		var items []string
		for _, e := range v {
			items = append(items, literal(e))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var fields []string
		for _, k := range sortedKeys(v) {
			fields = append(fields, propertyName(k)+": "+literal(v[k]))
		}
		if len(fields) == 0 {
			return "{ [key: string]: never }"
		}
		return "{ " + strings.Join(fields, "; ") + " }"
	}
	return "unknown"
}
