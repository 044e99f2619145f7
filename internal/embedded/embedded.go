// Package embedded recognizes files that can't change, and reports names that an
// embed.FS does not have, when a handler is created: an embedded file can't appear
// later.
package embedded

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"
)

// Unchanging reports whether fsys is an embed.FS or a sub-tree of one that fs.Sub
// returned.
func Unchanging(fsys fs.FS) bool {
	if _, ok := fsys.(embed.FS); ok {
		return true
	}
	// The type has no name outside of io/fs. If it changes, files are read each time.
	v := reflect.ValueOf(fsys)
	if v.Kind() != reflect.Pointer || v.Type().String() != "*fs.subFS" {
		return false
	}
	whole := v.Elem().FieldByName("fsys")
	return whole.Kind() == reflect.Interface && whole.Elem().Type() == reflect.TypeFor[embed.FS]()
}

// An Identity is the same for file systems that have the same embedded files.
type Identity struct {
	files uintptr
	dir   string
}

// IdentityOf returns the identity of a file system that is [Unchanging]. It returns false
// for any other file system.
func IdentityOf(fsys fs.FS) (Identity, bool) {
	if !Unchanging(fsys) {
		return Identity{}, false
	}
	v := reflect.ValueOf(fsys)
	if v.Kind() == reflect.Pointer {
		v = v.Elem().FieldByName("fsys").Elem()
	}
	// The files of an embed.FS are a pointer to what the compiler made, which is never
	// freed. If that changes, IdentityOf returns false.
	files := v.FieldByName("files")
	if files.Kind() != reflect.Pointer || files.IsNil() {
		return Identity{}, false
	}
	dir, ok := dirOf(fsys)
	return Identity{files.Pointer(), dir}, ok
}

// Dir returns the directory of the embed.FS of which fsys is a sub-tree, "." for an
// embed.FS itself. If it is not known, it is "." too.
func Dir(fsys fs.FS) string {
	dir, _ := dirOf(fsys)
	return dir
}

func dirOf(fsys fs.FS) (dir string, ok bool) {
	v := reflect.ValueOf(fsys)
	if v.Kind() != reflect.Pointer || v.Type().String() != "*fs.subFS" {
		return ".", true
	}
	if dir := v.Elem().FieldByName("dir"); dir.Kind() == reflect.String && fs.ValidPath(dir.String()) {
		return dir.String(), true
	}
	return ".", false
}

// named is how many files an error lists.
const named = 3

// Check returns an error if fsys is an embed.FS that has no file of that name.
// The error lists the files that there are, only HTML files if there are any.
func Check(fsys fs.FS, name string) error {
	if _, ok := fsys.(embed.FS); !ok {
		return nil
	}
	if info, err := fs.Stat(fsys, name); err == nil && !info.IsDir() {
		return nil
	}
	var pages, files []string
	_ = fs.WalkDir(fsys, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, file)
			if ext := strings.ToLower(path.Ext(file)); ext == ".html" || ext == ".htm" {
				pages = append(pages, file)
			}
		}
		return nil
	})
	switch {
	case len(files) == 0:
		return fmt.Errorf("%q is not a file of the embed.FS, which is empty: is there a //go:embed line above its declaration?", name)
	case len(pages) > 0:
		files = pages
	}
	return fmt.Errorf("%q is not a file of the embed.FS, which has %s: "+
		"write the name with the directories of the go:embed pattern, or embed the file", name, list(files))
}

func list(files []string) string {
	var b strings.Builder
	for i, file := range files {
		switch {
		case i == named:
			fmt.Fprintf(&b, " and %d more", len(files)-named)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", file)
	}
	return b.String()
}
