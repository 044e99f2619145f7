package openairules

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Settings returns the problems of the structured content of a tool that reads settings.
// They never repeat a value, which is the user's.
func Settings(v any) []Problem {
	var l list
	content, ok := v.(map[string]any)
	if !ok {
		l.add(Setting, "", `return an object with the members "schema" and "values"`, "the settings are %s, not an object", typeName(v))
		return l.problems
	}
	l.keys(content, "", nil, "schema", "values", "layout")
	properties := l.settingsSchema(content["schema"])
	if layout, ok := content["layout"]; ok {
		l.layout(layout, properties)
	}
	values, ok := content["values"].(map[string]any)
	if !ok {
		l.add(Setting, "/values", "return an object with the current or default value of each setting", "the values of the settings are %s, not an object", typeName(content["values"]))
		return l.problems
	}
	l.missing(properties, values)
	match := matchWithin(schemacheck.New(map[string]any{}))
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, ok := values[name]
		setting, _ := properties[name].(map[string]any)
		if !l.full() && ok && fits(match, setting, value) == schemacheck.Invalid {
			l.misfit(name, setting)
		}
	}
	return l.problems
}

// SettingsDeclaration returns the problems of the schema and the layout of settings, with
// pointers in the answer that would have them. Layout is nil if the answer lacks it.
func SettingsDeclaration(schema, layout any) []Problem {
	var l list
	properties := l.settingsSchema(schema)
	if layout != nil {
		l.layout(layout, properties)
	}
	return l.problems
}

// SettingValues returns the problems of the values that a server answers with: values of
// unknown settings, settings without a value, and values that do not fit the schema of
// their setting. It passes the values that [SettingChanges] passes.
func SettingValues(properties, values map[string]any) []Problem {
	var l list
	l.missing(properties, values)
	l.values(properties, values, schemacheck.Invalid)
	return l.problems
}

// SettingChanges is [SettingValues] for values that a server is about to accept: some of the
// settings, none above [MaxSettingValue], and none that can't be checked.
func SettingChanges(properties, values map[string]any) []Problem {
	var l list
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var n int
		switch v := values[name].(type) {
		case string:
			n = len(v)
		case json.Number:
			n = len(v)
		}
		if n > MaxSettingValue {
			l.add(Setting, at("/values", name), "shorten it", "the value of the setting %s has %d bytes, and may have %d", text.Quote(name), n, MaxSettingValue)
		}
	}
	l.values(properties, values, schemacheck.Invalid, schemacheck.Unknown)
	return l.problems
}

// values reports unknown settings, and values with one of the rejected verdicts.
func (l *list) values(properties, values map[string]any, rejected ...schemacheck.Verdict) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		setting, ok := properties[name].(map[string]any)
		switch {
		case l.full():
		case !ok:
			l.add(Key, at("/values", name), "use the names that the schema has", "%s is not a setting", text.Quote(name))
		case slices.Contains(rejected, fits(matchDeclared, setting, values[name])):
			l.misfit(name, setting)
		}
	}
}

// A SettingsButton is a button in a layout.
type SettingsButton struct {
	Pointer string // of its item
	Tool    string // that it calls with {}
}

// SettingsButtons returns the buttons in the structured content of a tool that reads
// settings.
func SettingsButtons(v any) []SettingsButton {
	content, _ := v.(map[string]any)
	groups, _ := content["layout"].([]any)
	var buttons []SettingsButton
	for i, g := range groups {
		group, _ := g.(map[string]any)
		items, _ := group["items"].([]any)
		for j, item := range items {
			item, _ := item.(map[string]any)
			if tool, ok := item["tool"].(string); ok && item["kind"] == "tool" {
				buttons = append(buttons, SettingsButton{at("/layout", i, "items", j), tool})
			}
		}
	}
	return buttons
}

func (l *list) missing(properties, values map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, ok := values[name]; !ok {
			l.add(Setting, "/values", "return the current or default value of each setting", "the setting %s has no value", text.Quote(name))
		}
	}
}

// misfit names the schema without what is for people, so that the rest is not cut off.
func (l *list) misfit(name string, setting map[string]any) {
	setting = maps.Clone(setting)
	delete(setting, "title")
	delete(setting, "description")
	l.add(Setting, at("/values", name), "give a value that fits it", "the value of the setting %s does not fit its schema, %s", text.Quote(name), text.JSON(setting))
}

// settingsSchema returns the properties of a schema, as far as they can be read.
func (l *list) settingsSchema(v any) map[string]any {
	schema, ok := v.(map[string]any)
	if !ok {
		l.add(Setting, "/schema", "return a JSON Schema with a property for each setting", "the schema of the settings is %s, not an object", typeName(v))
		return nil
	}
	if schema["type"] != "object" {
		l.add(Setting, "/schema/type", `make it "object"`, "the schema of the settings has the type %s", text.JSON(schema["type"]))
	}
	if required, ok := schema["required"]; ok && !isStrings(required) {
		l.add(Setting, "/schema/required", "make it a list of the names of settings, or leave it out", "the settings have required as %s", text.JSON(required))
	}
	v, ok = schema["properties"]
	if !ok {
		return nil
	}
	properties, ok := v.(map[string]any)
	if !ok {
		l.add(Setting, "/schema/properties", "make it an object with a schema for each setting", "the schema of the settings has properties that are %s, not an object", typeName(v))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if l.full() {
			break
		}
		l.setting(at("/schema/properties", name), name, properties[name])
	}
	return properties
}

func isStrings(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok })
}
