package preview

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// documents are the files that the server's documents are made of, as far as it says
// so. Only a command that the preview started is believed: these files are looked at.
type documents struct {
	believed bool

	mu    sync.Mutex
	files map[string][]string // by URI
}

// Bounds of what is known.
const (
	maxDocuments = 1000
	maxFiles     = 1000 // of a document
)

// add learns of a document's files.
func (d *documents) add(app *appclient.App) {
	var files []string
	if list, ok := app.Contents.Meta[devenv.FilesKey].([]any); ok && d.believed {
		for _, f := range list[:min(len(list), maxFiles)] {
			if s, ok := f.(string); ok && filepath.IsAbs(s) {
				files = append(files, s)
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil || len(d.files) >= maxDocuments {
		d.files = make(map[string][]string)
	}
	d.files[app.URI] = files
}

// has reports whether a document is made of the file.
func (d *documents) has(file string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, files := range d.files {
		if slices.Contains(files, file) {
			return true
		}
	}
	return false
}

// told reports whether the server says of any document what it is made of.
func (d *documents) told() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, files := range d.files {
		if len(files) > 0 {
			return true
		}
	}
	return len(d.files) == 0 // it may
}

// all returns the files of all documents.
func (d *documents) all() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, files := range d.files {
		all = append(all, files...)
	}
	return all
}

// knows reports whether the document at a URI was read.
func (d *documents) knows(uri string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.files[uri]
	return ok
}
