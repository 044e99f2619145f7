package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// settings is the declaration of two tools, complete and checked.
type settings struct {
	readName, updateName string
	*declaredSettings
}

// declaredSettings is what follows from a type, from what the author says of its fields, and
// from the layout. Servers share it, and nobody changes it.
type declaredSettings struct {
	schema     *jsonschema.Schema // of all values
	schemaJSON json.RawMessage
	layoutJSON json.RawMessage             // nil without groups
	properties map[string]any              // the schemas of the values, decoded
	hold       func(json.RawMessage) error // whether a V can have some settings
	// The schemas of the tools.
	readOutput, updateInput, updateOutput *jsonschema.Schema
}

// lastSettings has the last declaration of each type, for the whole process: servers that
// are made for each request declare the same again.
var lastSettings sync.Map // reflect.Type -> *keptSettings

type keptSettings struct {
	key string // the author's part, as JSON
	d   *declaredSettings
}

// declared returns the declaration of settings.
func (v valuesType) declared(fields map[string]*jsonschema.Schema, groups []SettingsGroup) (*declaredSettings, error) {
	for _, name := range slices.Sorted(maps.Keys(fields)) { // its JSON is that of a nil Enum
		if f := fields[name]; f != nil && f.Enum != nil && len(f.Enum) == 0 {
			return nil, fmt.Errorf("the setting %q has an empty Enum: list the values, or leave it nil", name)
		}
	}
	key, keyErr := json.Marshal([]any{fields, groups})
	if kept, ok := lastSettings.Load(v.Type); ok && keyErr == nil && kept.(*keptSettings).key == string(key) {
		return kept.(*keptSettings).d, nil
	}
	d := &declaredSettings{}
	if err := d.declare(v, fields, groups); err != nil {
		return nil, err
	}
	d.readOutput, d.updateInput, d.updateOutput = d.readSchema(), d.changesSchema(), d.updatedSchema()
	if keyErr == nil {
		lastSettings.Store(v.Type, &keptSettings{string(key), d})
	}
	return d, nil
}

// A valuesType is the type V of settings, whose fields are their values.
type valuesType struct {
	reflect.Type
	schema func() (*jsonschema.Schema, error)
}

func settingsType[V any]() valuesType {
	return valuesType{reflect.TypeFor[V](), func() (*jsonschema.Schema, error) { return jsonschema.For[V](nil) }}
}

