package gateway

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// Extensions returns the union of extension capabilities, given
// mcp.ServerCapabilities.Extensions of each backend: every extension that one of
// them declares, with the settings of all. It is nil if there are none. The
// result does not depend on the order of the arguments, so backends may be kept
// in a map, and it declares nothing that no backend declares.
//
// Settings are combined as generic JSON: objects key by key, arrays as sorted
// sets, and booleans by OR. Of two other values that differ, the greater one is
// taken, an arbitrary rule that always gives the same result. Settings that are
// not an object, null for example, become {}, because capabilities must be
// objects.
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

// generic returns v as generic JSON, or nil if it can't be encoded.
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

// join returns the least upper bound of two values. It is commutative, associative
// and idempotent, so the union does not depend on the order. Values of different
// kinds are ordered by rank.
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
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = normal(e)
		}
		slices.SortFunc(out, order)
		return slices.CompactFunc(out, func(a, b any) bool { return order(a, b) == 0 })
	default:
		return v
	}
}

// order compares two normal values. It compares sizes before contents, so the cost
// is at most that of the smaller value, however deeply a server nests.
func order(a, b any) int {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	switch a := a.(type) {
	case map[string]any:
		b := b.(map[string]any)
		if d := cmp.Compare(len(a), len(b)); d != 0 {
			return d
		}
		keys := slices.Sorted(maps.Keys(a))
		if d := slices.Compare(keys, slices.Sorted(maps.Keys(b))); d != 0 {
			return d
		}
		for _, k := range keys {
			if d := order(a[k], b[k]); d != 0 {
				return d
			}
		}
		return 0
	case []any:
		b := b.([]any)
		if d := cmp.Compare(len(a), len(b)); d != 0 {
			return d
		}
		return slices.CompareFunc(a, b, order)
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case a:
			return 1
		default:
			return -1
		}
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	default:
		return 0
	}
}
