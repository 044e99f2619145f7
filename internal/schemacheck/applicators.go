package schemacheck

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// object returns the members of a keyword's value, and whether it is absent or an
// object.
func object(s map[string]any, keyword string) (map[string]any, bool) {
	raw, ok := s[keyword]
	if !ok {
		return nil, true
	}
	m, ok := raw.(map[string]any)
	return m, ok
}

func (c *Checker) members(s map[string]any, v any, depth int) result {
	value, ok := v.(map[string]any)
	if !ok {
		return valid
	}
	out := both(c.required(s, value, depth), c.unevaluated(s, "unevaluatedProperties"))
	properties, ok1 := object(s, "properties")
	patterns, ok2 := object(s, "patternProperties")
	if !ok1 || !ok2 {
		out = both(out, unknown)
	}
	additional, hasAdditional := s["additionalProperties"]
	names, hasNames := s["propertyNames"]
	if out.verdict == Invalid || len(properties)+len(patterns) == 0 && !hasAdditional && !hasNames {
		return out
	}
	if !c.spend(len(patterns)) {
		return unknown
	}
	exprs := slices.Sorted(maps.Keys(patterns))
	for _, name := range slices.Sorted(maps.Keys(value)) {
		member := value[name]
		if !c.spend(1) {
			return unknown
		}
		sub, evaluated := properties[name]
		if evaluated {
			out = both(out, c.apply(sub, member, depth+1).in(shortName(name)))
		}
		for _, expr := range exprs {
			match, ok := c.match(expr, name)
			if !ok {
				return both(out, unknown)
			}
			if match {
				evaluated = true
				out = both(out, c.apply(patterns[expr], member, depth+1).in(shortName(name)))
			}
		}
		if !evaluated && hasAdditional {
			out = both(out, c.apply(additional, member, depth+1).in(shortName(name)))
		}
		if hasNames {
			out = both(out, c.apply(names, name, depth+1).in(shortName(name)))
		}
		if out.verdict == Invalid {
			return out
		}
	}
	return out
}

func shortName(s string) string { return text.Shorten(s, 40) }

// required checks which members there must be. It is not an error that required is a
// boolean, as in draft 3: that is about the property that has it.
func (c *Checker) required(s, value map[string]any, depth int) result {
	out := c.has(value, s["required"])
	for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		dependent, ok := object(s, keyword)
		if !ok {
			out = both(out, unknown)
		}
		for _, name := range slices.Sorted(maps.Keys(dependent)) {
			if !c.spend(1) {
				return unknown
			}
			if _, ok := value[name]; !ok {
				continue
			}
			if list, ok := dependent[name].([]any); ok {
				out = both(out, c.has(value, list))
			} else {
				out = both(out, c.apply(dependent[name], value, depth+1))
			}
		}
	}
	return out
}

func (c *Checker) has(value map[string]any, required any) result {
	list, ok := required.([]any)
	if _, isBool := required.(bool); required == nil || isBool {
		return valid
	} else if !ok {
		return unknown
	}
	for _, name := range list {
		name, ok := name.(string)
		if !ok || !c.spend(1) {
			return unknown
		}
		if _, ok := value[name]; !ok {
			return invalid("required: %s is missing", describe(name))
		}
	}
	return valid
}

// unevaluated is undecided if a schema depends on what its other parts evaluated.
func (c *Checker) unevaluated(s map[string]any, keyword string) result {
	switch u := s[keyword].(type) {
	case nil:
		return valid
	case bool:
		if u {
			return valid
		}
	case map[string]any:
		if len(u) == 0 {
			return valid
		}
	}
	return unknown
}

