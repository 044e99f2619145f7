package bundle

import (
	"encoding/json"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// conditions returns the conditions of exports maps that are true, the same as
// esbuild's for browsers.
func conditions(k api.ResolveKind) map[string]bool {
	c := map[string]bool{"browser": true, "module": true, "production": true, "default": true}
	switch k {
	case api.ResolveJSRequireCall, api.ResolveJSRequireResolve:
		c["require"] = true
	case api.ResolveCSSImportRule, api.ResolveCSSURLToken, api.ResolveCSSComposesFrom:
		c["style"] = true
	default:
		c["import"] = true
	}
	return c
}

// object is a JSON object with the order of its keys, which decides between
// conditions.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

// decodeObject decodes a JSON object; ok is false for any other value.
func decodeObject(data json.RawMessage) (object, bool) {
	o := object{values: make(map[string]json.RawMessage)}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return o, false
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return o, false
		}
		key, _ := t.(string)
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return o, false
		}
		o.keys = append(o.keys, key)
		o.values[key] = value
	}
	return o, true
}

// match finds a subpath in an exports map, or a name in the paths of a
// tsconfig.json: exact, or by the pattern with the longest text before its star.
// It returns the target and what the star stands for.
func (o object) match(subpath string) (target json.RawMessage, star string, ok bool) {
	if t, exact := o.values[subpath]; exact && !strings.Contains(subpath, "*") {
		return t, "", true
	}
	patterns := make([]string, 0, len(o.keys))
	for _, k := range o.keys {
		if strings.Count(k, "*") == 1 || strings.HasSuffix(k, "/") {
			patterns = append(patterns, k)
		}
	}
	sort.SliceStable(patterns, func(i, j int) bool {
		return strings.IndexByte(patterns[i]+"*", '*') > strings.IndexByte(patterns[j]+"*", '*')
	})
	for _, k := range patterns {
		before, after, _ := strings.Cut(k, "*")
		if len(subpath) >= len(k)-1 && len(subpath) > len(before)+len(after)-1 &&
			strings.HasPrefix(subpath, before) && strings.HasSuffix(subpath[len(before):], after) {
			return o.values[k], subpath[len(before) : len(subpath)-len(after)], true
		}
	}
	return nil, "", false
}

// pick follows conditions and arrays to a path. ok is false if there is none.
func pick(target json.RawMessage, star string, with map[string]bool) (p string, ok bool) {
	var s string
	if json.Unmarshal(target, &s) == nil && s != "" {
		if strings.Contains(s, "*") {
			return strings.ReplaceAll(s, "*", star), true
		}
		if strings.HasSuffix(s, "/") {
			return s + star, true
		}
		return s, true
	}
	var list []json.RawMessage
	if json.Unmarshal(target, &list) == nil {
		for _, t := range list {
			if p, ok := pick(t, star, with); ok {
				return p, true
			}
		}
		return "", false
	}
	if o, isObject := decodeObject(target); isObject {
		for _, k := range o.keys {
			if with[k] {
				if p, ok := pick(o.values[k], star, with); ok {
					return p, true
				}
			}
		}
	}
	return "", false
}

// export resolves a subpath ("." or "./x") of a package that has an exports map.
func (m *manifest) export(subpath string, with map[string]bool) (string, error) {
	o, isObject := decodeObject(m.Exports)
	if !isObject || len(o.keys) > 0 && !strings.HasPrefix(o.keys[0], ".") {
		o = object{keys: []string{"."}, values: map[string]json.RawMessage{".": m.Exports}}
	}
	target, star, ok := o.match(subpath)
	if ok {
		if p, ok := pick(target, star, with); ok {
			if !strings.HasPrefix(p, "./") {
				return "", fmt.Errorf("the exports map in %s/package.json leads %q to %q, which is not a path in the package", m.dir, subpath, p)
			}
			return path.Join(m.dir, p), nil
		}
	}
	return "", fmt.Errorf("package %q does not export %q to browsers (see the exports map in %s/package.json)", m.Name, subpath, m.dir)
}
