package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Extensions returns the union of extension capabilities, as in
// mcp.ServerCapabilities.Extensions of each backend: every extension that one
// of them declares, with the settings of all. It is nil if there are none. The
// union does not depend on the order of the arguments, so that backends may be
// kept in a map, and declares nothing that no backend does.
//
// Settings are combined as decoded JSON: objects key by key; arrays as sets, in
// the order of their elements' JSON; true beside false is true; of two other
// values that differ the greater one is taken, which is as good as any and
// always the same. Settings that are no object, null among them, are {}, since
// capabilities must be objects.
func Extensions(sets ...map[string]any) map[string]any {
	var union map[string]any
	for _, set := range sets {
		for id, settings := range set {
			if union == nil {
				union = make(map[string]any)
			}
			have, ok := union[id]
			if !ok {
				have = map[string]any{}
			}
			union[id] = join(have, generic(settings))
		}
	}
	return union
}

// generic returns v as decoded JSON, nil if it can't be encoded.
func generic(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var decoded any
	if json.Unmarshal(data, &decoded) != nil {
		return nil
	}
	return decoded
}

// join returns the least value that is no less than both: it is commutative,
// associative and idempotent, which is what makes the union independent of
// order. Values of different kinds are ordered by rank.
func join(a, b any) any {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		if d < 0 {
			a = b
		}
		return normal(a)
	}
	switch a := a.(type) {
	case map[string]any:
		out := make(map[string]any, len(a))
		for k, v := range a {
			out[k] = normal(v)
		}
		for k, v := range b.(map[string]any) {
			if have, ok := out[k]; ok {
				out[k] = join(have, v)
			} else {
				out[k] = normal(v)
			}
		}
		return out
	case []any:
		return normal(slices.Concat(a, b.([]any)))
	case bool:
		return a || b.(bool)
	case float64:
		return max(a, b.(float64))
	case string:
		return max(a, b.(string))
	default:
		return a
	}
}

func rank(v any) int {
	switch v.(type) {
	case map[string]any:
		return 5
	case []any:
		return 4
	case string:
		return 3
	case float64:
		return 2
	case bool:
		return 1
	default:
		return 0
	}
}

// normal returns v with its arrays as sorted sets.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = normal(e)
		}
		return out
	case []any:
		type element struct {
			v    any
			json []byte
		}
		set := make([]element, len(v))
		for i, e := range v {
			e = normal(e)
			data, _ := json.Marshal(e) // it comes from JSON
			set[i] = element{e, data}
		}
		slices.SortFunc(set, func(a, b element) int { return bytes.Compare(a.json, b.json) })
		set = slices.CompactFunc(set, func(a, b element) bool { return bytes.Equal(a.json, b.json) })
		out := make([]any, len(set))
		for i, e := range set {
			out[i] = e.v
		}
		return out
	default:
		return v
	}
}
