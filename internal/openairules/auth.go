package openairules

import (
	"reflect"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Result returns the problems of the keys of OpenAI's layer in the _meta of a tool's
// result, with pointers in the result.
func Result(result map[string]any) []Problem {
	meta, _ := result["_meta"].(map[string]any)
	v, ok := meta[metakey.Authenticate]
	if !ok {
		return nil
	}
	var l list
	place := at("", "_meta", metakey.Authenticate)
	const remedy = "write the value of a WWW-Authenticate header, or an array of such strings"
	switch v := v.(type) {
	case string:
	case []any:
		for i, challenge := range v {
			if _, ok := challenge.(string); !ok {
				l.add(Auth, at(place, i), remedy, "%s is not a string", text.JSON(challenge))
			}
		}
	default:
		l.add(Auth, place, remedy, "%s is neither a string nor an array of strings", text.JSON(v))
	}
	return l.problems
}

// securitySchemes adds the problems of _meta.securitySchemes on a tool. It repeats the
// tool's field of the same name for clients whose SDK drops that field.
func (l *list) securitySchemes(entry, meta map[string]any) {
	v, ok := meta[metakey.SecuritySchemes]
	if !ok {
		return
	}
	place := at("", "_meta", metakey.SecuritySchemes)
	const remedy = `write [{"type": "oauth2", "scopes": […]}] or [{"type": "noauth"}], or leave the key out`
	schemes, ok := v.([]any)
	if !ok {
		l.add(Auth, place, remedy, "%s is not an array", text.JSON(v))
		return
	}
	before := len(l.problems)
	for i, scheme := range schemes {
		m, _ := scheme.(map[string]any)
		if m == nil {
			l.add(Auth, at(place, i), remedy, "%s is not an object", text.JSON(scheme))
		} else if blank(m["type"]) {
			l.add(Auth, at(place, i), remedy, "it has no type: %s", text.JSON(scheme))
		}
	}
	field, ok := entry[metakey.SecuritySchemes]
	if ok && len(l.problems) == before && !reflect.DeepEqual(field, v) {
		l.add(Auth, place, "write the same value in both places", "it differs from the tool's own securitySchemes, and clients read one or the other")
	}
}
