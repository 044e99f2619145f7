package preview

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// maxFile bounds a file that a view is opened for: the view sends it in one message, of
// which package host takes 4 MiB.
const maxFile = 2 << 20

// A fileCopy is a copy of a file in a temporary folder of its own. The server is told its
// path and may put anything there, so the copy is opened through the folder, and only as
// long as it is a regular file: a link may lead to another file, and a pipe would block.
type fileCopy struct {
	path string

	mu    sync.Mutex // held while the copy is read, written or removed
	root  *os.Root   // the folder, nil once it is removed
	users map[*view]bool
}

// newFileCopy makes a copy of a file that has a valid name.
func newFileCopy(name string, data []byte) (*fileCopy, error) {
	dir, err := os.MkdirTemp("", "mcpapps-preview-")
	if err != nil {
		return nil, fmt.Errorf("copying the file: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		_ = os.Remove(dir)
		return nil, fmt.Errorf("copying the file: %w", err)
	}
	c := &fileCopy{path: filepath.Join(dir, name), root: root, users: make(map[*view]bool)}
	if err := c.replace(data); err != nil {
		c.remove()
		return nil, fmt.Errorf("copying the file: %w", err)
	}
	return c, nil
}

// addUser keeps the copy until the view no longer uses it.
func (c *fileCopy) addUser(v *view) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users[v] = true
}

// removeUser removes the copy if no other view uses it.
func (c *fileCopy) removeUser(v *view) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if delete(c.users, v); len(c.users) == 0 {
		c.remove()
	}
}

// remove removes the folder. Reading and writing fail from then on. c.mu is held.
func (c *fileCopy) remove() {
	if c.root == nil {
		return
	}
	_ = c.root.Close() // first: Windows removes no open folder
	c.root = nil
	_ = os.RemoveAll(filepath.Dir(c.path))
}

// errUnreadable does not name the path, which views must not learn.
var errUnreadable = errors.New("the copy of the file can't be read or written: it was removed, is not a regular file any more, or has become too large")

// read returns the content. c.mu is held.
func (c *fileCopy) read() ([]byte, error) {
	file, err := c.open(os.O_RDONLY)
	if err != nil {
		return nil, errUnreadable
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil || len(data) > maxFile {
		return nil, errUnreadable
	}
	return data, nil
}

// replace writes the content. Its error may have the path. c.mu is held.
func (c *fileCopy) replace(data []byte) error {
	file, err := c.open(os.O_WRONLY)
	if err != nil {
		return err
	}
	err = file.Truncate(0)
	if err == nil {
		_, err = file.Write(data)
	}
	return errors.Join(err, file.Close())
}

// open opens the copy if it is a regular file. To be written, it is made if it does not
// exist.
func (c *fileCopy) open(flag int) (*os.File, error) {
	if c.root == nil {
		return nil, fs.ErrClosed
	}
	name := filepath.Base(c.path)
	is, err := c.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && flag == os.O_WRONLY {
		return c.root.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if !is.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	// It may be another by now, such as a pipe, on which a blocking open would wait.
	file, err := c.root.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(is, opened) {
		file.Close()
		return nil, fs.ErrInvalid
	}
	return file, nil
}
