package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
)

// manifest is the part of a package.json that resolution needs.
type manifest struct {
	dir         string
	Name        string          `json:"name"`
	Main        string          `json:"main"`
	Module      string          `json:"module"`
	Style       string          `json:"style"`
	Exports     json.RawMessage `json:"exports"`
	Browser     any             `json:"browser"`     // a path, or a map of paths and names to others or to false
	SideEffects any             `json:"sideEffects"` // a boolean or a list of patterns
}

// manifest returns the package.json of a folder, nil if there is none.
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
		if string(m.Exports) == "null" {
			m.Exports = nil
		}
	}
	r.mu.Lock()
	r.manifests[name] = m
	r.mu.Unlock()
	return m, nil
}

// enclosing returns the manifest of the package that a file belongs to, nil if
// it belongs to none.
func (r *resolver) enclosing(file string) (*manifest, error) {
	for dir := path.Dir(file); path.Base(dir) != "node_modules"; dir = path.Dir(dir) {
		if m, err := r.manifest(dir); m != nil || err != nil || dir == "." {
			return m, err
		}
	}
	return nil, nil
}

// inPackages finds a bare name in the node_modules folders from dir upwards.
func (r *resolver) inPackages(name, dir string, k api.ResolveKind) (string, error) {
	if strings.HasPrefix(name, "#") {
		return "", fmt.Errorf("%q is a name of the imports map in a package.json, which is not followed: import the file by its path", name)
	}
	pkg, subpath := packageName(name)
	for up := dir; ; up = path.Dir(up) {
		if path.Base(up) != "node_modules" {
			root := path.Join(up, "node_modules", pkg)
			if fs.ValidPath(root) && r.files.kind(root) == directory {
				return r.inPackage(root, subpath, name, k)
			}
		}
		if up == "." || up == "/" {
			break
		}
	}
	if !isStyle(k) && nodeModules[pkg] {
		return "", errOfNode(name)
	}
	remedy := "install it there"
	nearest := spelling.Nearest(name, slices.Sorted(maps.Keys(runtimes)))
	if !isStyle(k) && spelling.Distance(name, nearest) <= 2 {
		remedy = fmt.Sprintf("did you mean %q, which is built in?", nearest)
	} else if strings.HasPrefix(name, "@") {
		remedy += ", or correct its name" // a file is unlikely to be called that
	} else {
		remedy += fmt.Sprintf(", or write \"./%s\" for a file", name)
	}
	return "", fmt.Errorf("package %q is not in a node_modules folder of the file system: %w; %s", pkg, fs.ErrNotExist, remedy)
}

// nodeModules are the modules of Node.js whose names may also be those of packages. A
// package of that name is found before.
var nodeModules = setOf("assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http " +
	"http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls " +
	"trace_events tty url util v8 vm wasi worker_threads zlib")

func errOfNode(name string) error {
	return fmt.Errorf("%q is a module of Node.js, which browsers do not have: let a tool of the server do what it does, or use a package for browsers", name)
}

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// packageName splits an import's name into the name of the package and the path
// in it, which is "." or begins with "./".
func packageName(name string) (pkg, subpath string) {
	parts := strings.SplitN(name, "/", 3)
	pkg = parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		pkg += "/" + parts[1]
	}
	return pkg, "." + name[len(pkg):]
}

func (r *resolver) inPackage(root, subpath, name string, k api.ResolveKind) (string, error) {
	m, err := r.manifest(root)
	if err != nil {
		return "", err
	}
	target := path.Join(root, subpath)
	if m == nil || len(m.Exports) == 0 {
		return r.file(target, name, k)
	}
	if target, err = m.export(subpath, conditions(k)); err == nil && r.files.kind(target) != regular {
		err = notFound(name, target)
	}
	return target, err
}

// entry finds the main file of a package without an exports map, by its
// manifest.
func (r *resolver) entry(m *manifest, k api.ResolveKind) (string, error) {
	entries := []string{m.Module, m.Main}
	switch k {
	case api.ResolveCSSImportRule:
		entries = []string{m.Style, m.Main}
	case api.ResolveJSRequireCall:
		entries = []string{m.Main, m.Module}
	}
	browser, replaced := m.Browser.(string)
	for _, entry := range append(entries, "index") {
		target := path.Join(m.dir, entry)
		if entry == "" || target == m.dir || m.dir != "." && !strings.HasPrefix(target, m.dir+"/") {
			continue // an entry above its own folder could lead back to it for ever
		}
		file, err := r.file(target, entry, k)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && replaced && k != api.ResolveCSSImportRule {
			if other, err := r.file(path.Join(m.dir, browser), browser, k); err != nil || other != file {
				return "", m.replaced(file, browser)
			}
		}
		return file, err
	}
	if replaced && k != api.ResolveCSSImportRule {
		return "", m.replaced("index.js", browser)
	}
	return "", fs.ErrNotExist
}

// checkBrowser returns an error if the browser field of the package that contains
// a file replaces that file, or, if imported is not empty, the name imported by
// it. The field is not followed, and without it a view would silently get code
// for Node.js.
func (r *resolver) checkBrowser(file, imported string) error {
	m, err := r.enclosing(file)
	if err != nil || m == nil {
		return err
	}
	replacements, _ := m.Browser.(map[string]any)
	if imported == "" {
		imported = "./" + strings.TrimPrefix(strings.TrimPrefix(file, m.dir), "/")
	}
	for key, to := range replacements {
		if imported == key || imported == key+".js" || imported == key+"/index.js" {
			return m.replaced(imported, to)
		}
	}
	return nil
}

// replaced returns the error about a replacement in the browser field.
func (m *manifest) replaced(what string, by any) error {
	remedy := "import a build of the package for browsers by its path, or give the name that path in an import map of the page"
	if by == false {
		by = "nothing"
		remedy = `give the name the address "data:text/javascript," in an import map of the page`
	}
	return fmt.Errorf("the browser field of %s/package.json replaces %q by %v, and it is not followed: %s", m.dir, what, by, remedy)
}

// pure reports whether the package says that a file of it may be left out when
// nothing of it is used.
func (m *manifest) pure(file string) bool {
	if flag, ok := m.SideEffects.(bool); ok {
		return !flag
	}
	patterns, ok := m.SideEffects.([]any)
	rel := strings.TrimPrefix(strings.TrimPrefix(file, m.dir), "/")
	for _, value := range patterns {
		pattern, _ := value.(string)
		pattern = strings.TrimPrefix(pattern, "./")
		name := rel
		if !strings.Contains(pattern, "/") {
			name = path.Base(rel)
		}
		// The rules of "**" are not implemented: the file is kept.
		if match, _ := path.Match(pattern, name); match || strings.Contains(pattern, "**") {
			return false
		}
	}
	return ok
}
