package compat

import (
	"encoding/json"
	"reflect"
)

// A Row is one fact of a profile without its type, for tables.
type Row struct {
	Key   string // such as "displayModes"
	Title string // such as "display modes"
	// Value is that of the first claim as JSON. It is empty if the fact is unknown.
	Value  string
	When   string // the condition of the value
	Claims []RowClaim
}

// A RowClaim is a [Claim] whose value is JSON, empty if the claim has none.
type RowClaim struct {
	Value, When, Note string
	Source            Source
}

// Rows returns the facts of the profile, known and unknown ones, in a fixed order.
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

// Conflict reports whether two claims have different values under the same condition,
// or without one.
func (r Row) Conflict() bool {
	said := make(map[string]string) // from the condition to the value
	for _, c := range r.Claims {
		if c.Value == "" {
			continue
		}
		if v, ok := said[c.When]; ok && v != c.Value {
			return true
		}
		said[c.When] = c.Value
	}
	return false
}

// A fact is a field of a profile.
type fact struct {
	key, title string
	typed
}

// typed is a pointer to a [Fact] of any type.
type typed interface {
	set(key string, raw json.RawMessage, source Source) error
	rows() []RowClaim
	prefer(kind string)
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

func (f *Fact[T]) rows() []RowClaim {
	var list []RowClaim
	for _, c := range f.Claims {
		row := RowClaim{When: c.When, Note: c.Note, Source: c.Source}
		if c.Value != nil {
			data, err := json.Marshal(c.Value)
			if err != nil {
				panic("compat: " + err.Error()) // values are strings, numbers and structs of these
			}
			row.Value = string(data)
		}
		list = append(list, row)
	}
	return list
}
