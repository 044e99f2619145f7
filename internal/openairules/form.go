package openairules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Form returns the problems of a form's schema, with pointers in it. It accepts what both
// of OpenAI's SDKs accept and draw, so that nothing is lost on the way: a client that does
// not know one field rejects the whole form.
func Form(schema any) []Problem {
	var c formCheck
	c.form(schema)
	return c.problems
}

// formCheck collects the problems of a form or of an answer.
type formCheck struct{ list }

func (c *formCheck) field(pointer, what, remedy string) { c.add(Field, pointer, remedy, "%s", what) }

// formToken returns the name of a field as a part of a JSON pointer, with the slash before
// it.
func formToken(name string) string { return at("", name) }

func (c *formCheck) form(schema any) {
	root, ok := schema.(map[string]any)
	if !ok {
		c.field("", fmt.Sprintf("the schema is %s", text.JSON(schema)), `use {"type":"object","properties":{…}}`)
		return
	}
	c.members("", root, formRoot, "a form's schema")
	if root["type"] != "object" {
		c.field("/type", fmt.Sprintf("the type of the schema is %s", text.JSON(root["type"])), `use "object"`)
	}
	if v, ok := root["additionalProperties"]; ok && v != false {
		c.field("/additionalProperties", fmt.Sprintf("it is %s", text.JSON(v)), "leave it out, or use false")
	}
	fields, ok := root["properties"].(map[string]any)
	if !ok {
		if _, has := root["properties"]; !has {
			c.field("/properties", "it is missing", "name the fields, or use {} for a form that only asks for consent")
		}
		return
	}
	for i, name := range formStrings(root["required"]) {
		if _, ok := fields[name]; !ok {
			c.field(fmt.Sprintf("/required/%d", i), fmt.Sprintf("the form has no field %s", text.Quote(name)), "name a key of properties")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		pointer := "/properties" + formToken(name)
		field, ok := fields[name].(map[string]any)
		if !ok {
			c.field(pointer, fmt.Sprintf("the field is %s", text.JSON(fields[name])), `use an object with a "type"`)
			continue
		}
		c.formField(pointer, field)
	}
}

func (c *formCheck) formField(at string, field map[string]any) {
	kind, _ := field["type"].(string)
	known, ok := formFields[kind]
	if !ok {
		c.field(at+"/type", fmt.Sprintf("the type is %s", text.JSON(field["type"])),
			`use "string", "number", "integer", "boolean", or "array" with items of type "string"; ask for nested values with several fields`)
		return
	}
	before := len(c.problems)
	c.members(at, field, known, "a field of type "+kind)
	switch kind {
	case "string":
		c.stringField(at, field)
	case "number", "integer":
		c.bounds(at, field, "minimum", "maximum")
	case "array":
		c.arrayField(at, field)
	}
	if len(c.problems) > before {
		return // what the default has to match is not known
	}
	if v, ok := field["default"]; ok {
		if f := formFault(field, v, true); f.rule != "" {
			c.field(at+"/default", "the default "+f.String(), "use a value that the user may enter, or leave it out")
		}
	}
}

func (c *formCheck) stringField(at string, field map[string]any) {
	c.stringBounds(at, field)
	_, titled := field["oneOf"]
	_, plain := field["enum"]
	_, resources := field["x-openai-input"]
	_, suggested := field["x-openai-suggestions"]
	switch {
	case titled && plain:
		c.field(at, "the field has both enum and oneOf", "use oneOf, with a title for each choice")
	case resources && (titled || plain):
		c.field(at, "the field has choices beside x-openai-input", "put the choices into its options")
	case suggested && (titled || plain):
		c.field(at, "the field has choices beside x-openai-suggestions", "use suggestions alone if the user may enter another value, and oneOf if not")
	}
	if titled {
		c.options(at+"/oneOf", field["oneOf"], true)
	}
	if plain {
		c.choices(at+"/enum", field["enum"])
	}
	if names, ok := field["enumNames"]; ok {
		if want, _ := field["enum"].([]any); !plain || len(formStrings(names)) != len(want) {
			c.field(at+"/enumNames", "the names are not as many as the choices of enum", "use oneOf, with a title for each choice")
		}
	}
	if resources {
		c.resources(at, field, field)
	}
}

func (c *formCheck) arrayField(at string, field map[string]any) {
	c.bounds(at, field, "minItems", "maxItems")
	items, ok := field["items"].(map[string]any)
	if !ok {
		if _, has := field["items"]; !has {
			c.field(at+"/items", "it is missing", `use {"type":"string"}, or {"anyOf":[{"const":…,"title":…}]} for choices`)
		}
		return
	}
	at += "/items"
	_, resources := field["x-openai-input"]
	_, titled := items["anyOf"]
	_, plain := items["enum"]
	if !titled && !plain {
		c.members(at, items, formItems, "items of strings")
		if items["type"] != "string" {
			c.field(at+"/type", fmt.Sprintf("the type is %s", text.JSON(items["type"])), `use "string"`)
			return
		}
		c.stringBounds(at, items)
		if v, ok := items["default"]; ok {
			if f := formFault(items, v, true); f.rule != "" {
				c.field(at+"/default", "the default "+f.String(), "use a value that the user may enter, or leave it out")
			}
		}
		if resources {
			c.resources(strings.TrimSuffix(at, "/items"), field, items)
		}
		return
	}
	c.members(at, items, formChoiceItems, "items with choices")
	switch v, has := items["type"]; {
	case titled && plain:
		c.field(at, "the items have both enum and anyOf", "use anyOf, with a title for each choice")
	case resources:
		c.field(at, "the items have choices beside x-openai-input", "put the choices into its options")
	case has && v != "string", !has && plain:
		c.field(at+"/type", fmt.Sprintf("the type is %s", text.JSON(v)), `use "string"`)
	case field["uniqueItems"] == false:
		c.field(strings.TrimSuffix(at, "/items")+"/uniqueItems", "it is false, and the user can choose each value once only", "leave it out")
	}
	if titled {
		c.options(at+"/anyOf", items["anyOf"], true)
	}
	if plain {
		c.choices(at+"/enum", items["enum"])
	}
}

// bounds checks that a lower bound is not above the upper one.
func (c *formCheck) bounds(at string, m map[string]any, lower, upper string) {
	low, ok := formNumber(m[lower])
	high, also := formNumber(m[upper])
	if ok && also && low > high {
		c.field(at+"/"+upper, fmt.Sprintf("%s is %v and %s %v", lower, m[lower], upper, m[upper]), "exchange them")
	}
}

// stringBounds checks what a field of type string and the items of an array have in common.
func (c *formCheck) stringBounds(at string, m map[string]any) {
	c.bounds(at, m, "minLength", "maxLength")
	if format, ok := m["format"].(string); ok && !slices.Contains([]string{"email", "uri", "date", "date-time"}, format) {
		c.field(at+"/format", fmt.Sprintf("the format is %s", text.Quote(format)), `use "email", "uri", "date" or "date-time"`)
	}
	if pattern, ok := m["pattern"].(string); ok {
		if _, fault := formPattern(pattern); fault != "" {
			c.field(at+"/pattern", fmt.Sprintf("the pattern %s %s", text.Quote(pattern), fault), "use what JavaScript and Go's regexp have in common")
		}
	}
	if v, ok := m["x-openai-suggestions"]; ok {
		c.options(at+"/x-openai-suggestions", v, false)
	}
}
