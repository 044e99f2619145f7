package view

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// kinds are the JSON types that a value may have; nil is all of them.
type kinds map[string]bool

// has reports whether a value of that type is allowed. An integer is a number.
func (k kinds) has(name string) bool {
	return k == nil || k[name] || name == "integer" && k["number"]
}

// maxDepth is how deep schemas are looked into; below, anything is unknown.
const maxDepth = 60

// maxIndex is how long the type of the undeclared keys of an object may get, in
// bytes, before it is unknown.
const maxIndex = 1000

// A converter turns one schema document into TypeScript types. What a $ref
// names becomes a type alias, so that types can be recursive.
type converter struct {
	root   any
	opaque bool // "#" has several meanings in it: no reference is followed
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

// aliases returns the declarations of the aliases that were used.
func (c *converter) aliases() string {
	var b strings.Builder
	for i := 0; i < len(c.order); i++ { // writing one may meet others
		ref := c.order[i]
		target, _ := c.resolve(ref)
		c.chain = ref
		fmt.Fprintf(&b, "  type %s = %s;\n", c.names[ref], c.convert(target, nil, "  "))
		c.chain = ""
	}
	return b.String()
}

// convert returns the type of the values that a schema allows, given the types
// that they are known to have.
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

// saysMore reports whether a schema speaks of types itself, and does not only
// combine others that do.
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

// literalsOf returns the values of const and enum that have one of the types.
func literalsOf(s map[string]any, known kinds) ([]string, bool) {
	values, ok := s["enum"].([]any)
	if v, isConst := s["const"]; isConst {
		values, ok = []any{v}, true
	}
	if !ok {
		return nil, false
	}
	var all []string
	for _, v := range values {
		if known.has(kindOf(v)) {
			all = append(all, literal(v))
		}
	}
	return all, true
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "integer" // allowed as a number too
}

// literal returns the type of one JSON value.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return quote(v)
	case json.Number:
		if f, err := v.Float64(); err != nil || math.IsInf(f, 0) {
			return "number"
		}
		return v.String()
	case []any:
		var items []string
		for _, e := range v {
			items = append(items, literal(e))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var fields []string
		for _, k := range sortedKeys(v) {
			fields = append(fields, propertyName(k)+": "+literal(v[k]))
		}
		if len(fields) == 0 {
			return "{ [key: string]: never }"
		}
		return "{ " + strings.Join(fields, "; ") + " }"
	}
	return "unknown"
}

func (c *converter) byKind(s map[string]any, known kinds, indent string) string {
	var types []string
	for _, name := range sortedKeys(known) {
		switch name {
		case "string", "boolean", "null":
			types = append(types, name)
		case "number", "integer":
			types = append(types, "number")
		case "array":
			types = append(types, c.inside(func() string { return c.array(s, indent) }))
		case "object":
			types = append(types, c.inside(func() string { return c.object(s, indent) }))
		default: // no JSON type: no value has it
		}
	}
	return union(types)
}

// inside runs f for what stands in an object or an array, where a type alias
// may name itself.
func (c *converter) inside(f func() string) string {
	chain := c.chain
	c.chain = ""
	defer func() { c.chain = chain }()
	return f()
}

