package openairules

import (
	"encoding/json"
	"fmt"
	"strings"
)

func (l *list) full() bool { return len(l.problems) >= maxProblems }

// typeName returns the JSON type of a value whose content is not for messages.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case float64, json.Number:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("a %T", v)
}

func blank(v any) bool {
	s, ok := v.(string)
	return !ok || strings.TrimSpace(s) == ""
}