func (c *Checker) items(s map[string]any, v any, depth int) result {
	value, ok := v.([]any)
	if !ok {
		return valid
	}
	out := both(c.unevaluated(s, "unevaluatedItems"), c.unique(s, value))
	first, rest := s["prefixItems"], s["items"]
	if list, ok := rest.([]any); ok { // before draft 2020-12
		first, rest = list, s["additionalItems"]
	}
	prefix, ok := first.([]any)
	if !ok && first != nil {
		return both(out, unknown)
	}
	for i, item := range value {
		sub := rest
		if i < len(prefix) {
			sub = prefix[i]
		}
		if sub == nil {
			break
		}
		if out = both(out, c.apply(sub, item, depth+1).in(strconv.Itoa(i))); out.verdict == Invalid || c.Exhausted() {
			return out
		}
	}
	return both(out, c.contains(s, value, depth))
}

func (c *Checker) contains(s map[string]any, value []any, depth int) result {
	sub, ok := s["contains"]
	if !ok {
		return valid
	}
	if s["minContains"] != nil || s["maxContains"] != nil {
		return unknown
	}
	return c.anyOf(len(value), "contains: no item matches", func(i int) result { return c.apply(sub, value[i], depth+1) })
}

func (c *Checker) unique(s map[string]any, value []any) result {
	if s["uniqueItems"] != true {
		return valid
	}
	for i, a := range value {
		for j, b := range value[:i] {
			if c.equal(a, b) {
				return invalid("uniqueItems: the items %d and %d are equal", j, i)
			}
			if c.Exhausted() {
				return unknown
			}
		}
	}
	return valid
}

// anyOf applies n schemas of which one must match.
func (c *Checker) anyOf(n int, problem string, apply func(int) result) result {
	undecided := false
	for i := range n {
		switch r := apply(i); {
		case r.verdict == Valid:
			return valid
		case r.verdict == Unknown:
			undecided = true
		}
		if c.Exhausted() {
			return unknown
		}
	}
	if undecided {
		return unknown
	}
	return invalid("%s", problem)
}

// combined checks the keywords that apply schemas to the value itself.
func (c *Checker) combined(s map[string]any, v any, depth int) result {
	out := valid
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "not", "if"} {
		raw, ok := s[keyword]
		if !ok {
			continue
		}
		list, isList := raw.([]any)
		apply := func(i int) result { return c.apply(list[i], v, depth+1) }
		r := unknown
		switch {
		case keyword == "not":
			r = negate(c.apply(raw, v, depth+1))
		case keyword == "if":
			r = c.conditional(s, v, depth)
		case !isList:
		case keyword == "allOf":
			r = valid
			for i := range list {
				if r = both(r, apply(i)); r.verdict == Invalid || c.Exhausted() {
					break
				}
			}
		case keyword == "anyOf":
			r = c.anyOf(len(list), "anyOf: no alternative matches", apply)
		case keyword == "oneOf":
			r = c.oneOf(len(list), apply)
		}
		if out = both(out, r); out.verdict == Invalid || c.Exhausted() {
			return out
		}
	}
	return out
}

func negate(r result) result {
	switch r.verdict {
	case Valid:
		return invalid("not: it matches")
	case Invalid:
		return valid
	}
	return unknown
}

func (c *Checker) oneOf(n int, apply func(int) result) result {
	matches, undecided := 0, 0
	for i := range n {
		switch apply(i).verdict {
		case Valid:
			matches++
		case Unknown:
			undecided++
		}
		if c.Exhausted() {
			return unknown
		}
	}
	switch {
	case matches > 1:
		return invalid("oneOf: %d alternatives match", matches)
	case undecided > 0:
		return unknown
	case matches == 0:
		return invalid("oneOf: no alternative matches")
	}
	return valid
}

func (c *Checker) conditional(s map[string]any, v any, depth int) result {
	branch := func(keyword string) result {
		sub, ok := s[keyword]
		if !ok {
			return valid
		}
		return c.apply(sub, v, depth+1)
	}
	switch c.apply(s["if"], v, depth+1).verdict {
	case Valid:
		return branch("then")
	case Invalid:
		return branch("else")
	}
	return unknown
}