func (c *converter) array(s map[string]any, indent string) string {
	prefix, _ := s["prefixItems"].([]any)
	rest, restricted := s["items"]
	if list, ok := rest.([]any); ok { // as up to 2019-09
		prefix = list
		rest, restricted = s["additionalItems"]
	}
	item := "unknown"
	if restricted {
		item = c.convert(rest, nil, indent)
	}
	if len(prefix) == 0 {
		return group(item) + "[]"
	}
	least := 0.0
	if n, ok := s["minItems"].(json.Number); ok {
		least, _ = n.Float64()
	}
	var items []string
	for i, p := range prefix {
		t := c.convert(p, nil, indent)
		if float64(i) >= least {
			t = group(t) + "?"
		}
		items = append(items, t)
	}
	if item != "never" {
		items = append(items, "..."+group(item)+"[]")
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (c *converter) object(s map[string]any, indent string) string {
	properties, _ := s["properties"].(map[string]any)
	required := map[string]bool{}
	list, _ := s["required"].([]any)
	for _, r := range list {
		if name, ok := r.(string); ok {
			required[name] = true
		}
	}
	inner := indent + "  "

	// The keys without a declaration of their own.
	other := "unknown"
	if extra, ok := s["additionalProperties"]; ok {
		other = c.convert(extra, nil, inner)
	}
	patterns, _ := s["patternProperties"].(map[string]any)
	others := []string{other}
	for _, p := range sortedKeys(patterns) {
		others = append(others, c.convert(patterns[p], nil, inner))
	}
	other = union(others)

	var b strings.Builder
	index := []string{other}
	field := func(name string, schema any, t string) {
		if s, ok := schema.(map[string]any); ok {
			text, _ := s["description"].(string)
			if s["deprecated"] == true {
				text += "\n@deprecated"
			}
			b.WriteString(comment(text, inner))
		}
		mark := "?"
		if required[name] {
			mark = ""
		} else {
			index = append(index, "undefined")
		}
		index = append(index, t)
		fmt.Fprintf(&b, "%s%s%s: %s;\n", inner, propertyName(name), mark, t)
	}
	for _, name := range sortedKeys(properties) {
		field(name, properties[name], c.convert(properties[name], nil, inner))
	}
	for _, name := range sortedKeys(required) {
		if _, ok := properties[name]; !ok {
			field(name, nil, other)
		}
	}
	if b.Len() == 0 {
		return "{ [key: string]: " + other + " }"
	}
	if other != "never" {
		// TypeScript wants every field's type in that of the index. Nested
		// objects would be written out twice at each level, so there is an end.
		all := union(index)
		if len(all) > maxIndex {
			all = "unknown"
		}
		fmt.Fprintf(&b, "%s[key: string]: %s;\n", inner, all)
	}
	return "{\n" + b.String() + indent + "}"
}

// reference returns the alias of what a $ref names, or unknown.
func (c *converter) reference(ref string) string {
	if _, ok := c.resolve(ref); !ok {
		return "unknown"
	}
	if c.chain != "" && c.reaches(ref, c.chain, map[string]bool{}) {
		return "unknown" // a type can't be itself
	}
	if c.names[ref] == "" {
		base := c.prefix
		if i := strings.LastIndex(ref, "/"); i >= 0 {
			base += "_" + ref[i+1:]
		}
		base = identifier(base)
		name := base
		for n := 2; c.taken[name]; n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		c.taken[name] = true
		c.names[ref] = name
		c.order = append(c.order, ref)
	}
	return c.names[ref]
}

// reaches reports whether ref names target, itself or by references that stand
// in no object or array.
func (c *converter) reaches(ref, target string, seen map[string]bool) bool {
	if ref == target {
		return true
	}
	if seen[ref] {
		return false
	}
	seen[ref] = true
	schema, _ := c.resolve(ref)
	return c.leads(schema, target, seen, 0)
}

func (c *converter) leads(schema any, target string, seen map[string]bool, depth int) bool {
	s, ok := schema.(map[string]any)
	if !ok || depth > maxDepth {
		return false
	}
	if ref, ok := s["$ref"].(string); ok && c.reaches(ref, target, seen) {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		branches, _ := s[key].([]any)
		for _, b := range branches {
			if c.leads(b, target, seen, depth+1) {
				return true
			}
		}
	}
	return false
}

// resolve finds what a reference within the document names: "#", or "#" with a
// JSON pointer. A document with an $id below its root has several meanings of
// "#": nothing is found in one.
func (c *converter) resolve(ref string) (any, bool) {
	if !strings.HasPrefix(ref, "#") || c.opaque {
		return nil, false
	}
	pointer, err := url.PathUnescape(ref[1:])
	if err != nil || pointer != "" && !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	v := c.root
	if pointer == "" {
		return v, true
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[token]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func hasNestedID(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["$id"].(string); ok && depth > 0 {
			return true
		}
		for _, e := range v {
			if hasNestedID(e, depth+1) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if hasNestedID(e, depth+1) {
				return true
			}
		}
	}
	return false
}

// union and intersection leave out what does not count and what is there twice.
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