// declare fills in what follows from the type, from what the author says of its fields, and
// from the layout.
func (d *declaredSettings) declare(v valuesType, fields map[string]*jsonschema.Schema, groups []SettingsGroup) error {
	if err := v.checkFields(); err != nil {
		return err
	}
	inferred, err := v.schema()
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(inferred.Properties))
	if len(names) == 0 && len(groups) == 0 {
		return fmt.Errorf("%v has no settings: give it exported fields", v)
	}
	for i, name := range names {
		for _, other := range names[:i] {
			if strings.EqualFold(name, other) {
				return fmt.Errorf("the settings %q and %q differ in case only, which encoding/json takes for one: rename one of them", other, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if inferred.Properties[name] == nil {
			return fmt.Errorf("Settings.Fields has the setting %q, and %v has no field of this JSON name: its settings are %q", name, v, names)
		}
	}
	for _, name := range names {
		if fields[name] == nil {
			return fmt.Errorf("Settings.Fields has no entry for the setting %q: add one with a Title", name)
		}
		merged, err := mergeSetting(inferred.Properties[name], fields[name])
		if err != nil {
			return fmt.Errorf("the setting %q %w", name, err)
		}
		inferred.Properties[name] = merged
	}
	d.schema = inferred
	layout, err := layoutOf(groups, names)
	if err != nil {
		return err
	}
	if d.schemaJSON, err = json.Marshal(d.schema); err != nil {
		return err
	}
	schema, err := schemacheck.Decode(d.schemaJSON)
	if err != nil {
		return fmt.Errorf("the schema of the settings: %w", err)
	}
	var decoded any
	if layout != nil {
		if d.layoutJSON, err = json.Marshal(layout); err != nil {
			return err
		}
		if decoded, err = schemacheck.Decode(d.layoutJSON); err != nil {
			return fmt.Errorf("the layout of the settings: %w", err)
		}
	}
	if problems := openairules.SettingsDeclaration(schema, decoded); len(problems) > 0 {
		return settingsError(problems[0])
	}
	d.properties, _ = schema.(map[string]any)["properties"].(map[string]any)
	d.hold = func(set json.RawMessage) error { return json.Unmarshal(set, reflect.New(v.Type).Interface()) }
	return d.checkValues(v)
}

// settingsError is a problem of the layout in the author's words, and any other one without
// its pointer.
func settingsError(p openairules.Problem) error {
	if err := inGo(p, settingsPlaces); !errors.As(err, new(openairules.Problem)) {
		return err
	}
	return authorError(p)
}

// authorError is a problem without its pointer, which leads into what the author has not
// written: the text names the place.
func authorError(p openairules.Problem) error { return fmt.Errorf("%s: %s", p.Text, p.Remedy) }

// checkFields returns an error for fields that are not values of settings.
func (v valuesType) checkFields() error {
	if v.Kind() != reflect.Struct {
		return fmt.Errorf("the type %v is not a struct: use one with a field for each setting", v)
	}
	for _, f := range reflect.VisibleFields(v.Type) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || f.Tag.Get("json") == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		switch k := f.Type.Kind(); {
		case k == reflect.Bool, k == reflect.String, k == reflect.Float32, k == reflect.Float64:
		case reflect.Int <= k && k <= reflect.Uint64:
		default:
			return fmt.Errorf("the setting %q has the type %v: use a bool, a string, a number or a type of these", name, f.Type)
		}
	}
	return nil
}

// mergeSetting returns the schema that follows from the type of a setting, with what the
// author says beside it. The error continues a sentence that begins with the setting.
func mergeSetting(inferred, author *jsonschema.Schema) (*jsonschema.Schema, error) {
	merged, err := decodeSchema(inferred)
	if err != nil {
		return nil, err
	}
	own, err := decodeSchema(author)
	if err != nil {
		return nil, fmt.Errorf("has a schema that can't be encoded: %w", err)
	}
	if typ, ok := own["type"]; ok && typ != merged["type"] {
		return nil, fmt.Errorf("has the type %v in Fields and %v in Go: leave Type out", typ, merged["type"])
	}
	maps.Copy(merged, own)
	schema := &jsonschema.Schema{}
	data, err := json.Marshal(merged)
	if err == nil {
		err = json.Unmarshal(data, schema)
	}
	return schema, err
}

func decodeSchema(s *jsonschema.Schema) (map[string]any, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	v, err := schemacheck.Decode(data)
	m, _ := v.(map[string]any)
	return m, err
}

// checkValues returns an error for keywords that ChatGPT does not have, for patterns that
// can't be checked, and for settings whose JSON has another type than their schema, for
// example because of a method MarshalJSON.
func (d *declaredSettings) checkValues(v valuesType) error {
	types := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(d.properties)) {
		setting := d.properties[name].(map[string]any)
		typ := setting["type"].(string)
		for _, keyword := range slices.Sorted(maps.Keys(setting)) {
			if !openairules.IsSettingKeyword(typ, keyword) {
				return fmt.Errorf("the setting %q of type %s has the keyword %s, which ChatGPT does not have: leave it out, and check the rule in Update", name, typ, keyword)
			}
		}
		if pattern, ok := setting["pattern"].(string); ok {
			if fault := openairules.PatternFault(pattern); fault != "" {
				return fmt.Errorf("the pattern %s of the setting %q %s: simplify it, or check the rule in Update", text.Quote(pattern), name, fault)
			}
		}
		types[name] = map[string]any{"type": typ}
	}
	data, err := json.Marshal(reflect.Zero(v.Type).Interface())
	if err != nil {
		return nil // its zero value may be invalid to its own methods
	}
	decoded, err := schemacheck.Decode(data)
	if err != nil {
		return fmt.Errorf("the JSON of %v: %w", v, err)
	}
	values, ok := decoded.(map[string]any)
	if !ok {
		return fmt.Errorf("the JSON of %v is not an object: remove its method MarshalJSON", v)
	}
	for name := range d.properties {
		if _, ok := values[name]; !ok {
			return fmt.Errorf("the setting %q is not in the JSON of an empty %v: leave omitempty and omitzero out of its tag, and pointers out of the way to it", name, v)
		}
	}
	if problems := openairules.SettingValues(types, values); len(problems) > 0 {
		return fmt.Errorf("the JSON of %v: %w", v, authorError(problems[0]))
	}
	return nil
}
