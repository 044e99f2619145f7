package gateway

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
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
			own, _ := normal(generic(settings))
			union[id] = join(have, own)
		}
	}
	for id, settings := range union {
		union[id] = plain(settings)
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

// join returns the least upper bound of two normal values, which it may change. It
// is commutative, associative and idempotent, so the union does not depend on the
// order. Values of different kinds are ordered by rank. It costs time in
// proportion to b, and copies the sets of a that it meets.
func join(a, b any) any {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		if d < 0 {
			a = b
		}
		return a
	}
	switch a := a.(type) {
	case map[string]any:
		for k, v := range b.(map[string]any) {
			if have, ok := a[k]; ok {
				a[k] = join(have, v)
			} else {
				a[k] = v
			}
		}
		return a
	case set:
		return merge(a, b.(set))
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

// merge returns the union of two sets.
func merge(x, y set) set {
	out := make(set, 0, max(len(x), len(y)))
	for len(x) > 0 && len(y) > 0 {
		switch d := order(x[0], y[0]); {
		case d < 0:
			out, x = append(out, x[0]), x[1:]
		case d > 0:
			out, y = append(out, y[0]), y[1:]
		default:
			out, x, y = append(out, x[0]), x[1:], y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// plain returns a normal value as generic JSON. It changes the value's objects.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			v[k] = plain(member)
		}
	case set:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plain(e.value)
		}
		return out
	}
	return v
}

func rank(v any) int {
	switch v.(type) {
	case map[string]any:
		return 5
	case set:
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

// A set is an array in normal form: sorted, with each value once.
type set []element

// An element of a set is a normal value with its digest. Values are compared by
// their digests, which are made once, where comparing contents would take time for
// each pair.
type element struct {
	value  any
	digest digest
}

type digest [sha256.Size]byte

// normal returns v with its arrays as sets, and its digest, which is made
// from those of its members.
func normal(v any) (any, digest) {
	h := sha256.New()
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			member, d := normal(v[k])
			out[k] = member
			fmt.Fprintf(h, "%d %s", len(k), k)
			h.Write(d[:])
		}
		return out, sum(h, 'o')
	case []any:
		list := make(set, len(v))
		for i, e := range v {
			list[i].value, list[i].digest = normal(e)
		}
		slices.SortFunc(list, order)
		list = slices.CompactFunc(list, func(a, b element) bool { return order(a, b) == 0 })
		for _, e := range list {
			h.Write(e.digest[:])
		}
		return list, sum(h, 'a')
	case string:
		_, _ = io.WriteString(h, v)
		return v, sum(h, 's')
	default:
		_ = json.NewEncoder(h).Encode(v)
		return v, sum(h, 'v')
	}
}

func sum(h hash.Hash, kind byte) (d digest) {
	h.Write([]byte{kind})
	h.Sum(d[:0])
	return d
}

// order compares two normal values: those of one kind by value, or, if they have
// members, by digest.
func order(a, b element) int {
	if d := cmp.Compare(rank(a.value), rank(b.value)); d != 0 {
		return d
	}
	switch v := a.value.(type) {
	case string:
		return cmp.Compare(v, b.value.(string))
	case float64:
		return cmp.Compare(v, b.value.(float64))
	default:
		return bytes.Compare(a.digest[:], b.digest[:])
	}
}
