package bundle

import (
	"encoding/json"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// manifest is the part of a package.json that resolution needs.
type manifest struct {
	dir         string
	Name        string          `json:"name"`
	Main        string          `json:"main"`
	Module      string          `json:"module"`
	Style       string          `json:"style"`
	Browser     json.RawMessage `json:"browser"` // a path, or a map of paths to paths or false
	Exports     json.RawMessage `json:"exports"`
	Imports     json.RawMessage `json:"imports"`
	SideEffects json.RawMessage `json:"sideEffects"` // a boolean or a list of patterns
}

// manifest returns the package.json of a folder, nil where there is none.
func (r *resolver) manifest(dir string) (*manifest, error) {
	name := path.Join(dir, "package.json")
	r.mu.Lock()
	m, known := r.manifests[name]
	r.mu.Unlock()
	if known {
		return m, nil
	}
	if r.files.kind(name) == regular {
		text, err := r.files.read(name)
		if err != nil {
			return nil, fmt.Errorf("can't read %s: %w", name, err)
		}
		m = &manifest{}
		if err := json.Unmarshal([]byte(text), m); err != nil {
			return nil, fmt.Errorf("%s is not a valid package.json: %w", name, err)
		}
		m.dir = dir
	}
	r.mu.Lock()
	r.manifests[name] = m
	r.mu.Unlock()
	return m, nil
}

// enclosing returns the manifest of the package that a file belongs to.
func (r *resolver) enclosing(file string) (*manifest, error) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if path.Base(dir) == "node_modules" {
			return nil, nil
		}
		if m, err := r.manifest(dir); m != nil || err != nil {
			return m, err
		}
		if dir == "." {
			return nil, nil
		}
	}
}

// conditions are those of a browser's bundle, as esbuild sets them.
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

// object is a JSON object with its keys in order, which decides between
// conditions.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

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

// match finds a subpath in an exports or imports map: exact, or by the pattern
// with the longest text before its star. It returns the target and what the
// star stands for.
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

// pick follows conditions and arrays down to a path; ok is false where the map
// offers none.
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

// entries lists what the package offers as its main file, best first.
func (m *manifest) entries(k api.ResolveKind) []string {
	var browser string
	_ = json.Unmarshal(m.Browser, &browser) // a map instead is for remap
	all := []string{browser, m.Module, m.Main}
	if k == api.ResolveCSSImportRule {
		all = []string{m.Style, m.Main}
	}
	if k == api.ResolveJSRequireCall {
		all = []string{browser, m.Main, m.Module}
	}
	return append(all, "index")
}

// remap applies the browser map to a file or a package name. disabled is true
// where the map says false.
func (m *manifest) remap(key string) (to string, disabled, ok bool) {
	o, isObject := decodeObject(m.Browser)
	if !isObject {
		return "", false, false
	}
	for _, k := range []string{key, key + ".js", key + "/index.js"} {
		target, found := o.values[k]
		if !found {
			continue
		}
		if string(target) == "false" {
			return "", true, true
		}
		if json.Unmarshal(target, &to) == nil {
			return to, false, true
		}
	}
	return "", false, false
}

// pure reports whether the package says that a file of it may be left out when
// nothing of it is used.
func (m *manifest) pure(file string) bool {
	var flag bool
	if json.Unmarshal(m.SideEffects, &flag) == nil {
		return len(m.SideEffects) > 0 && !flag
	}
	var patterns []string
	if json.Unmarshal(m.SideEffects, &patterns) != nil {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(file, m.dir), "/")
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "./")
		if strings.Contains(p, "**") {
			return false // matched by rules of their own: keep the file
		}
		if ok, _ := path.Match(p, rel); ok {
			return false
		}
		if ok, _ := path.Match(p, path.Base(rel)); ok && !strings.Contains(p, "/") {
			return false
		}
	}
	return true
}
