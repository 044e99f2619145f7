package schemacheck

import (
	"encoding/json"
	"reflect"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

const (
	// budget bounds the work for all values that one Checker checks. A step is a
	// schema applied to a value, or work of about the same cost, some microseconds.
	budget = 50_000
	// bytesPerStep is how much of a schema is decoded in a step.
	bytesPerStep = 10
	// maxDepth bounds the nesting of schemas and values, references included.
	maxDepth = 100
	// maxPattern bounds a pattern, in bytes, and maxProgram what it is compiled to, in
	// instructions.
	maxPattern, maxProgram = 1000, 5000
	// maxID bounds the identifier of the document, which is in each message.
	maxID = 1000
	// maxPaths bounds the paths of all schemas together, in bytes: jsonschema-go makes
	// each, with the names of properties in it.
	maxPaths = 4 << 20
)

// spend takes n steps from the budget and reports whether it had them.
func (c *Checker) spend(n int) bool {
	c.left -= n
	return c.left >= 0
}

// affordable reports whether a value can be checked within the budget, and spends what
// that takes: it goes where a validator would go if no keyword ended its work early.
func (c *Checker) affordable(schema, value any, depth int) bool {
	if depth > maxDepth {
		c.left = -1
	}
	if !c.spend(1 + sizeOf(value)/1000) { // a message can have all of it
		return false
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return true
	}
	if !c.spend(len(s) / 16) {
		return false
	}
	for keyword, v := range s {
		if !c.keyword(s, keyword, v, value, depth+1) {
			return false
		}
	}
	return true
}

// keyword is affordable for one keyword of a schema.
func (c *Checker) keyword(s map[string]any, keyword string, v, value any, depth int) bool {
	switch keyword {
	case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor":
		return keyword == "$id" && depth == 1 // it changes what references mean
	case "$ref":
		target, ok := c.lookup(v)
		return ok && c.affordable(target, value, depth)
	case "enum", "const": // messages have them, and comparing can take as long
		list, _ := v.([]any)
		return c.spend(len(list)/4 + sizeOf(v)/1000)
	case "pattern":
		text, isString := value.(string)
		return !isString || c.pattern(v, len(text))
	case "not", "if", "then", "else":
		return c.affordable(v, value, depth)
	case "allOf", "anyOf", "oneOf":
		list, _ := v.([]any)
		for _, sub := range list {
			if !c.affordable(sub, value, depth) {
				return false
			}
		}
	default:
		switch value := value.(type) {
		case map[string]any:
			return c.members(keyword, v, value, depth)
		case []any:
			return c.items(keyword, v, value, depth)
		}
	}
	return !c.Exhausted()
}

func (c *Checker) members(keyword string, v any, value map[string]any, depth int) bool {
	subs, _ := v.(map[string]any)
	switch keyword {
	case "required", "dependentRequired":
		return c.spend(sizeOf(v) / 200)
	case "properties":
		for name, sub := range subs {
			member, ok := value[name]
			if ok && !c.affordable(sub, member, depth) {
				return false
			}
		}
		return c.spend(len(subs) / 4)
	case "patternProperties":
		if !c.spend(len(subs) / 4) {
			return false
		}
		for pattern, sub := range subs {
			for name, member := range value {
				if !c.pattern(pattern, len(name)) || !c.affordable(sub, member, depth) {
					return false
				}
			}
		}
	case "additionalProperties", "unevaluatedProperties":
		for _, member := range value {
			if !c.affordable(v, member, depth) {
				return false
			}
		}
	case "propertyNames":
		for name := range value {
			if !c.affordable(v, name, depth) {
				return false
			}
		}
	case "dependentSchemas", "dependencies":
		for _, sub := range subs {
			if names, ok := sub.([]any); ok && !c.spend(sizeOf(names)/200) {
				return false
			}
			if !c.affordable(sub, value, depth) {
				return false
			}
		}
	}
	return true
}

func (c *Checker) items(keyword string, v any, value []any, depth int) bool {
	switch keyword {
	case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
		list, isList := v.([]any)
		for i, item := range value {
			sub := v
			if isList && i < len(list) {
				sub = list[i]
			} else if isList {
				break
			}
			if !c.affordable(sub, item, depth) {
				return false
			}
		}
	case "uniqueItems":
		return c.spend(len(value))
	}
	return true
}

// pattern spends what it takes to match a pattern with a text of some bytes.
func (c *Checker) pattern(v any, size int) bool {
	expr, _ := v.(string)
	n := c.instructions(expr)
	return n >= 0 && c.spend(n*(size+1)/100)
}

// instructions returns the length of the program of a pattern, which may repeat a
// part of it many times; -1 if it is too long, or if Go does not know its syntax.
func (c *Checker) instructions(expr string) int {
	if n, ok := c.patterns[expr]; ok {
		return n
	}
	n := -1
	if len(expr) <= maxPattern {
		if parsed, err := syntax.Parse(expr, syntax.Perl); err == nil && length(parsed) <= maxProgram {
			n = length(parsed)
		}
	}
	c.patterns[expr] = n
	return n
}

// length returns about how many instructions an expression is compiled to.
func length(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += length(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return n
}

// A place says what a value in a document is.
type place int

const (
	aSchema   place = iota
	schemas         // by name
	something       // that is not a schema
)

// keywords are those that jsonschema-go knows, by their name in lower case.
var keywords = func() map[string]string {
	known := map[string]string{"type": "type", "items": "items", "dependencies": "dependencies"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			known[strings.ToLower(name)] = name
		}
	}
	return known
}()

// isAlias reports whether jsonschema-go takes a key for a keyword that it is not:
// encoding/json ignores case.
func isAlias(key string) bool {
	keyword, ok := keywords[strings.ToLower(strings.ReplaceAll(key, "\u017f", "s"))]
	return ok && keyword != key
}

func placeOf(keyword string) place {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return schemas
	case "enum", "const", "default", "examples", "dependentRequired":
		return something
	}
	if keywords[strings.ToLower(keyword)] == keyword {
		return aSchema
	}
	return something
}

