package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// inPackages finds a bare name in the node_modules folders from dir upwards,
// and a name that begins with # in the imports map of the package itself.
func (r *resolver) inPackages(name, dir string, k api.ResolveKind) (file string, empty bool, err error) {
	self, err := r.enclosing(path.Join(dir, "x"))
	if err != nil {
		return "", false, err
	}
	if strings.HasPrefix(name, "#") {
		if self != nil {
			if o, ok := decodeObject(self.Imports); ok {
				if target, star, ok := o.match(name); ok {
					if to, ok := pick(target, star, conditions(k)); ok {
						if strings.HasPrefix(to, "./") {
							file, ok := r.file(path.Join(self.dir, to), k)
							if !ok {
								return "", false, notFound(name, path.Join(self.dir, to))
							}
							return file, false, nil
						}
						return r.inPackages(to, dir, k)
					}
				}
			}
		}
		return "", false, fmt.Errorf("no package.json above %q has %q in its imports map", dir, name)
	}
	if self != nil {
		if to, disabled, ok := self.remap(name); disabled {
			return "", true, nil
		} else if ok && to != name {
			if strings.HasPrefix(to, "./") {
				if file, ok := r.file(path.Join(self.dir, to), k); ok {
					return file, false, nil
				}
			}
			return r.inPackages(to, dir, k)
		}
	}
	pkg, subpath := name, "."
	if parts := strings.SplitN(name, "/", 3); strings.HasPrefix(name, "@") && len(parts) > 1 {
		pkg = parts[0] + "/" + parts[1]
	} else {
		pkg = parts[0]
	}
	if len(name) > len(pkg) {
		subpath = "." + name[len(pkg):]
	}
	if self != nil && self.Name == pkg && len(self.Exports) > 0 {
		if file, err := self.export(subpath, conditions(k)); err == nil && r.files.kind(file) == regular {
			return file, false, nil
		}
	}
	for up := dir; ; up = path.Dir(up) {
		if path.Base(up) != "node_modules" {
			root := path.Join(up, "node_modules", pkg)
			if fs.ValidPath(root) && r.files.kind(root) == directory {
				return r.inPackage(root, subpath, name, k)
			}
		}
		if up == "." || up == "/" {
			remedy := "install it there"
			if strings.HasPrefix(name, "@") {
				remedy += ", or correct its name" // no file is called that
			} else {
				remedy += fmt.Sprintf(", or write \"./%s\" for a file", name)
			}
			return "", false, fmt.Errorf("package %q is not in a node_modules folder of the file system: %w; %s", pkg, fs.ErrNotExist, remedy)
		}
	}
}

func (r *resolver) inPackage(root, subpath, name string, k api.ResolveKind) (string, bool, error) {
	m, err := r.manifest(root)
	if err != nil {
		return "", false, err
	}
	if m != nil && len(m.Exports) > 0 && string(m.Exports) != "null" {
		target, err := m.export(subpath, conditions(k))
		if err != nil {
			return "", false, err
		}
		if r.files.kind(target) != regular {
			return "", false, notFound(name, target)
		}
		return target, false, nil
	}
	target := path.Join(root, subpath)
	if file, ok := r.file(target, k); ok {
		return file, false, nil
	}
	return "", false, notFound(name, target)
}

// browserMap exchanges a file for the one that its package names for browsers.
func (r *resolver) browserMap(loc location, dir string) (location, error) {
	if loc.path == "" {
		return loc, nil
	}
	m, err := r.enclosing(loc.path)
	if err != nil || m == nil || len(m.Browser) == 0 {
		return loc, err
	}
	to, disabled, ok := m.remap("./" + strings.TrimPrefix(strings.TrimPrefix(loc.path, m.dir), "/"))
	if disabled {
		loc.path, loc.empty = "", true
	} else if ok {
		if file, found := r.file(path.Join(m.dir, to), api.ResolveJSImportStatement); found {
			loc.path = file
		}
	}
	return loc, nil
}
