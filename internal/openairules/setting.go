package openairules

import (
	"fmt"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// settingKeywords are the keywords of a setting's schema by its type, beside title,
// description and type.
var settingKeywords = map[string][]string{
	"boolean": nil,
	"string":  {"enum", "minLength", "maxLength", "pattern"},
	"number":  {"minimum", "maximum", "multipleOf"},
	"integer": {"minimum", "maximum", "multipleOf"},
}

// IsSettingKeyword reports whether settings of a type have a keyword. Both of OpenAI's
// SDKs let other ones through, so that clients find them in answers.
func IsSettingKeyword(typ, keyword string) bool {
	return slices.Contains([]string{"title", "description", "type"}, keyword) || slices.Contains(settingKeywords[typ], keyword)
}

// setting reports the problems of one setting's schema.
func (l *list) setting(pointer, name string, v any) {
	called := "the setting " + text.Quote(name)
	s, ok := v.(map[string]any)
	if !ok {
		l.add(Setting, pointer, "make it an object with a title and a type", "the schema of %s is %s, not an object", called, typeName(v))
		return
	}
	if _, ok := s["title"]; !ok {
		l.add(Setting, pointer, "give it a title, with which it is shown", "%s has no title", called)
	} else if blank(s["title"]) {
		l.add(Setting, pointer+"/title", "make it a string that is not blank", "%s has the title %s", called, text.JSON(s["title"]))
	}
	if d, ok := s["description"]; ok {
		if _, ok := d.(string); !ok {
			l.add(Setting, pointer+"/description", "make it a string, or leave it out", "%s has the description %s", called, text.JSON(d))
		}
	}
	for _, keyword := range []string{"$ref", "allOf", "anyOf", "oneOf"} {
		if _, ok := s[keyword]; ok {
			l.add(Setting, pointer+"/"+keyword, "write a single schema of type boolean, string, number or integer", "%s has %s, which clients reject", called, keyword)
		}
	}
	if _, ok := s["default"]; ok {
		l.add(Setting, pointer+"/default", "return the default among the values", "%s has a default, which clients reject", called)
	}
	typ, _ := s["type"].(string)
	if _, ok := settingKeywords[typ]; !ok {
		l.add(Setting, pointer+"/type", `make it "boolean", "string", "number" or "integer"`, "%s has the type %s", called, text.JSON(s["type"]))
	}
	l.enum(pointer, called, typ, s)
	for _, bound := range []struct {
		keyword, remedy string
		fine            func(any) bool
	}{
		{"minLength", "make it an integer of at least 0", isLength},
		{"maxLength", "make it an integer of at least 0", isLength},
		{"pattern", "make it a string", func(v any) bool { _, ok := v.(string); return ok }},
		{"minimum", "make it a number", isNumber},
		{"maximum", "make it a number", isNumber},
		{"multipleOf", "make it a number greater than 0", func(v any) bool { n, ok := exact(v); return ok && n.Sign() > 0 }},
	} {
		if v, ok := s[bound.keyword]; ok && !bound.fine(v) {
			l.add(Setting, pointer+"/"+bound.keyword, bound.remedy, "%s has %s %s", called, bound.keyword, text.JSON(v))
		}
	}
}

func (l *list) enum(pointer, called, typ string, s map[string]any) {
	v, ok := s["enum"]
	if !ok {
		return
	}
	list, _ := v.([]any)
	switch {
	case typ != "string":
		l.add(Setting, pointer+"/enum", `leave it out, or make the type "string"`, "%s has an enum and the type %s", called, text.JSON(s["type"]))
	case len(list) == 0 || !isStrings(v):
		l.add(Setting, pointer+"/enum", "make it a list of at least one string, or leave it out", "%s has enum %s", called, text.JSON(v))
	}
}

// layout reports the problems of the layout of settings with these properties.
func (l *list) layout(v any, properties map[string]any) {
	groups, ok := v.([]any)
	if !ok {
		l.add(Setting, "/layout", "make it a list of groups, or leave it out", "the layout of the settings is %s, not a list", typeName(v))
		return
	}
	shown := make(map[string]bool)
	for i, g := range groups {
		if l.full() {
			return
		}
		pointer := at("/layout", i)
		group, ok := g.(map[string]any)
		if !ok || group["kind"] != "group" {
			l.add(Setting, pointer, `make it an object with the kind "group"`, "layout[%d] is not a group: it is %s", i, text.JSON(g))
			continue
		}
		called := fmt.Sprintf("layout[%d]", i)
		if blank(group["title"]) {
			l.add(Setting, pointer+"/title", "give the group a title that is not blank", "%s has the title %s", called, text.JSON(group["title"]))
		} else {
			called = "the group " + text.Quote(group["title"].(string))
		}
		l.keys(group, pointer, nil, "kind", "title", "items")
		items, ok := group["items"].([]any)
		if !ok {
			l.add(Setting, pointer+"/items", "make it a list, which may be empty", "the items of %s are %s, not a list", called, typeName(group["items"]))
		}
		for j, item := range items {
			if l.full() {
				return
			}
			l.layoutItem(at(pointer+"/items", j), fmt.Sprintf("items[%d] of %s", j, called), item, properties, shown)
		}
	}
}

func (l *list) layoutItem(pointer, called string, v any, properties map[string]any, shown map[string]bool) {
	item, _ := v.(map[string]any)
	switch item["kind"] {
	case "property":
		l.keys(item, pointer, nil, "kind", "property")
		name, ok := item["property"].(string)
		_, exists := properties[name]
		switch {
		case !ok || !exists:
			l.add(Setting, pointer+"/property", "name one of the properties of the schema", "%s is the setting %s, which the schema does not have", called, text.JSON(item["property"]))
		case shown[name]:
			l.add(Setting, pointer+"/property", "name each setting once over all groups", "%s repeats the setting %s", called, text.Quote(name))
		}
		shown[name] = true
	case "tool":
		l.keys(item, pointer, nil, "kind", "tool", "title", "description")
		if blank(item["tool"]) {
			l.add(Setting, pointer+"/tool", "name a tool of the same server that accepts {}", "%s is a button for the tool %s", called, text.JSON(item["tool"]))
		}
		if title, ok := item["title"]; ok && blank(title) {
			l.add(Setting, pointer+"/title", "leave it out: clients show the title of the tool", "%s has the title %s", called, text.JSON(title))
		}
		if d, ok := item["description"]; ok {
			if _, ok := d.(string); !ok {
				l.add(Setting, pointer+"/description", "make it a string, or leave it out", "%s has the description %s", called, text.JSON(d))
			}
		}
	default:
		l.add(Setting, pointer, `make it an object with the kind "property" or "tool"; groups can't be nested`, "%s is %s", called, text.JSON(v))
	}
}
