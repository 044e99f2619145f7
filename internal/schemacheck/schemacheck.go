// Package schemacheck checks JSON values against JSON Schemas that a server sent, at
// bounded cost: a schema of 2 kB can take other validators for ever, or overflow
// their stack.
//
// It knows the keywords of draft 2020-12 and those of older drafts that generators
// still write, with references within the document. What it cannot decide, or not at
// that cost, is [Unknown].
package schemacheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Verdict says whether a value matches a schema.
type Verdict int

const (
	// Unknown is the verdict on what was not decided: the schema is malformed, too
	// expensive, or has a keyword that this package does not know how to check.
	Unknown Verdict = iota
	Valid
	Invalid
)

const (
	// MaxSchemaBytes bounds the schemas that [Decode] accepts.
	MaxSchemaBytes = 1 << 20
	// maxSteps bounds the work for all values that one Checker checks. A step is a
	// schema applied to a value, or work of about the same cost.
	maxSteps = 100_000
	// maxDepth bounds the nesting of schemas, references included.
	maxDepth = 200
	// maxPattern bounds a pattern, in bytes.
	maxPattern = 1000
)

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

// A Checker checks values against the schemas in one document. It must not be used
// concurrently.
type Checker struct {
	document any
	refAlone bool // keywords beside $ref do not count, as before draft 2019-09
	steps    int  // left
	patterns map[string]*pattern
}

// New returns a Checker for a document that [Decode] returned. References in its
// schemas are relative to it.
func New(document any) *Checker {
	c := &Checker{document: document, steps: maxSteps, patterns: make(map[string]*pattern)}
	if root, ok := document.(map[string]any); ok {
		draft, _ := root["$schema"].(string)
		c.refAlone = strings.Contains(draft, "/draft-0")
	}
	return c
}

// Exhausted reports whether the schemas were too expensive: every further verdict is
// [Unknown].
func (c *Checker) Exhausted() bool { return c.steps < 0 }

// Check checks a value against a schema of the document, both as [Decode] returns
// them. If the value is invalid, the problem says where and why, in one line.
func (c *Checker) Check(schema, value any) (v Verdict, problem string) {
	r := c.apply(schema, value, 0)
	if c.Exhausted() {
		return Unknown, ""
	}
	return r.verdict, r.problem
}

type result struct {
	verdict Verdict
	problem string
}

var (
	valid   = result{verdict: Valid}
	unknown = result{}
)

func invalid(format string, args ...any) result {
	return result{Invalid, fmt.Sprintf(format, args...)}
}

// in adds to a problem the member or item that it is about.
func (r result) in(name string) result {
	if r.verdict == Invalid {
		if strings.HasPrefix(r.problem, "/") {
			r.problem = "/" + name + r.problem
		} else {
			r.problem = "/" + name + ": " + r.problem
		}
	}
	return r
}

// both returns the verdict of two requirements that hold together.
func both(a, b result) result {
	switch {
	case a.verdict == Invalid:
		return a
	case b.verdict == Invalid:
		return b
	case a.verdict == Unknown:
		return a
	}
	return b
}

// spend takes n steps from the budget and reports whether it had them.
func (c *Checker) spend(n int) bool {
	c.steps -= n
	return c.steps >= 0
}

func (c *Checker) apply(schema, v any, depth int) result {
	if !c.spend(1) || depth > maxDepth {
		return unknown
	}
	switch s := schema.(type) {
	case bool:
		if s {
			return valid
		}
		return invalid("it is not allowed")
	case map[string]any:
		if _, ok := s["$ref"]; ok && c.refAlone {
			return c.reference(s, v, depth)
		}
		out := valid
		for _, check := range []func(map[string]any, any, int) result{ // the cheapest first
			c.types, c.choices, c.numbers, c.strings, c.counts, c.members, c.items, c.combined, c.reference,
		} {
			if out = both(out, check(s, v, depth)); out.verdict == Invalid || c.Exhausted() {
				return out
			}
		}
		return out
	}
	return unknown
}

// reference applies $ref, which must be a JSON Pointer into the document.
func (c *Checker) reference(s map[string]any, v any, depth int) result {
	_, dynamic := s["$dynamicRef"]
	_, recursive := s["$recursiveRef"]
	_, named := s["$id"]
	if dynamic || recursive || named && depth > 0 { // $id changes what references are relative to
		return unknown
	}
	ref, ok := s["$ref"]
	if !ok {
		return valid
	}
	target, ok := ref.(string)
	if !ok {
		return unknown
	}
	to, ok := c.lookup(target)
	if !ok {
		return unknown
	}
	return c.apply(to, v, depth+1)
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func (c *Checker) lookup(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || len(path) > 1000 || strings.Contains(path, "%") {
		return nil, false
	}
	at := c.document
	if path == "" {
		return at, true
	}
	if path[0] != '/' {
		return nil, false
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		members, ok := at.(map[string]any) // references to items of arrays are rare
		if !ok || !c.spend(1) {
			return nil, false
		}
		if at, ok = members[unescape.Replace(name)]; !ok {
			return nil, false
		}
	}
	return at, true
}

// describe names a value in a problem. Its cost does not depend on the value's size.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return text.Quote(v)
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	default:
		return text.Shorten(fmt.Sprint(v), 80)
	}
}

// A pattern is a compiled regular expression and the number of its instructions.
type pattern struct {
	*regexp.Regexp
	size int
}
