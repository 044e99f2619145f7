package compat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/spelling"
)

// A profileFile is the form of a profile that people edit.
type profileFile struct {
	Name    string                     `json:"name"`
	Host    string                     `json:"host"`
	Version string                     `json:"version"`
	Source  *sourceFile                `json:"source"`
	Notes   []string                   `json:"notes"`
	Facts   map[string]json.RawMessage `json:"facts"`
}

// A sourceFile is the source of the file's facts, or of one claim.
type sourceFile struct {
	Kind Kind   `json:"kind"`
	By   string `json:"by"`
	Date string `json:"date"`
	Ref  string `json:"ref"`
}

// A claimFile is a claim. Without a source of its own it has the file's.
type claimFile struct {
	Value json.RawMessage `json:"value"`
	When  string          `json:"when"`
	Note  string          `json:"note"`
	sourceFile
}

var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func parse(id string, data []byte) (*Profile, error) {
	var f profileFile
	if err := strict(data, &f); err != nil {
		return nil, err
	}
	p := &Profile{ID: id, Name: f.Name, Host: cmp.Or(f.Host, id), Version: f.Version, Notes: f.Notes}
	for _, s := range []string{p.ID, p.Host} {
		if !idForm.MatchString(s) {
			return nil, fmt.Errorf("%q is not an ID; write lower-case words with hyphens between them", s)
		}
	}
	if f.Name == "" {
		return nil, errors.New("the name is missing")
	}
	if f.Source == nil {
		return nil, errors.New("the source is missing")
	}
	var err error
	if p.Source, err = f.Source.source(); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	var known []string
	for _, fact := range facts(p) {
		known = append(known, fact.key)
		raw, ok := f.Facts[fact.key]
		if !ok {
			continue // unknown
		}
		if err := fact.set(fact.key, raw, p.Source); err != nil {
			return nil, fmt.Errorf("facts.%s: %w", fact.key, err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.Facts)) {
		if slices.Contains(known, key) {
			continue
		}
		if meant := spelling.Key(key, known); meant != "" {
			return nil, fmt.Errorf("facts.%s: the key is unknown; write %s", key, meant)
		}
		return nil, fmt.Errorf("facts.%s: the key is unknown; write one of %s", key, strings.Join(known, ", "))
	}
	return p, nil
}

// source returns the source, or an error that says what it lacks.
func (f sourceFile) source() (Source, error) {
	kinds := []Kind{Probe, Documentation, Report}
	switch {
	case f.Kind == "":
		return Source{}, fmt.Errorf("the kind is missing; write one of %s", quoted(kinds))
	case !slices.Contains(kinds, f.Kind):
		return Source{}, fmt.Errorf("kind %q is not one of %s", f.Kind, quoted(kinds))
	case f.By == "" && f.Ref == "":
		return Source{}, errors.New("by and ref are missing; write one of them")
	}
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return Source{}, fmt.Errorf("date %q is not of the form 2006-01-02", f.Date)
	}
	return Source(f), nil
}

// set decodes a fact, which is written as its value alone; as a claim, an object with
// the key "value"; or as several claims, an object with the key "claims".
func (f *Fact[T]) set(key string, raw json.RawMessage, source Source) error {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(raw, &keys) // other than objects are values
	if _, ok := keys["claims"]; ok {
		var several struct {
			Claims []json.RawMessage `json:"claims"`
		}
		if err := strict(raw, &several); err != nil {
			return err
		}
		if len(several.Claims) < 2 {
			return errors.New("claims has fewer than two claims; write one without the list")
		}
		for i, raw := range several.Claims {
			if err := f.add(key, raw, source); err != nil {
				return fmt.Errorf("claims[%d]: %w", i, err)
			}
		}
		return nil
	}
	if _, ok := keys["value"]; ok {
		return f.add(key, raw, source)
	}
	if string(raw) == "null" {
		return errors.New("the value is null; leave the fact out where it is unknown")
	}
	return f.append(key, claimFile{Value: raw}, source)
}

// add decodes a claim that is written as an object.
func (f *Fact[T]) add(key string, raw json.RawMessage, source Source) error {
	var c claimFile
	if err := strict(raw, &c); err != nil {
		return err
	}
	if c.sourceFile != (sourceFile{}) {
		var err error
		if source, err = c.source(); err != nil {
			return err
		}
	}
	return f.append(key, c, source)
}

func (f *Fact[T]) append(key string, c claimFile, source Source) error {
	claim := Claim[T]{When: c.When, Note: c.Note, Source: source}
	switch {
	case len(c.Value) == 0:
		return errors.New("the value is missing; it is null where the source's words fit no value")
	case string(c.Value) == "null":
		if c.Note == "" {
			return errors.New("a claim whose value is null needs a note")
		}
	default:
		v := new(T)
		if err := strict(c.Value, v); err != nil {
			return fmt.Errorf("%s is not %s: %w", c.Value, typeName(*v), err)
		}
		if err := validate(key, *v); err != nil {
			return fmt.Errorf("%s: %w", c.Value, err)
		}
		claim.Value = v
	}
	f.Claims = append(f.Claims, claim)
	return nil
}

// strict decodes JSON, of which it knows each key and has each key once.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text follows the JSON value")
	}
	return onceEach(json.NewDecoder(bytes.NewReader(data)))
}

// onceEach reads a value and returns an error if an object in it has a key twice, of
// which encoding/json would take the later one.
func onceEach(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') && t != json.Delim('[') {
		return nil
	}
	seen := make(map[json.Token]bool)
	for d.More() {
		if t == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if seen[key] {
				return fmt.Errorf("the key %q stands twice", key)
			}
			seen[key] = true
		}
		if err := onceEach(d); err != nil {
			return err
		}
	}
	_, err = d.Token() // the closing delimiter
	return err
}
