package compat

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
)

//go:embed profiles/*.json
var files embed.FS

// Profiles returns all profiles, sorted by ID.
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
	return list, nil
}

// A profileFile is the form of a profile that people edit.
type profileFile struct {
	Name    string                     `json:"name"`
	Host    string                     `json:"host"`
	Version string                     `json:"version"`
	Source  Source                     `json:"source"`
	Notes   []string                   `json:"notes"`
	Facts   map[string]json.RawMessage `json:"facts"`
}

func parse(id string, data []byte) (*Profile, error) {
	var f profileFile
	if err := strict(data, &f); err != nil {
		return nil, err
	}
	p := &Profile{ID: id, Name: f.Name, Host: cmp.Or(f.Host, id), Version: f.Version, Source: f.Source, Notes: f.Notes}
	if f.Name == "" {
		return nil, fmt.Errorf("the name is missing")
	}
	for _, fact := range facts(p) {
		raw, ok := f.Facts[fact.key]
		delete(f.Facts, fact.key)
		if !ok || string(raw) == "null" {
			continue // unknown
		}
		if err := fact.set(raw, f.Source); err != nil {
			return nil, fmt.Errorf("facts.%s: %w", fact.key, err)
		}
	}
	for key := range f.Facts {
		return nil, fmt.Errorf("facts.%s: there is no such fact", key)
	}
	return p, nil
}

// strict decodes JSON in which each key is known.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// A fact is a field of a profile.
type fact struct {
	key, title string
	typed
}

// typed is a pointer to a [Fact] of any type.
type typed interface {
	set(raw json.RawMessage, source Source) error
	rows() []RowClaim
}

// facts returns the facts of a profile in the order of their fields.
func facts(p *Profile) []fact {
	var list []fact
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		if f, ok := v.Field(i).Addr().Interface().(typed); ok {
			list = append(list, fact{tag.Get("key"), tag.Get("title"), f})
		}
	}
	return list
}

// Rows returns the facts of the profile in a fixed order.
func (p *Profile) Rows() []Row {
	var rows []Row
	for _, f := range facts(p) {
		row := Row{Key: f.key, Title: f.title, Claims: f.rows()}
		if len(row.Claims) > 0 {
			row.Value, row.When = row.Claims[0].Value, row.Claims[0].When
		}
		rows = append(rows, row)
	}
	return rows
}

// A claimFile is a claim in a file. Without a kind it has the file's source.
type claimFile struct {
	Value json.RawMessage `json:"value"`
	When  string          `json:"when"`
	Note  string          `json:"note"`
	Kind  Kind            `json:"kind"`
	By    string          `json:"by"`
	Date  string          `json:"date"`
	Ref   string          `json:"ref"`
}

// set decodes a fact, which is written as its value alone; as a claim, an object with
// the key "value"; or as several claims, an object with the key "claims".
func (f *Fact[T]) set(raw json.RawMessage, source Source) error {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(raw, &keys) // other than objects are values
	list := []json.RawMessage{raw}
	if claims, ok := keys["claims"]; ok {
		var only struct{ Claims []json.RawMessage }
		if err := strict(raw, &only); err != nil || len(only.Claims) < 2 {
			return fmt.Errorf("claims is not a list of at least two claims: %s", claims)
		}
		list = only.Claims
	}
	_, plain := keys["value"]
	plain = !plain && len(list) == 1
	for _, raw := range list {
		c := claimFile{Value: raw}
		if !plain {
			c = claimFile{}
			if err := strict(raw, &c); err != nil {
				return err
			}
		}
		claim := Claim[T]{When: c.When, Note: c.Note, Source: source}
		if c.Kind != "" {
			claim.Source = Source{c.Kind, c.By, c.Date, c.Ref}
		}
		if len(c.Value) > 0 && string(c.Value) != "null" {
			claim.Value = new(T)
			if err := strict(c.Value, claim.Value); err != nil {
				return err
			}
		}
		f.Claims = append(f.Claims, claim)
	}
	return nil
}

func (f *Fact[T]) rows() []RowClaim {
	var list []RowClaim
	for _, c := range f.Claims {
		row := RowClaim{When: c.When, Note: c.Note, Source: c.Source}
		if c.Value != nil {
			data, err := json.Marshal(c.Value)
			if err != nil {
				panic("compat: " + err.Error())
			}
			row.Value = string(data)
		}
		list = append(list, row)
	}
	return list
}
