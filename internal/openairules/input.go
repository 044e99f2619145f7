package openairules

import (
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// inputs adds a problem for each way in which entrypoints call a tool that its input schema
// does not accept. It passes schemas that are malformed or too expensive to check.
func (l *list) inputs(schema any, entrypoints []ToolEntrypoint) {
	place := at("", "inputSchema")
	var empty, file bool
	for _, e := range entrypoints {
		switch {
		case e.Type == "file" && !file:
			file = true
			name := "a.txt"
			if len(e.Extensions) > 0 {
				name = "a" + e.Extensions[0]
			}
			l.fileInput(schema, name, place)
		case e.Type != "file" && !empty:
			empty = true
			if !accepts(schema, map[string]any{}) {
				l.add(Input, place, "make all arguments optional",
					"the tool is opened from a %s entrypoint, which calls it with {}, and its schema does not accept that", e.Type)
			}
		}
	}
}

// fileInput adds a problem if a schema does not accept the argument of a file entrypoint,
// with a file of the given name.
func (l *list) fileInput(schema any, name, place string) {
	const called = "the tool is opened from a file entrypoint, which calls it with the argument file"
	const remedy = `declare a property file with the strings name and resourceUri, and make all others optional`
	m, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if properties, _ := m["properties"].(map[string]any); properties["file"] == nil && !isComposed(m) {
		l.add(Input, place, remedy, called+", and its schema has no such property")
		return
	}
	argument := map[string]any{"name": name, "resourceUri": "host-resource://1"}
	if !accepts(schema, map[string]any{"file": argument}) {
		l.add(Input, place, remedy, called+", and its schema does not accept that")
		return
	}
	argument["x"] = true
	if !accepts(schema, map[string]any{"file": argument}) {
		l.add(Input, place, "allow additional properties in file", called+", which may have more keys than name and resourceUri, and its schema does not accept them")
	}
}

// accepts reports false if it is sure that a schema rejects a value.
func accepts(schema, value any) bool {
	if _, ok := schema.(map[string]any); !ok {
		return true // whether a tool has a schema is another rule's
	}
	verdict, _ := schemacheck.New(schema).Check(value)
	return verdict != schemacheck.Invalid
}

// isComposed reports whether properties may be declared in another place than
// properties.
func isComposed(schema map[string]any) bool {
	return slices.ContainsFunc([]string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "patternProperties"}, func(k string) bool {
		_, ok := schema[k]
		return ok
	})
}

// fileParams adds the problems of the names of arguments that are files.
func (l *list) fileParams(v, schema any, place string) {
	names, _ := l.array(v, place, `write the names of arguments, as ["file"]`)
	root, _ := schema.(map[string]any)
	properties, _ := root["properties"].(map[string]any)
	judged := make(map[string]bool)
	for i, v := range names {
		if i == maxFileParams || len(l.problems) >= maxProblems {
			return // many names of one large schema would take long
		}
		name, ok := v.(string)
		if !ok {
			l.add(Type, at(place, i), "write the name of an argument", "%s is not a string", text.JSON(v))
			continue
		}
		if judged[name] {
			continue
		}
		judged[name] = true
		property, ok := properties[name]
		if !ok {
			l.add(FileParam, at(place, i), "declare it at the top of the input schema", "the input schema has no argument %s", text.Quote(name))
			continue
		}
		l.fileParam(name, deref(root, property), root, at(place, i))
	}
}

// maxFileParams bounds the names that are looked at, and maxListed what is looked at of the
// lists in a schema: those of a file have a few entries.
const maxFileParams, maxListed = 100, 100

// The members of a file as an argument. ChatGPT's review requires that all are declared, and
// that exactly the first two are required.
var fileMembers = []string{"download_url", "file_id", "mime_type", "file_name"}

func (l *list) fileParam(name string, property, root map[string]any, place string) {
	const remedy = `declare an object with the strings download_url, file_id, mime_type and file_name, of which exactly the first two are required, or an array of such objects`
	if hasType(property, "array") {
		property = deref(root, property["items"])
	}
	if !hasType(property, "object") {
		l.add(FileParam, place, remedy, "the argument %s is not an object or an array of objects", text.Quote(name))
		return
	}
	members, _ := property["properties"].(map[string]any)
	for _, member := range fileMembers {
		if !hasType(deref(root, members[member]), "string") {
			l.add(FileParam, place, remedy, "the argument %s has no string %s", text.Quote(name), member)
			return
		}
	}
	required, _ := property["required"].([]any)
	required = required[:min(len(required), maxListed)]
	for _, member := range fileMembers[:2] {
		if !slices.Contains(required, any(member)) {
			l.add(FileParam, place, remedy, "the argument %s does not require %s", text.Quote(name), member)
			return
		}
	}
	for _, r := range required {
		if r != fileMembers[0] && r != fileMembers[1] {
			l.add(FileParam, place, remedy, "the argument %s also requires %s", text.Quote(name), text.JSON(r))
			return
		}
	}
}

// hasType reports whether a schema has the type, alone or beside null.
func hasType(schema map[string]any, typ string) bool {
	switch t := schema["type"].(type) {
	case string:
		return t == typ
	case []any:
		t = t[:min(len(t), maxListed)]
		return slices.Contains(t, any(typ)) && !slices.ContainsFunc(t, func(v any) bool { return v != typ && v != "null" })
	}
	return false
}

// deref returns the schema at the end of a few references to definitions of the root.
func deref(root map[string]any, v any) map[string]any {
	schema, _ := v.(map[string]any)
	for range 4 {
		ref, ok := schema["$ref"].(string)
		if !ok {
			break
		}
		for _, keyword := range []string{"$defs", "definitions"} {
			if name, ok := strings.CutPrefix(ref, "#/"+keyword+"/"); ok {
				all, _ := root[keyword].(map[string]any)
				schema, _ = all[name].(map[string]any)
			}
		}
	}
	return schema
}

// declaresProperty reports whether a schema declares a property, or may do so in a place
// that is not looked at.
func declaresProperty(schema any, name string) bool {
	m, ok := schema.(map[string]any)
	if !ok {
		return false
	}
	properties, _ := m["properties"].(map[string]any)
	_, ok = properties[name]
	return ok || isComposed(m)
}

// visibleToApp reports whether a tool says in _meta.ui.visibility that views may call it.
func visibleToApp(entry map[string]any) bool {
	meta, _ := entry["_meta"].(map[string]any)
	ui, _ := meta["ui"].(map[string]any)
	audiences, _ := ui[metakey.Visibility].([]any)
	return slices.Contains(audiences, any("app"))
}
