package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newStore(t *testing.T) *store {
	t.Helper()
	s, err := openStore(filepath.Join(t.TempDir(), "folder", "notes.json"))
	require.NoError(t, err)
	return s
}

// The file exists at once, for whoever looks for it, and another process has the same notes.
func TestStoreKeeps(t *testing.T) {
	s := newStore(t)
	require.NoError(t, s.update(func(d *document) error { return d.put(Note{Title: "One", List: "Doing"}) }))
	again, err := openStore(s.path)
	require.NoError(t, err)
	d, err := again.read()
	require.NoError(t, err)
	assert.Len(t, d.Notes, 5)
	assert.Equal(t, "One", d.find(5).Title)
	info, err := os.Stat(s.path)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "the notes are the user's")
}

// No change of two requests is lost, and readers see whole files.
func TestStoreConcurrent(t *testing.T) {
	s := newStore(t)
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			assert.NoError(t, s.update(func(d *document) error { return d.put(Note{Title: fmt.Sprint(i), List: "To do"}) }))
		})
		group.Go(func() {
			data, err := os.ReadFile(s.path) // as another program does
			assert.NoError(t, err)
			assert.True(t, json.Valid(data))
		})
	}
	group.Wait()
	d, err := s.read()
	require.NoError(t, err)
	assert.Len(t, d.Notes, 24)
	ids := make(map[int]bool)
	for _, n := range d.Notes {
		ids[n.ID] = true
	}
	assert.Len(t, ids, 24)
}

// A change of a version that is not the newest is refused, as is one of a deleted note.
func TestStoreVersions(t *testing.T) {
	s := newStore(t)
	change := func(n Note) error { return s.update(func(d *document) error { return d.put(n) }) }
	n := Note{ID: 1, Version: 1, Title: "Changed", List: "Done"}
	require.NoError(t, change(n))
	assert.ErrorIs(t, change(n), errChanged)
	assert.ErrorIs(t, change(Note{ID: 99, Version: 1}), errGone)
	d, err := s.read()
	require.NoError(t, err)
	assert.Equal(t, 2, d.find(1).Version)
}

// A write that fails leaves the old notes and no other file, and no error has the path.
func TestStoreFails(t *testing.T) {
	s := newStore(t)
	before, err := os.ReadFile(s.path)
	require.NoError(t, err)
	refused := fmt.Errorf("refused")
	assert.ErrorIs(t, s.update(func(d *document) error { d.Notes = nil; return refused }), refused)
	after, err := os.ReadFile(s.path)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	folder := filepath.Dir(s.path)
	require.NoError(t, os.Remove(s.path))
	require.NoError(t, os.MkdirAll(filepath.Join(s.path, "full"), 0o700)) // nothing can be renamed to it
	_, err = s.read()
	require.Error(t, err)
	assert.NotContains(t, err.Error(), folder)
	err = s.save(welcome())
	require.Error(t, err)
	assert.NotContains(t, err.Error(), folder)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "the file that was written before the renaming is gone")

	require.NoError(t, os.RemoveAll(s.path))
	require.NoError(t, os.WriteFile(s.path, []byte(`{"notes":`), 0o600))
	assert.ErrorContains(t, s.update(func(*document) error { return nil }), "repair it")
	_, err = openStore("")
	assert.ErrorContains(t, err, "-file")
}
