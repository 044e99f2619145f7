// Package toolinput decodes the arguments of tools whose handlers are not typed,
// as the SDK does for those that are: defaults applied, validated, then decoded.
// Such a tool takes arguments of the library beside those of the author's type.
package toolinput

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	strictjson "github.com/segmentio/encoding/json"
)

// A Type is an author's input type with its schema.
type Type[In any] struct {
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// For returns the input type of a tool that declares a schema, which is inferred from
// In if declared is nil. Declared is not changed.
func For[In any](declared any) (*Type[In], error) {
	schema := &jsonschema.Schema{}
	switch s := declared.(type) {
	case nil:
		var err error
		if schema, err = infer[In](); err != nil {
			return nil, fmt.Errorf("the input schema: %w", err)
		}
	case *jsonschema.Schema:
		if s == nil {
			return For[In](nil)
		}
		schema = s.CloneSchemas()
	default:
		data, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(data, schema)
		}
		if err != nil {
			return nil, fmt.Errorf("the input schema: %w", err)
		}
	}
	if schema.Type != "object" {
		return nil, errors.New(`the root of the input schema is not of type "object": use a struct or a map as the input`)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, fmt.Errorf("the input schema: %w", err)
	}
	return &Type[In]{schema, resolved}, nil
}

// infer returns the schema that the SDK infers: a pointer has that of what it points to,
// and any is an object.
func infer[In any]() (*jsonschema.Schema, error) {
	typ := reflect.TypeFor[In]()
	if typ == reflect.TypeFor[any]() {
		return &jsonschema.Schema{Type: "object"}, nil
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return jsonschema.ForType(typ, nil)
}

// Schema returns the schema of a tool that takes more properties than the author's
// type. It returns an error if the type has a property of one of these names.
func (t *Type[In]) Schema(more map[string]*jsonschema.Schema) (*jsonschema.Schema, error) {
	s := t.schema.CloneSchemas()
	if s.Properties == nil {
		s.Properties = make(map[string]*jsonschema.Schema)
	}
	for _, name := range slices.Sorted(maps.Keys(more)) {
		if s.Properties[name] != nil {
			return nil, fmt.Errorf("the input has a property %q, which this library adds: give yours another name", name)
		}
		s.Properties[name] = more[name]
		if len(s.PropertyOrder) > 0 {
			s.PropertyOrder = append(slices.Clip(s.PropertyOrder), name)
		}
	}
	return s, nil
}

// Members returns the members of the arguments of a call. Without arguments the map is empty.
func Members(arguments json.RawMessage) (map[string]json.RawMessage, error) {
	all := make(map[string]json.RawMessage)
	if len(bytes.TrimSpace(arguments)) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(arguments, &all); err != nil {
		return nil, fmt.Errorf("the arguments are not an object: %w", err)
	}
	return all, nil
}

// Decode returns the author's input, and the raw arguments that take names, which are
// not part of it. The error is for the caller of the tool. Canonical is the input as
// JSON with defaults applied and its keys in order: equal inputs have equal ones.
func (t *Type[In]) Decode(arguments json.RawMessage, take ...string) (in In, taken map[string]json.RawMessage, canonical []byte, err error) {
	values := make(map[string]any)
	taken = make(map[string]json.RawMessage)
	raw, err := Members(arguments)
	if err != nil {
		return in, nil, nil, err
	}
	for _, name := range take {
		if v, ok := raw[name]; ok {
			taken[name] = v
			delete(raw, name)
		}
	}
	for name, v := range raw {
		var value any
		if err := json.Unmarshal(v, &value); err != nil {
			return in, nil, nil, err
		}
		values[name] = value
	}
	var all any = values
	if err := t.resolved.ApplyDefaults(&all); err != nil {
		return in, nil, nil, fmt.Errorf("the defaults of the input schema: %w", err)
	}
	if err := t.resolved.Validate(all); err != nil {
		return in, nil, nil, fmt.Errorf("the arguments: %w", err)
	}
	if canonical, err = json.Marshal(all); err != nil {
		return in, nil, nil, err
	}
	// A member whose name differs in case only is another one, to the schema and so here.
	d := strictjson.NewDecoder(bytes.NewReader(canonical))
	d.DontMatchCaseInsensitiveStructFields()
	if err := d.Decode(&in); err != nil {
		return in, nil, nil, fmt.Errorf("the arguments: %w", err)
	}
	return in, taken, canonical, nil
}
