package openairules

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// object returns v as an object. It adds a problem for any other value.
func (l *list) object(v any, place, remedy string) (map[string]any, bool) {
	m, ok := v.(map[string]any)
	if !ok || m == nil {
		l.add(Type, place, remedy, "%s is not an object", text.JSON(v))
		return nil, false
	}
	return m, true
}

// array returns v as an array. It adds a problem for any other value.
func (l *list) array(v any, place, remedy string) ([]any, bool) {
	a, ok := v.([]any)
	if !ok || a == nil {
		l.add(Type, place, remedy, "%s is not an array", text.JSON(v))
		return nil, false
	}
	return a, true
}

// keys adds a problem for each key of m that is not among the known ones. Elsewhere has a
// remedy for keys that are known in another place.
func (l *list) keys(m map[string]any, place string, elsewhere map[string]string, known ...string) {
	if len(m) <= len(known) && !slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(k string) bool { return !slices.Contains(known, k) }) {
		return
	}
	unknown := make([]string, 0, len(m))
	for k := range m {
		if !slices.Contains(known, k) {
			unknown = append(unknown, k)
		}
	}
	slices.Sort(unknown)
	for _, k := range unknown {
		remedy := elsewhere[k]
		if remedy == "" {
			remedy = "remove it; known are " + strings.Join(known, ", ")
		}
		l.add(Key, place, remedy, "it has the unknown key %s, for which clients may reject the object", text.Quote(k))
	}
}
