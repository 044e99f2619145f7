package openairules

import (
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Mentions returns the problems of the structured content of a tool that searches mentions.
func Mentions(v any) []Problem {
	var l list
	content, ok := v.(map[string]any)
	if !ok {
		l.add(Mention, "", `return an object with the member "items"`, "the mentions are %s, not an object", typeName(v))
		return l.problems
	}
	l.keys(content, "", nil, "items")
	items, ok := content["items"].([]any)
	if !ok {
		l.add(Mention, "/items", "make it a list of resource links, which may be empty", "the items of the mentions are %s, not a list", typeName(content["items"]))
		return l.problems
	}
	for i, item := range items {
		if l.full() {
			break
		}
		l.mention(at("/items", i), fmt.Sprintf("items[%d]", i), item)
	}
	return l.problems
}

// mention reports the problems of one item: a resource link or, which both of OpenAI's SDKs
// accept beside it, a resource.
func (l *list) mention(pointer, called string, v any) {
	item, _ := v.(map[string]any)
	switch item["type"] {
	case "resource_link":
		l.texts(pointer, called, item, true, "uri", "name")
		l.texts(pointer, called, item, false, "title", "description", "mimeType")
	case "resource":
		l.keys(item, pointer, nil, "type", "resourceUri", "title", "subtitle", "icons")
		l.texts(pointer, called, item, true, "resourceUri", "title")
		l.texts(pointer, called, item, false, "subtitle")
		for _, key := range []string{"resourceUri", "title", "subtitle"} {
			if s, ok := item[key].(string); ok && blank(s) {
				l.add(Mention, at(pointer, key), "give it a text that is not blank", "%s of %s is %s", key, called, text.Quote(s))
			}
		}
	default:
		l.add(Mention, pointer, `make it a resource link: {"type": "resource_link", "uri": …, "name": …}`, "%s is %s", called, text.JSON(v))
		return
	}
	icons, ok := item["icons"]
	if !ok {
		return
	}
	list, ok := icons.([]any)
	if !ok {
		l.add(Mention, pointer+"/icons", "make it a list of icons, or leave it out", "the icons of %s are %s, not a list", called, typeName(icons))
	}
	for i, icon := range list {
		if l.full() {
			return
		}
		object, _ := icon.(map[string]any)
		if _, ok := object["src"].(string); !ok {
			l.add(Mention, at(pointer+"/icons", i), "make it an object with the URI of a picture as src", "icons[%d] of %s is %s", i, called, text.JSON(icon))
		}
	}
}

// texts reports the members that are not strings.
func (l *list) texts(pointer, called string, item map[string]any, required bool, keys ...string) {
	for _, key := range keys {
		v, ok := item[key]
		if !ok && !required {
			continue
		}
		if _, isString := v.(string); isString {
			continue
		}
		remedy := "make it a string"
		if !required {
			remedy = "make it a string, or leave it out"
		}
		if !ok {
			l.add(Mention, pointer, "give it one", "%s has no %s", called, key)
			continue
		}
		l.add(Mention, at(pointer, key), remedy, "%s of %s is %s", key, called, text.JSON(v))
	}
}
