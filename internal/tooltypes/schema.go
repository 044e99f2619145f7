package tooltypes

import (
	"regexp"
	"sort"
	"strings"
)

// kinds are the JSON types that a value may have; nil is all of them.
type kinds map[string]bool

// has reports whether a value of that type is allowed. An integer is a number.
func (k kinds) has(name string) bool {
	return k == nil || k[name] || name == "integer" && k["number"]
}

// maxDepth is how deep schemas are read; deeper types are unknown.
const maxDepth = 60

// maxIndex is the maximum length, in bytes, of the type of an object's undeclared
// keys; a longer one becomes unknown.
const maxIndex = 1000

// A converter converts one schema document to TypeScript types. The target of a
// $ref becomes a type alias, so types can be recursive.
type converter struct {
	root   any
	opaque bool // "#" is ambiguous in it: no reference is followed
	prefix string
	taken  map[string]bool   // names in use in the module
	names  map[string]string // of aliases, by reference
	order  []string          // references in the order they were met
	chain  string            // the alias being written, "" outside or inside an object or array of it
	depth  int
}

func newConverter(root any, taken map[string]bool, prefix string) *converter {
	return &converter{root: root, opaque: hasNestedID(root, 0), prefix: prefix, taken: taken, names: map[string]string{}}
}

// convert returns the type of the values that a schema allows, among values of the
// known JSON types.
func (c *converter) convert(schema any, known kinds, indent string) string {
	if schema == false {
		return "never"
	}
	s, ok := schema.(map[string]any)
	if !ok || c.depth > maxDepth {
		return "unknown"
	}
	c.depth++
	defer func() { c.depth-- }()

	known = restrict(known, s["type"])
	if known != nil && len(known) == 0 {
		return "never"
	}
	var parts []string
	if literals, ok := literalsOf(s, known); ok {
		parts = append(parts, union(literals))
	} else if known != nil && saysMore(s) {
		parts = append(parts, c.byKind(s, known, indent))
	}
	if ref, ok := s["$ref"].(string); ok {
		parts = append(parts, c.reference(ref))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if branches, ok := s[key].([]any); ok {
			var types []string
			for _, b := range branches {
				types = append(types, c.convert(b, known, indent))
			}
			parts = append(parts, union(types))
		}
	}
	if branches, ok := s["allOf"].([]any); ok {
		for _, b := range branches {
			parts = append(parts, c.convert(b, known, indent))
		}
	}
	return intersection(parts)
}

// saysMore reports whether a schema constrains types itself, and not only by
// combining other schemas.
func saysMore(s map[string]any) bool {
	for _, key := range []string{
		"type", "properties", "required", "additionalProperties", "patternProperties",
		"items", "prefixItems", "additionalItems",
	} {
		if _, ok := s[key]; ok {
			return true
		}
	}
	return false
}

// restrict narrows the known types by the keyword type.
func restrict(known kinds, keyword any) kinds {
	var names []any
	switch t := keyword.(type) {
	case string:
		names = []any{t}
	case []any:
		names = t
	default:
		return known
	}
	narrowed := kinds{}
	for _, n := range names {
		name, _ := n.(string)
		if known.has(name) {
			narrowed[name] = true
		}
		if name == "number" && !known.has("number") && known.has("integer") {
			narrowed["integer"] = true
		}
	}
	return narrowed
}

// union and intersection leave out neutral and repeated members.
func union(types []string) string { return combine(types, " | ", "never", "unknown") }

func intersection(types []string) string { return combine(types, " & ", "unknown", "never") }

func combine(types []string, sep, neutral, absorbing string) string {
	var kept []string
	seen := map[string]bool{neutral: true}
	for _, t := range types {
		if t == absorbing {
			return absorbing
		}
		if !seen[t] {
			seen[t] = true
			kept = append(kept, t)
		}
	}
	switch len(kept) {
	case 0:
		return neutral
	case 1:
		return kept[0]
	}
	for i, t := range kept {
		kept[i] = group(t)
	}
	return strings.Join(kept, sep)
}

// group puts a combination in parentheses.
func group(t string) string {
	if strings.Contains(t, " | ") || strings.Contains(t, " & ") {
		return "(" + t + ")"
	}
	return t
}

var (
	plainName  = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	notInNames = regexp.MustCompile(`\W+`)
)

func propertyName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return quote(name)
}

func identifier(s string) string { return notInNames.ReplaceAllString(s, "_") }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
