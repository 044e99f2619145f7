package bundle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// resolver finds the file that a reference means, by the rules of browsers for
// documents and styles and by those of Node.js for scripts.
type resolver struct {
	files      *files
	importMap  map[string]string // of the document
	importBase string            // the folder that its paths are relative to
	paths      object            // of the tsconfig.json
	pathsBase  string

	mu        sync.Mutex
	manifests map[string]*manifest
}

// location is where a reference leads to.
type location struct {
	path     string // in the file system
	suffix   string // "#fragment", for styles and images
	query    string // "raw", "inline", …: how to load it
	external string // an absolute URL instead
	empty    bool   // a module that a package wants left out of browsers
}

// reference parts a URL reference that is not absolute from its query and
// fragment.
func reference(ref string) (p, query, fragment string) {
	p, fragment, found := strings.Cut(ref, "#")
	if found {
		fragment = "#" + fragment
	}
	p, query, _ = strings.Cut(p, "?")
	return p, query, fragment
}

// scheme returns the scheme of an absolute URL in lower case, "" for a relative
// reference; "//host" has the scheme "//".
func scheme(ref string) string {
	if strings.HasPrefix(ref, "//") || strings.HasPrefix(ref, `\\`) {
		return "//"
	}
	for i := 0; i < len(ref); i++ {
		c := ref[i] | 0x20
		switch {
		case ref[i] == ':' && i > 1: // one letter would be a drive
			return strings.ToLower(ref[:i])
		case 'a' <= c && c <= 'z', i > 0 && strings.IndexByte("0123456789+-.", ref[i]) >= 0:
		default:
			return ""
		}
	}
	return ""
}

// inTree joins a reference to the folder it stands in. A leading slash means
// the root of the file system, since that is where a server would start.
func inTree(dir, ref string) (string, error) {
	p := path.Join(dir, ref)
	if strings.HasPrefix(ref, "/") {
		p = path.Join(".", ref[1:])
	}
	if !fs.ValidPath(p) {
		return "", fmt.Errorf("%q %w; move the file into it, or pass a file system that begins further up", ref, errOutside)
	}
	return p, nil
}

// extensions are tried in this order on an import without one.
var extensions = []string{".tsx", ".ts", ".jsx", ".js", ".mjs", ".css", ".json"}

// file finds the file that a path of an import means.
func (r *resolver) file(p string, k api.ResolveKind) (string, bool) {
	if r.files.kind(p) == regular {
		return p, true
	}
	extensions := extensions
	switch k {
	case api.ResolveCSSURLToken:
		return "", false
	case api.ResolveCSSImportRule, api.ResolveCSSComposesFrom:
		extensions = []string{".css"}
	}
	for _, ext := range extensions {
		if r.files.kind(p+ext) == regular {
			return p + ext, true
		}
	}
	// TypeScript has sources import each other under the names of its output.
	for _, ext := range [][]string{{".js", ".ts", ".tsx"}, {".jsx", ".tsx"}, {".mjs", ".mts"}} {
		if base, ok := strings.CutSuffix(p, ext[0]); ok {
			for _, source := range ext[1:] {
				if r.files.kind(base+source) == regular {
					return base + source, true
				}
			}
		}
	}
	if r.files.kind(p) == directory {
		if m, err := r.manifest(p); err == nil && m != nil && len(m.Exports) == 0 {
			for _, entry := range m.entries(k) {
				if entry != "" && path.Join(p, entry) != p {
					if file, ok := r.file(path.Join(p, entry), k); ok {
						return file, true
					}
				}
			}
		}
		for _, ext := range extensions {
			if r.files.kind(path.Join(p, "index"+ext)) == regular {
				return path.Join(p, "index"+ext), true
			}
		}
	}
	return "", false
}

// resolve finds what a script or style in dir means by a reference.
func (r *resolver) resolve(ref, dir string, k api.ResolveKind) (location, error) {
	if mapped, ok := r.mapped(ref); ok {
		ref, dir = mapped, r.importBase
	}
	switch s := scheme(ref); s {
	case "":
	case "//":
		return location{}, fmt.Errorf("%q takes its scheme from the page, which is the host's: write https:%s", ref, ref)
	case "http", "https":
		return location{external: ref}, nil
	default:
		return location{}, fmt.Errorf("%q can't be loaded in a view: refer to a file", ref)
	}
	p, query, fragment := ref, "", ""
	if k != api.ResolveJSRequireCall && !strings.HasPrefix(ref, "#") {
		p, query, fragment = reference(ref)
	}
	style := k == api.ResolveCSSURLToken || k == api.ResolveCSSImportRule || k == api.ResolveCSSComposesFrom
	relative := strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") || p == "." || p == ".."
	if style {
		p = unescapePath(p)
	}
	loc := location{suffix: fragment, query: query}
	if relative || style && !strings.HasPrefix(p, "~") {
		target, err := inTree(dir, p)
		if err != nil {
			return location{}, err
		}
		file, ok := r.file(target, k)
		if !ok && !relative {
			if file, _, err = r.inPackages(p, dir, k); err == nil {
				ok = true
			}
		}
		if !ok {
			return location{}, notFound(ref, target)
		}
		loc.path = file
		return r.browserMap(loc, dir)
	}
	if file, ok := r.fromPaths(p, k); ok && !style {
		loc.path = file
		return loc, nil
	}
	file, empty, err := r.inPackages(strings.TrimPrefix(p, "~"), dir, k)
	if err != nil {
		return location{}, err
	}
	loc.path, loc.empty = file, empty
	return r.browserMap(loc, dir)
}

func notFound(ref, target string) error {
	root := ""
	if strings.HasPrefix(ref, "/") {
		root = "; a leading / is the root of the file system"
	}
	return fmt.Errorf("%q is not there: %w (looked for %q%s)", ref, fs.ErrNotExist, target, root)
}

// mapped applies the document's import map.
func (r *resolver) mapped(ref string) (string, bool) {
	if to, ok := r.importMap[ref]; ok {
		return to, true
	}
	best := ""
	for from := range r.importMap {
		if strings.HasSuffix(from, "/") && strings.HasPrefix(ref, from) && len(from) > len(best) {
			best = from
		}
	}
	if best == "" {
		return "", false
	}
	return r.importMap[best] + ref[len(best):], true
}

// setImportMap takes the text of a script of type importmap.
func (r *resolver) setImportMap(text, base string) error {
	var m struct {
		Imports map[string]string `json:"imports"`
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return err
	}
	if r.importMap == nil {
		r.importMap, r.importBase = m.Imports, base
	}
	return nil
}
