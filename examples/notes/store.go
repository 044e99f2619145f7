package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A Note is one of the board's notes.
type Note struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	List    string `json:"list"`
	Changed int64  `json:"changed" jsonschema:"in Unix milliseconds"`
	Version int    `json:"version" jsonschema:"counts the changes; whoever changes the note names the version that they saw"`
}

// lists are the columns of the board, from left to right.
var lists = []string{"To do", "Doing", "Done"}

const maxNotes = 1000

var (
	errGone    = errors.New("this note was deleted: open the board again")
	errChanged = errors.New("this note was changed elsewhere meanwhile: open it again")
	errFull    = fmt.Errorf("the board has %d notes: delete some", maxNotes)
)

// A document is what the file holds.
type document struct {
	Last        int         `json:"last"` // the highest ID so far; none is used again
	Notes       []Note      `json:"notes"`
	Preferences Preferences `json:"preferences"`
}

// A store keeps the notes of one user in a file. It reads the file for each request, so
// that a change in an editor counts, and one process at a time changes it.
type store struct {
	path string
	mu   sync.Mutex // held from reading to writing, so that no change is lost
}

// openStore returns the store for a file, and makes the file if it does not exist.
func openStore(path string) (*store, error) {
	if path == "" {
		return nil, errors.New("this system has no folder for configuration: name a file for the notes with -file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	s := &store{path: path}
	return s, s.update(func(*document) error { return nil })
}

// read returns what the file holds.
func (s *store) read() (document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load()
}

// update changes what the file holds, unless f returns an error.
func (s *store) update(f func(*document) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.load()
	if err != nil {
		return err
	}
	if err := f(&d); err != nil {
		return err
	}
	return s.save(d)
}

func (s *store) load() (document, error) {
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return welcome(), nil
	}
	d := document{Preferences: standard}
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		// The reason may have the path, which is not for clients.
		return d, errors.New("the file of the notes can't be read: repair it, or move it away to begin anew")
	}
	return d, nil
}

// save replaces the file in one step: after a crash it has the old notes or the new ones.
func (s *store) save(d document) (err error) {
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.New("the notes can't be saved: look whether their folder can be written and the disk has space")
		}
	}()
	file, err := os.CreateTemp(filepath.Dir(s.path), ".notes-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // unless it was renamed
	_, err = file.Write(append(data, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), s.path)
}

// find returns the note with an ID, nil if it does not exist.
func (d *document) find(id int) *Note {
	i := slices.IndexFunc(d.Notes, func(n Note) bool { return n.ID == id })
	if i < 0 {
		return nil
	}
	return &d.Notes[i]
}

// put adds a note, if its ID is 0, or replaces the version of it that n names.
func (d *document) put(n Note) error {
	n.Changed = time.Now().UnixMilli()
	if n.ID == 0 {
		if len(d.Notes) >= maxNotes {
			return errFull
		}
		d.Last++
		n.ID, n.Version = d.Last, 1
		d.Notes = append(d.Notes, n)
		return nil
	}
	old := d.find(n.ID)
	switch {
	case old == nil:
		return errGone
	case old.Version != n.Version:
		return errChanged
	}
	n.Version++
	*old = n
	return nil
}

// welcome returns the notes of a new board.
func welcome() document {
	d := document{Preferences: standard}
	for _, n := range []Note{
		{Title: "Groceries", Text: "Bread, olives, a lemon.\nCoffee for Monday.", List: "To do"},
		{Title: "Try the form", Text: "Ask: move a note to another list.", List: "To do"},
		{Title: "Read the guide", Text: "docs/chatgpt.md says what each part does.", List: "Doing"},
		{Title: "Start the server", Text: "", List: "Done"},
	} {
		d.put(n)
	}
	return d
}
