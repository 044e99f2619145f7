package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// resolver finds the file that an import or a reference in a style means.
type resolver struct {
	files      *files
	importMap  map[string]string // of the document
	importBase string            // the folder that its paths are relative to
	config     *tsconfig         // nil if only styles are compiled

	mu        sync.Mutex
	manifests map[string]*manifest
}

// reference splits a relative URL reference into its path, its query without "?",
// and its fragment with "#".
func reference(ref string) (p, query, fragment string) {
	p, fragment, found := strings.Cut(ref, "#")
	if found {
		fragment = "#" + fragment
	}
	p, query, _ = strings.Cut(p, "?")
	return p, query, fragment
}

// scheme returns the scheme of an absolute URL in lower case, "" for a relative
// reference, and "//" for one that begins with a host.
func scheme(ref string) string {
	if strings.HasPrefix(ref, "//") || strings.HasPrefix(ref, `\\`) {
		return "//"
	}
	for i := 0; i < len(ref); i++ {
		c := ref[i] | 0x20
		switch {
		case ref[i] == ':' && i > 1: // a single letter is a drive
			return strings.ToLower(ref[:i])
		case 'a' <= c && c <= 'z', i > 0 && strings.IndexByte("0123456789+-.", ref[i]) >= 0:
		default:
			return ""
		}
	}
	return ""
}

// inTree joins a reference to the folder that it is relative to. A leading slash
// means the root of the file system, as it means the root of a web server.
func inTree(dir, ref string) (string, error) {
	p := path.Join(dir, ref)
	if strings.HasPrefix(ref, "/") {
		p = path.Join(".", ref[1:])
	}
	if !fs.ValidPath(p) {
		return "", fmt.Errorf("%q %w; move the file into it, or pass a file system of a folder further up", ref, errOutside)
	}
	return p, nil
}

// extensions are those that an import may leave out, in the order in which they
// are tried.
var extensions = []string{".tsx", ".ts", ".jsx", ".js", ".mjs", ".css", ".json"}

// sources maps the extension of a compiled file, by which TypeScript imports, to
// those that its source may have.
var sources = map[string][]string{".js": {".ts", ".tsx"}, ".jsx": {".tsx"}, ".mjs": {".mts"}}

// file finds the file that a path of an import means. The error is a
// [fs.ErrNotExist] if there is none.
func (r *resolver) file(p, ref string, k api.ResolveKind) (string, error) {
	tried := extensions
	switch k {
	case api.ResolveCSSURLToken:
		tried = nil
	case api.ResolveCSSImportRule, api.ResolveCSSComposesFrom:
		tried = []string{".css"}
	}
	if file, ok := r.withExtension(p, append([]string{""}, tried...)); ok {
		return file, nil
	}
	if ext := path.Ext(p); tried != nil {
		if file, ok := r.withExtension(strings.TrimSuffix(p, ext), sources[ext]); ok {
			return file, nil
		}
	}
	if r.files.kind(p) == directory && tried != nil {
		m, err := r.manifest(p)
		if err != nil {
			return "", err
		}
		if m != nil && len(m.Exports) == 0 {
			if file, err := r.entry(m, k); err == nil || !errors.Is(err, fs.ErrNotExist) {
				return file, err
			}
		}
		if file, ok := r.withExtension(path.Join(p, "index"), tried); ok {
			return file, nil
		}
	}
	if tried != nil && path.Ext(p) == "" {
		return "", fmt.Errorf("%q is not there: %w (looked for %q, alone and with %s)", ref, fs.ErrNotExist, p, strings.Join(tried, ", "))
	}
	return "", notFound(ref, p)
}

// withExtension returns the first file whose name is base with one of the
// extensions.
func (r *resolver) withExtension(base string, extensions []string) (string, bool) {
	for _, ext := range extensions {
		if r.files.kind(base+ext) == regular {
			return base + ext, true
		}
	}
	return "", false
}

