package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (d *settings) readTool() *mcp.Tool {
	yes, no := true, false
	return &mcp.Tool{
		Name: d.readName, Title: "Read settings",
		Description:  "Returns the settings of the user, with their schema and current values.",
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: yes, DestructiveHint: &no, OpenWorldHint: &no},
		InputSchema:  noInput,
		OutputSchema: d.readOutput,
	}
}

func (d *declaredSettings) readSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"schema": {Type: "object"},
			"values": d.valuesSchema(),
			"layout": {Type: "array", Items: &jsonschema.Schema{Type: "object"}},
		},
		PropertyOrder: []string{"schema", "values", "layout"},
		Required:      []string{"schema", "values"},
	}
}

// A change of a setting overwrites what it was, which is what destructive means; both of
// OpenAI's SDKs leave that hint at its default, true.
func (d *settings) updateTool() *mcp.Tool {
	yes, no := true, false
	return &mcp.Tool{
		Name: d.updateName, Title: "Change settings",
		Description: "Changes settings of the user. Those that are not given stay as they are. Returns all values.",
		Annotations: &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: &yes, OpenWorldHint: &no},
		InputSchema: d.updateInput, OutputSchema: d.updateOutput,
	}
}

func (d *declaredSettings) changesSchema() *jsonschema.Schema {
	set := d.schema.CloneSchemas()
	set.Required = nil
	set.MinProperties = jsonschema.Ptr(1)
	set.Description = "The settings to change, at least one, with their new values."
	return closed(&jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"set": set},
		Required:   []string{"set"},
	})
}

func (d *declaredSettings) updatedSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:       "object",
		Properties: map[string]*jsonschema.Schema{"values": d.valuesSchema()},
		Required:   []string{"values"},
	}
}

// noInput is the schema of a tool without arguments. Servers share it.
var noInput = closed(&jsonschema.Schema{Type: "object"})

// closed returns s, which is changed, without additional properties.
func closed(s *jsonschema.Schema) *jsonschema.Schema {
	s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	return s
}

// valuesSchema has the types of the values only: clients that check the output compile it,
// and their syntax of patterns is another one.
func (d *declaredSettings) valuesSchema() *jsonschema.Schema {
	s := closed(&jsonschema.Schema{
		Type:          "object",
		Properties:    make(map[string]*jsonschema.Schema),
		PropertyOrder: d.schema.PropertyOrder,
		Required:      slices.Sorted(maps.Keys(d.properties)),
	})
	for name, setting := range d.schema.Properties {
		s.Properties[name] = &jsonschema.Schema{Type: setting.Type}
	}
	return s
}

// read answers a call of the tool that reads.
func (d *settings) read(req *mcp.CallToolRequest, do func() (any, error)) (any, error) {
	if _, err := members(req.Params.Arguments); err != nil {
		return nil, err
	}
	values, err := d.values(do())
	if err != nil {
		return nil, err
	}
	return struct {
		Schema json.RawMessage `json:"schema"`
		Values json.RawMessage `json:"values"`
		Layout json.RawMessage `json:"layout,omitempty"`
	}{d.schemaJSON, values, d.layoutJSON}, nil
}

// update answers a call of the tool that changes.
func (d *settings) update(req *mcp.CallToolRequest, do func(set json.RawMessage) (any, error)) (any, error) {
	set, err := d.changes(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	values, err := d.values(do(set))
	if err != nil {
		return nil, err
	}
	return struct {
		Values json.RawMessage `json:"values"`
	}{values}, nil
}

// members returns the arguments of a call, of which a tool knows some.
func members(arguments json.RawMessage, known ...string) (map[string]json.RawMessage, error) {
	all, err := toolinput.Members(arguments)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("the argument %s is unknown: leave it out", text.Quote(name))
		}
	}
	return all, nil
}

// changes returns the settings that the arguments of a call change, checked. A name that
// differs from a setting's in case only is unknown here, while encoding/json would take it
// for the setting.
func (d *settings) changes(arguments json.RawMessage) (json.RawMessage, error) {
	all, err := members(arguments, "set")
	if err != nil {
		return nil, err
	}
	var set map[string]json.RawMessage
	if err := json.Unmarshal(all["set"], &set); all["set"] == nil || err != nil || set == nil {
		return nil, errors.New(`the argument "set" is not an object: give one with the settings to change`)
	}
	if len(set) == 0 {
		return nil, errors.New(`the argument "set" is empty: give at least one setting`)
	}
	given := make(map[string]any, len(set))
	for name, raw := range set {
		if given[name], err = schemacheck.Decode(raw); err != nil {
			return nil, fmt.Errorf("the value of the setting %s: %w", text.Quote(name), err)
		}
	}
	if problems := openairules.SettingChanges(d.properties, given); len(problems) > 0 {
		return nil, authorError(problems[0])
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if n, ok := given[name].(json.Number); ok && d.schema.Properties[name].Type == "integer" {
			n, _ = openairules.Integer(n) // 1.0 and 1e3 are integers to JSON Schema, and not to Go
			set[name] = json.RawMessage(n)
		}
		one, err := json.Marshal(map[string]json.RawMessage{name: set[name]})
		if err == nil {
			err = d.hold(one)
		}
		if err != nil {
			return nil, fmt.Errorf("the setting %q can't have this value: give another one", name)
		}
	}
	return json.Marshal(set)
}

// values returns the JSON of what the author's function returned, if it fits the schema. A
// value is not in the error, since it is the user's.
func (d *settings) values(v any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, errors.New("the settings of the server can't be encoded as JSON")
	}
	decoded, err := jsonvalue.Decode(data) // without a bound: the values are the server's own
	if err != nil {
		return nil, errors.New("the settings of the server can't be decoded")
	}
	values, ok := decoded.(map[string]any)
	if !ok {
		return nil, errors.New("the settings of the server are not an object")
	}
	if problems := openairules.SettingValues(d.properties, values); len(problems) > 0 {
		return nil, fmt.Errorf("the server returned its settings wrongly: %w", authorError(problems[0]))
	}
	return data, nil
}
