package tooltypes

import (
	"encoding/json"
	"fmt"
	"strings"
)

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
		default: // not a JSON type, so no value has it
		}
	}
	return union(types)
}

// inside runs f for the contents of an object or an array, where a type alias may
// refer to itself.
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

	// The undeclared keys.
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
		// TypeScript requires the index type to include every field's type. Nested
		// objects would double at each level, so the length is limited.
		all := union(index)
		if len(all) > maxIndex {
			all = "unknown"
		}
		fmt.Fprintf(&b, "%s[key: string]: %s;\n", inner, all)
	}
	return "{\n" + b.String() + indent + "}"
}