// resolve finds the file that a script or a style in dir means by a path or a
// name.
func (r *resolver) resolve(p, dir string, k api.ResolveKind) (string, error) {
	style := isStyle(k)
	if style {
		p = unescapePath(p)
	}
	relative := strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") || p == "." || p == ".."
	bare, tilde := strings.CutPrefix(p, "~")
	if relative || style && !tilde {
		target, err := inTree(dir, p)
		if err != nil {
			return "", err
		}
		file, err := r.file(target, p, k)
		if u := unescapePath(p); u != p && errors.Is(err, fs.ErrNotExist) {
			if unescaped, inTree := inTree(dir, u); inTree == nil {
				if found, err := r.file(unescaped, u, k); err == nil {
					return found, r.checkBrowser(found, "")
				}
			}
		}
		if err != nil && !relative {
			if packaged, inPackage := r.inPackages(p, dir, k); inPackage == nil {
				return packaged, nil
			}
		}
		if err == nil && !style {
			err = r.checkBrowser(file, "")
		}
		return file, err
	}
	if style {
		return r.inPackages(bare, dir, k)
	}
	if file, ok := r.fromPaths(p, k); ok {
		return file, nil
	}
	if err := r.checkBrowser(path.Join(dir, "importer"), bare); err != nil {
		return "", err
	}
	file, err := r.inPackages(bare, dir, k)
	if err == nil {
		err = r.checkBrowser(file, "")
	}
	return file, err
}

func isStyle(k api.ResolveKind) bool {
	return k == api.ResolveCSSURLToken || k == api.ResolveCSSImportRule || k == api.ResolveCSSComposesFrom
}

func errNoScheme(ref string) error {
	return fmt.Errorf("%q takes its scheme from the page, which is the host's: write https:%s", ref, ref)
}

func notFound(ref, target string) error {
	root := ""
	if strings.HasPrefix(ref, "/") {
		root = "; a leading / is the root of the file system"
	}
	return fmt.Errorf("%q is not there: %w (looked for %q%s)", ref, fs.ErrNotExist, target, root)
}

// mapped returns the address that the document's import map gives a name in a
// module of the folder dir.
func (r *resolver) mapped(ref, dir string) (string, bool) {
	if len(r.importMap) == 0 {
		return "", false
	}
	ref = mapKey(ref, dir)
	if to, ok := r.importMap[ref]; ok {
		return to, true
	}
	for i := len(ref) - 1; i > 0; i-- { // the longest prefix counts
		if ref[i-1] != '/' {
			continue
		}
		if to, ok := r.importMap[ref[:i]]; ok {
			return to + ref[i:], true
		}
	}
	return "", false
}

// mapKey returns a name as it stands in an import map: a path from the root of the
// file system, or what is not a path as it is.
func mapKey(ref, dir string) string {
	if !strings.HasPrefix(ref, "./") && !strings.HasPrefix(ref, "../") && !strings.HasPrefix(ref, "/") {
		return ref
	}
	p, err := inTree(dir, ref)
	if err != nil {
		return ref
	}
	if strings.HasSuffix(ref, "/") {
		p += "/"
	}
	return "/" + p
}

// setImportMap reads the text of a script of type importmap.
func (r *resolver) setImportMap(text, base string) error {
	var m struct {
		Imports map[string]*string
		Scopes  map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return err
	}
	r.importMap, r.importBase = make(map[string]string), base
	for from, to := range m.Imports {
		if to == nil || strings.HasSuffix(from, "/") != strings.HasSuffix(*to, "/") && strings.HasSuffix(from, "/") {
			return fmt.Errorf("%q has no valid address in it", from)
		}
		r.importMap[mapKey(from, base)] = *to
	}
	if len(m.Scopes) > 0 {
		return errors.New("its scopes are not followed: give each module that a scope maps a name of its own in imports")
	}
	return nil
}
