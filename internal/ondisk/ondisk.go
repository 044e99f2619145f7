// Package ondisk finds the folder on disk whose files a program embeds, in a process
// that the preview started, so that an edit is seen without building the program.
package ondisk

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/embedded"
)

// Bounds of the search.
const (
	maxFolders = 4000     // that are looked at
	maxFiles   = 500      // of an embed.FS, that are compared
	maxBytes   = 32 << 20 // that are compared
)

// A Folder is a folder on disk. Links do not lead out of it.
type Folder struct {
	fs.FS
	Dir string // its absolute path
}

// Enabled reports whether the preview has told this process where its sources are.
func Enabled() bool { return len(given().named) > 0 }

var given = sync.OnceValue(func() *search { return newSearch(filepath.SplitList(os.Getenv(devenv.Sources))) })

// Find returns the folder on disk that was embedded as fsys, an embed.FS or a
// sub-tree of one that fs.Sub returned, and that has the file page. It returns nil if
// fsys is of another kind, if there is no such folder, or if several could be it: which
// one is decided by the files that are still the same.
func Find(fsys fs.FS, page string) *Folder {
	if !Enabled() || !embedded.Unchanging(fsys) {
		return nil
	}
	return given().find(fsys, page)
}

// A search looks for folders among those that the preview has named, and within them.
type search struct {
	named   []string
	folders func() []string
}

func newSearch(dirs []string) *search {
	s := &search{}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil && dir != "" {
			s.named = append(s.named, abs)
		}
	}
	s.folders = sync.OnceValue(s.walk)
	return s
}

func (s *search) find(fsys fs.FS, page string) *Folder {
	sub := embedded.Dir(fsys)
	files := contents(fsys, page)
	var best string
	most, tie := 0, false
	for _, dir := range s.candidates(path.Join(sub, page)) {
		dir = filepath.Join(dir, filepath.FromSlash(sub))
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(page))); err != nil || !info.Mode().IsRegular() {
			continue
		}
		n := 1 // for the page, which is there
		for name, content := range files {
			if isSame(filepath.Join(dir, filepath.FromSlash(name)), content) {
				n++
			}
		}
		if n > len(files) {
			return open(dir)
		}
		if n >= most {
			best, tie = dir, n == most
			most = n
		}
	}
	if best == "" || tie {
		return nil
	}
	return open(best)
}

func open(dir string) *Folder {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	return &Folder{FS: root.FS(), Dir: dir}
}

// contents returns files of fsys, the page first of all.
func contents(fsys fs.FS, page string) map[string][]byte {
	files := make(map[string][]byte)
	size := 0
	add := func(name string) {
		if data, err := fs.ReadFile(fsys, name); err == nil {
			files[name] = data
			size += len(data)
		}
	}
	add(page)
	_ = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case len(files) >= maxFiles || size > maxBytes:
			return fs.SkipAll
		case entry.IsDir() && entry.Name() == "node_modules":
			return fs.SkipDir
		case !entry.IsDir():
			add(name)
		}
		return nil
	})
	return files
}

func isSame(file string, content []byte) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false // reading a pipe would wait for its writer
	}
	data, err := os.ReadFile(file)
	return err == nil && bytes.Equal(data, content)
}

// candidates returns the folders whose package may have embedded a file of that name:
// those that the preview has named, those in which the file would be in one of these,
// and those within them, the nearest ones first.
func (s *search) candidates(file string) []string {
	dirs := slices.Clone(s.named)
	for _, dir := range s.named {
		above := dir
		for range strings.Count(file, "/") {
			above = filepath.Dir(above)
			if rel, err := filepath.Rel(dir, filepath.Join(above, filepath.FromSlash(file))); err == nil && filepath.IsLocal(rel) {
				dirs = append(dirs, above)
			}
		}
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(append(dirs, s.folders()...), func(dir string) bool {
		again := seen[dir]
		seen[dir] = true
		return again
	})
}

// walk returns the named folders and those within them, breadth first. It follows no
// links.
func (s *search) walk() []string {
	all := slices.Clone(s.named)
	for i := 0; i < len(all) && len(all) < maxFolders; i++ {
		entries, _ := os.ReadDir(all[i])
		for _, e := range entries {
			if e.IsDir() && e.Name() != "node_modules" && !strings.HasPrefix(e.Name(), ".") && len(all) < maxFolders {
				all = append(all, filepath.Join(all[i], e.Name()))
			}
		}
	}
	return all
}

// Path returns the absolute path of a folder on disk: of a [Folder], or of the file
// system of os.DirFS. It returns "" for another file system.
func Path(fsys fs.FS) string {
	if f, ok := fsys.(*Folder); ok {
		return f.Dir
	}
	// The type has no name outside of os. If it changes, the path is unknown.
	if v := reflect.ValueOf(fsys); v.Kind() == reflect.String && v.Type().String() == "os.dirFS" {
		if abs, err := filepath.Abs(v.String()); err == nil {
			return abs
		}
	}
	return ""
}
