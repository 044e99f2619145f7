package schemacheck

import (
	"encoding/json"
	"regexp/syntax"
	"strconv"
	"strings"
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
	if !c.spend(1 + sizeOf(value)/1000) {
		return false
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return true
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
	case "enum":
		list, _ := v.([]any)
		return c.spend(len(list) / 4)
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
	case "required":
		list, _ := v.([]any)
		return c.spend(len(list) / 4)
	case "properties":
		for name, sub := range subs {
			member, ok := value[name]
			if ok && !c.affordable(sub, member, depth) {
				return false
			}
		}
		return c.spend(len(subs) / 4)
	case "patternProperties":
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

// compilable reports whether all of a document can be compiled, used or not, and
// spends what its patterns take.
func (c *Checker) compilable(v any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !c.compilable(item, depth+1) {
				return false
			}
		}
	case map[string]any:
		for key, member := range v {
			if expr, ok := member.(string); ok && key == "pattern" && !c.spend(max(c.instructions(expr), len(expr)/10)/10) {
				return false
			}
			if patterns, ok := member.(map[string]any); ok && key == "patternProperties" {
				for expr := range patterns {
					if !c.spend(max(c.instructions(expr), len(expr)/10) / 10) {
						return false
					}
				}
			}
			if !c.compilable(member, depth+1) {
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

// sizeOf returns the length of a string or number. It is the largest int for a number
// that takes very long to calculate with.
func sizeOf(v any) int {
	switch v := v.(type) {
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
	return 0
}
