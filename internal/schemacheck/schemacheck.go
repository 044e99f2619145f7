// Package schemacheck checks JSON values against JSON Schemas that a server sent, at
// bounded cost.
//
// jsonschema-go does the checking. It has no bounds: a schema of 2 kB can keep it
// busy for ever, or overflow its stack. So this package first counts what it would do,
// and what would be too expensive is [Unknown].
package schemacheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Verdict says whether a value matches a schema.
type Verdict int

const (
	// Unknown is the verdict on what was not decided: the schema is malformed or too
	// expensive, or refers to another document.
	Unknown Verdict = iota
	Valid
	Invalid
)

// MaxSchemaBytes bounds the schemas that [Decode] accepts.
const MaxSchemaBytes = 1 << 20

// Decode decodes a schema or a value, and keeps numbers as they are written.
func Decode(data []byte) (any, error) {
	if len(data) > MaxSchemaBytes {
		return nil, fmt.Errorf("%d bytes are more than %d", len(data), MaxSchemaBytes)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// A Checker checks values against a schema and against those within it. It must not
// be used concurrently.
type Checker struct {
	document map[string]any
	draft    string // of the documents that jsonschema-go gets
	left     int    // what may still be spent
	paths    int    // bytes of all paths in the document
	part     bool   // a part is being checked
	whole    func() *jsonschema.Resolved
	patterns map[string]int // how many instructions each has, -1 if it can't be used
}

// New returns a Checker for a schema that [Decode] returned. References within it are
// relative to it.
func New(document any) *Checker {
	c := &Checker{left: budget, patterns: make(map[string]int)}
	c.document, _ = document.(map[string]any)
	if c.document == nil || !c.compilable(c.document, aSchema, 0, 0) {
		c.left = -1
	}
	// Drafts that jsonschema-go does not know are read as the nearest that it knows.
	c.draft = "https://json-schema.org/draft/2020-12/schema"
	if named, _ := c.document["$schema"].(string); strings.Contains(named, "/draft-0") {
		c.draft = "http://json-schema.org/draft-07/schema#"
	}
	c.whole = sync.OnceValue(func() *jsonschema.Resolved {
		document := maps.Clone(c.document)
		document["$schema"] = c.draft
		return c.resolve(document)
	})
	return c
}

// Exhausted reports whether the schemas were too expensive: every further verdict is
// [Unknown].
func (c *Checker) Exhausted() bool { return c.left < 0 }

// Check checks a value against the whole schema.
func (c *Checker) Check(value any) (Verdict, error) {
	c.part = false
	if !c.affordable(c.document, value, 0) {
		return Unknown, nil
	}
	whole := c.whole()
	if whole == nil {
		return Unknown, nil
	}
	if err := whole.Validate(plain(value)); err != nil {
		return Invalid, err
	}
	return Valid, nil
}

// CheckPart checks a value against a schema that the whole one contains.
func (c *Checker) CheckPart(part, value any) Verdict {
	c.part = true
	if !c.affordable(part, value, 0) {
		return Unknown
	}
	// An array, because the keywords that stay beside items are not about arrays.
	document := map[string]any{"$schema": c.draft, "items": part}
	c.keep(document, part)
	resolved := c.resolve(document)
	switch {
	case resolved == nil:
		return Unknown
	case resolved.Validate([]any{plain(value)}) != nil || !hasFormat(part, value):
		return Invalid
	}
	return Valid
}

// resolve returns nil for a schema that is malformed or refers to other documents.
func (c *Checker) resolve(document map[string]any) *jsonschema.Resolved {
	data, err := json.Marshal(document)
	if err != nil || !c.spend(len(data)/bytesPerStep) {
		return nil
	}
	var s jsonschema.Schema
	if json.Unmarshal(data, &s) != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

// keep adds to a document, at their places in the whole schema, the schemas to which
// references in v lead, and those to which they lead.
func (c *Checker) keep(document map[string]any, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			c.keep(document, item)
		}
	case map[string]any:
		for key, member := range v {
			ref, _ := member.(string)
			if key != "$ref" || !strings.HasPrefix(ref, "#/") {
				c.keep(document, member)
				continue
			}
			keyword, rest, _ := strings.Cut(ref[len("#/"):], "/")
			name, _, _ := strings.Cut(rest, "/")
			name = unescape.Replace(name)
			switch keyword {
			case "$defs", "definitions", "properties":
			default:
				continue
			}
			kept, _ := document[keyword].(map[string]any)
			all, _ := c.document[keyword].(map[string]any)
			if target, ok := all[name]; ok && kept[name] == nil {
				if kept == nil {
					kept = make(map[string]any)
					document[keyword] = kept
				}
				kept[name] = target
				c.keep(document, target)
			}
		}
	}
}

// plain returns a value with the numbers that jsonschema-go expects.
func plain(v any) any {
	var out any
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return v
	}
	return out
}