// compilable reports whether all of a document can be compiled, used or not, and
// spends what its patterns take. path is the length of the path to v.
func (c *Checker) compilable(v any, at place, path, depth int) bool {
	c.paths += path
	if depth > maxDepth || c.paths > maxPaths {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !c.compilable(item, at, path+5, depth+1) {
				return false
			}
		}
	case map[string]any:
		for key, member := range v {
			below := something
			switch at {
			case schemas:
				below = aSchema
			case aSchema:
				below = placeOf(key)
				if isAlias(key) || !c.compilableKeyword(key, member, depth) {
					return false
				}
			}
			if !c.compilable(member, below, path+len(key)+1, depth+1) {
				return false
			}
		}
	}
	return true
}

func (c *Checker) compilableKeyword(key string, v any, depth int) bool {
	switch v := v.(type) {
	case string:
		switch key {
		case "pattern":
			return c.spend(max(c.instructions(v), len(v)/10) / 10)
		case "$id": // another one changes what references mean
			return depth == 0 && len(v) <= maxID
		}
	case map[string]any:
		if key != "patternProperties" {
			return true
		}
		for expr := range v {
			if !c.spend(max(c.instructions(expr), len(expr)/10) / 10) {
				return false
			}
		}
	}
	return true
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// lookup returns the schema to which a reference within the document leads. References
// to the document itself are not those of its parts: see CheckPart.
func (c *Checker) lookup(ref any) (any, bool) {
	text, _ := ref.(string)
	path, ok := strings.CutPrefix(text, "#/")
	if text == "#" && !c.part {
		return c.document, true
	}
	if !ok || len(path) > 1000 || strings.Contains(path, "%") {
		return nil, false
	}
	var at any = c.document
	for name := range strings.SplitSeq(path, "/") {
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

// sizeOf returns about how many bytes it takes to write a value, with some for each
// item of it: writing a number takes longer than writing a character. It is very large
// for a number that takes very long to calculate with.
func sizeOf(v any) int {
	const item = 20
	n := 0
	switch v := v.(type) {
	case []any:
		for _, v := range v {
			n += item + sizeOf(v)
		}
	case map[string]any:
		for name, v := range v {
			n += item + len(name) + sizeOf(v)
		}
	case string:
		return len(v)
	case json.Number:
		if i := strings.IndexAny(string(v), "eE"); i >= 0 {
			if e, err := strconv.Atoi(string(v[i+1:])); err != nil || e > 400 || e < -400 {
				return 1000 * budget
			}
		}
		if len(v) > 400 {
			return 1000 * budget
		}
	}
	return n
}
