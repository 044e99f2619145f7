package openairules

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// FormAnswer returns the problems of the content of an accepted form, with pointers in the
// content. It accepts keys that the form does not have, and repeated values in an array
// without uniqueItems: clients send both. What the schema says that [Form] rejects
// is ignored.
func FormAnswer(schema any, content map[string]any) []Problem {
	var c formCheck
	root, _ := schema.(map[string]any)
	fields, _ := root["properties"].(map[string]any)
	missing := make(map[string]bool)
	for _, name := range formStrings(root["required"]) {
		if _, ok := content[name]; !ok && !missing[name] {
			missing[name] = true
			field, _ := fields[name].(map[string]any)
			c.answer(name, "fill it in", formLabel(name, field)+" is missing", "")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, _ := fields[name].(map[string]any)
		v, ok := content[name]
		if !ok {
			continue
		}
		if f := formFault(field, v, false); f.rule != "" {
			c.answer(name, "change it", formLabel(name, field)+" "+f.rule, f.value)
		}
	}
	return c.problems
}

// answer adds a problem with the answer to a field: which rule it breaks, and the value.
func (c *formCheck) answer(name, remedy, rule, value string) {
	if !c.full() {
		c.problems = append(c.problems, Problem{Kind: Answer, Pointer: formToken(name), Text: rule + value, Remedy: remedy, Rule: rule})
	}
}

// A fault is why a value does not fit a field. Both parts are "" if it does.
type fault struct {
	rule  string // the predicate of a sentence, without anything of the value
	value string // its end, with what is at fault of the value
}

func (f fault) String() string { return f.rule + f.value }

// formLabel returns what the user knows a field by, quoted.
func formLabel(name string, field map[string]any) string {
	if title, _ := field["title"].(string); title != "" {
		name = title
	}
	return text.Quote(name)
}

// formFault returns why a value does not fit a field. Defaults are names of given options
// only, each once.
func formFault(field map[string]any, v any, isDefault bool) fault {
	kind, _ := field["type"].(string)
	switch kind {
	case "string":
		s, ok := v.(string)
		if !ok {
			return formNot("a text", v)
		}
		return formStringFault(field, s, formGiven(field, isDefault))
	case "boolean":
		if _, ok := v.(bool); !ok {
			return formNot("true or false", v)
		}
	case "number", "integer":
		f, ok := formNumber(v)
		low, hasLow := formNumber(field["minimum"])
		high, hasHigh := formNumber(field["maximum"])
		switch {
		case !ok:
			return formNot("a number", v)
		case kind == "integer" && f != math.Trunc(f):
			return formNot("a whole number", v)
		case hasLow && f < low:
			return formNot(fmt.Sprintf("at least %v", field["minimum"]), v)
		case hasHigh && f > high:
			return formNot(fmt.Sprintf("at most %v", field["maximum"]), v)
		}
	case "array":
		list, ok := v.([]any)
		if !ok || !aStringList.has(v) {
			return formNot("a list of texts", v)
		}
		return formListFault(field, list, isDefault)
	}
	return fault{}
}

func formListFault(field map[string]any, list []any, isDefault bool) fault {
	if low, ok := formNumber(field["minItems"]); ok && float64(len(list)) < low {
		return fault{fmt.Sprintf("must have at least %v values", field["minItems"]), fmt.Sprintf(", not %d", len(list))}
	}
	if high, ok := formNumber(field["maxItems"]); ok && float64(len(list)) > high {
		return fault{fmt.Sprintf("must have at most %v values", field["maxItems"]), fmt.Sprintf(", not %d", len(list))}
	}
	items, _ := field["items"].(map[string]any)
	given := formGiven(items, isDefault)
	if input := formGiven(field, isDefault); input.isClosed {
		given.isClosed, given.values = true, input.values
	}
	once := field["uniqueItems"] == true || isDefault && given.isClosed
	seen := make(map[string]bool)
	for _, e := range list {
		s := e.(string)
		if once && seen[s] {
			return fault{"must have each value once", fmt.Sprintf(", not %s twice", text.Quote(s))}
		}
		seen[s] = true
		if f := formStringFault(items, s, given); f.rule != "" {
			return f
		}
	}
	return fault{}
}

// formValues are the values that a field allows: those in values if it is closed, and of
// these the ones that match the pattern if there is one.
type formValues struct {
	isClosed bool
	values   map[string]bool
	pattern  *regexp.Regexp
}

// formGiven returns the values that a field, or the items of one, allow.
func formGiven(field map[string]any, isDefault bool) formValues {
	given := formValues{values: make(map[string]bool)}
	if pattern, ok := field["pattern"].(string); ok {
		given.pattern, _ = formPattern(pattern)
	}
	for _, key := range []string{"oneOf", "anyOf", "enum"} {
		list, ok := field[key].([]any)
		given.isClosed = given.isClosed || ok
		for _, e := range list {
			if option, ok := e.(map[string]any); ok {
				e = option["const"]
			}
			if s, ok := e.(string); ok {
				given.values[s] = true
			}
		}
	}
	if input, ok := field["x-openai-input"].(map[string]any); ok {
		_, open := input["userOptions"].(map[string]any)
		if (open || input["selection"] == "implicit") && !isDefault {
			return given
		}
		given.isClosed = true
		options, _ := input["options"].([]any)
		for _, e := range options {
			if r, ok := e.(map[string]any); ok {
				if uri, ok := r["uri"].(string); ok {
					given.values[uri] = true
				}
			}
		}
	}
	return given
}

func formStringFault(m map[string]any, s string, given formValues) fault {
	if given.isClosed && !given.values[s] {
		return formNot("one of the choices", s)
	}
	n := float64(utf8.RuneCountInString(s))
	if low, ok := formNumber(m["minLength"]); ok && n < low {
		return fault{fmt.Sprintf("must have at least %v characters", m["minLength"]), fmt.Sprintf(", not %v", n)}
	}
	if high, ok := formNumber(m["maxLength"]); ok && n > high {
		return fault{fmt.Sprintf("must have at most %v characters", m["maxLength"]), fmt.Sprintf(", not %v", n)}
	}
	switch format, _ := m["format"].(string); {
	case format == "uri" && !formURI(s):
		return formNot("an absolute URI", s)
	case format == "email" && !schemacheck.HasFormat(format, s):
		return formNot("an email address", s)
	case format == "date" && !schemacheck.HasFormat(format, s):
		return formNot("a date, as 2026-05-31", s)
	case format == "date-time" && !schemacheck.HasFormat(format, s):
		return formNot("a date and time, as 2026-05-31T08:00:00Z", s)
	}
	if given.pattern != nil && !given.pattern.MatchString(s) {
		return formNot("as "+text.Quote(given.pattern.String()), s)
	}
	return fault{}
}

func formNot(want string, v any) fault {
	return fault{"must be " + want, ", not " + text.JSON(v)}
}

const (
	// maxFormPattern bounds a pattern, in bytes, and maxFormProgram what it is compiled
	// to, in instructions: matching takes at most so many steps for each character.
	maxFormPattern, maxFormProgram = 1000, 600
)

// formPattern compiles a pattern, or says why it can't be used, as a predicate.
func formPattern(pattern string) (re *regexp.Regexp, fault string) {
	if len(pattern) > maxFormPattern {
		return nil, fmt.Sprintf("has %d bytes, and may have %d", len(pattern), maxFormPattern)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Sprintf("can't be checked (%s)", text.Shorten(err.Error(), 200))
	}
	if program, err := syntax.Compile(parsed.Simplify()); err != nil || len(program.Inst) > maxFormProgram {
		return nil, "repeats too much"
	}
	if part := formForeign(pattern); part != "" {
		return nil, fmt.Sprintf("has %s, which JavaScript does not have or reads in another way", text.Quote(part))
	}
	if re, err = regexp.Compile(pattern); err != nil {
		return nil, "can't be checked"
	}
	return re, ""
}

var formURISyntax = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)

// formURI reports whether a string is an absolute URI.
func formURI(s string) bool {
	return formURISyntax.MatchString(s) && schemacheck.HasFormat("uri", s)
}
