package compat

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed profiles/*.json
var files embed.FS

// Profiles returns all profiles, sorted by ID. They are shared: don't change them.
func Profiles() []*Profile { return slices.Clone(load()) }

// Lookup returns the profile with an ID, such as "claude-web".
func Lookup(id string) (*Profile, bool) {
	for _, p := range load() {
		if p.ID == id {
			return p, true
		}
	}
	return nil, false
}

// load reads the files at the first call, so that a program that asks for no profile
// does not pay for them.
var load = sync.OnceValue(func() []*Profile {
	list, err := readProfiles(files)
	if err != nil {
		panic("compat: " + err.Error()) // the tests read the same files
	}
	return list
})

// readProfiles reads the files of a folder "profiles", each named for its profile's ID.
func readProfiles(fsys fs.FS) ([]*Profile, error) {
	names, err := fs.Glob(fsys, "profiles/*.json")
	if err != nil {
		return nil, err
	}
	var list []*Profile
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		p, err := parse(strings.TrimSuffix(path.Base(name), ".json"), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Profile) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}
