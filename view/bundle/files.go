package bundle

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// files reads from a file system, never from outside it, and records what was
// read. It is safe for concurrent use.
type files struct {
	fsys fs.FS

	mu     sync.Mutex
	inputs map[string]signature
	kinds  map[string]kind
	safe   map[string]bool // paths without symbolic links in them
}

type kind int

const (
	absent kind = iota
	regular
	directory
)

// signature distinguishes one state of a file from another.
type signature struct {
	size    int64
	modTime time.Time // zero for embed.FS
	sum     [sha256.Size]byte
	recent  bool // read so soon after it was written that the next write may have the same modTime
}

// settled is the age from which a later write is certain to change modTime.
const settled = 2 * time.Second

var errOutside = errors.New("leads out of the file system")

func newFiles(fsys fs.FS) *files {
	return &files{
		fsys:   fsys,
		inputs: make(map[string]signature),
		kinds:  make(map[string]kind),
		safe:   make(map[string]bool),
	}
}

// read returns a file's content as it is now.
func (f *files) read(name string) (string, error) {
	if err := f.inside(name); err != nil {
		return "", err
	}
	text, sig, err := readFile(f.fsys, name, false)
	if err != nil {
		return "", pathless(err)
	}
	f.mu.Lock()
	f.inputs[name] = sig
	f.mu.Unlock()
	return text, nil
}

// readText reads a file that has to be text in UTF-8. From other encodings,
// letters would be replaced. In packages such letters stand mostly in comments,
// so that there they are accepted.
func (f *files) readText(name string) (string, error) {
	text, err := f.read(name)
	if err != nil || inNodeModules(name) || utf8.ValidString(text) {
		return text, err
	}
	valid := 0
	for rest := text; ; {
		r, n := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && n == 1 {
			break
		}
		valid, rest = valid+n, rest[n:]
	}
	line, column := position(text, valid)
	return "", &Error{File: name, Line: line, Column: column, Text: "not UTF-8, in which a view travels: save the file as UTF-8"}
}

// readFile holds the content only once, since documents are large. It computes
// the sum of a file that is recent, and otherwise only if withSum is set.
func readFile(fsys fs.FS, name string, withSum bool) (string, signature, error) {
	// Opening a pipe waits for its writer, and a device may have no end.
	const endless = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice | fs.ModeCharDevice
	if disk, ok := fsys.(fs.StatFS); ok { // fs.Stat would open it
		if info, err := disk.Stat(name); err != nil {
			return "", signature{}, err
		} else if info.Mode()&endless != 0 {
			return "", signature{}, fmt.Errorf("%w: it is not a file with content, but a pipe, a socket or a device", fs.ErrInvalid)
		}
	}
	file, err := fsys.Open(name)
	if err != nil {
		return "", signature{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", signature{}, err
	}
	if info.IsDir() {
		return "", signature{}, fmt.Errorf("%w: it is a folder", fs.ErrInvalid)
	}
	var text strings.Builder
	text.Grow(int(min(max(info.Size(), 0), 1<<30)))
	sig := signature{modTime: info.ModTime(), recent: time.Since(info.ModTime()) < settled}
	sum, to := sha256.New(), io.Writer(&text)
	if sig.recent || withSum {
		to = io.MultiWriter(&text, sum)
	}
	if _, err := io.Copy(to, file); err != nil {
		return "", signature{}, err
	}
	sig.size = int64(text.Len())
	sum.Sum(sig.sum[:0])
	return text.String(), sig, nil
}

// changed reports whether a file has changed since sig was taken. Files without a
// modification time, such as those of embed.FS, don't change.
func (sig signature) changed(fsys fs.FS, name string) bool {
	if sig.modTime.IsZero() {
		return false
	}
	info, err := fs.Stat(fsys, name)
	if err != nil || info.Size() != sig.size || !info.ModTime().Equal(sig.modTime) {
		return true
	}
	if !sig.recent {
		return false
	}
	_, now, err := readFile(fsys, name, true)
	return err != nil || now.sum != sig.sum
}

// kind says what is at a path. The answer is kept, since resolution asks for many
// paths that do not exist, and for the same ones again.
func (f *files) kind(name string) kind {
	if !fs.ValidPath(name) {
		return absent
	}
	f.mu.Lock()
	k, known := f.kinds[name]
	f.mu.Unlock()
	if known {
		return k
	}
	if info, err := fs.Stat(f.fsys, name); err == nil {
		k = regular
		if info.IsDir() {
			k = directory
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		k = regular // reading it returns the error
	}
	f.mu.Lock()
	f.kinds[name] = k
	f.mu.Unlock()
	return k
}

// inside returns an error if a path leaves the file system through a symbolic
// link. os.DirFS follows such links.
func (f *files) inside(name string) error {
	if !fs.ValidPath(name) {
		return errOutside
	}
	links, ok := f.fsys.(fs.ReadLinkFS)
	if !ok {
		return nil
	}
	return f.follow(links, name)
}

// follow resolves a path name by name, as the operating system does. Joining a
// link's target textually would be wrong: after a link, ".." is the folder above
// the one that the link leads to.
func (f *files) follow(links fs.ReadLinkFS, name string) error {
	at, rest := ".", strings.Split(name, "/") // at has no links in it
	var link string                           // the last one that was followed
	for followed := 0; len(rest) > 0; {
		next := path.Join(at, rest[0])
		switch up := rest[0] == ".."; {
		case up && at == ".":
			return fmt.Errorf("%w through the symbolic link %q", errOutside, link)
		case up:
			next = path.Dir(at)
		}
		rest = rest[1:]
		f.mu.Lock()
		safe := f.safe[next]
		f.mu.Unlock()
		if safe {
			at = next
			continue
		}
		info, err := links.Lstat(next)
		if err != nil {
			return nil // it is missing: opening it returns the error
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			f.mu.Lock()
			f.safe[next] = true
			f.mu.Unlock()
			continue
		}
		if followed++; followed > 40 {
			return fmt.Errorf("%w: too many symbolic links", fs.ErrInvalid)
		}
		target, err := links.ReadLink(next)
		if err != nil {
			return pathless(err)
		}
		link, target = next, filepath.ToSlash(target)
		if path.IsAbs(target) || filepath.IsAbs(target) {
			return fmt.Errorf("%w through the symbolic link %q", errOutside, next)
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return nil
}

// pathless removes the path from an error, which is reported with a place of its
// own, and translates what os.Root says of a path that leaves it.
func pathless(err error) error {
	var pathErr *fs.PathError
	if !errors.As(err, &pathErr) {
		return err
	}
	if strings.Contains(pathErr.Err.Error(), "escapes") {
		return errOutside
	}
	return pathErr.Err
}
