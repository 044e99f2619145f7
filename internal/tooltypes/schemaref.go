package tooltypes

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

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

// reference returns the alias of the target of a $ref, or unknown.
func (c *converter) reference(ref string) string {
	if _, ok := c.resolve(ref); !ok {
		return "unknown"
	}
	if c.chain != "" && c.reaches(ref, c.chain, map[string]bool{}) {
		return "unknown" // a type can't be defined as itself
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

// reaches reports whether ref leads to target directly, or through references that
// are not inside an object or an array.
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

// resolve returns the target of a reference within the document: "#", or "#" with a
// JSON pointer. In a document with an $id below its root, "#" is ambiguous, and
// nothing is found.
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
