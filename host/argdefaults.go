package host

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
)

// FillDefaults returns args, a JSON object, with the defaults of the input schema for
// properties that are absent, also in objects within, as [Connection.Call] and
// [Connection.Open] send them. Views and servers expect them, since the reference
// host's forms send them. Values that are present stay byte for byte. A program shows
// them in its form with args {}.
//
// Nobody entered a default, so nobody could correct it: one that its own schema
// rejects is left out, such as null for a string, and all are left out if the
// arguments are valid only without them, or if that is too expensive to find out.
func FillDefaults(schema, args json.RawMessage) json.RawMessage {
	if !bytes.Contains(schema, []byte(`"default"`)) {
		return args
	}
	root, err := schemacheck.Decode(schema)
	if err != nil {
		return args
	}
	f := &filler{schemacheck.New(root)}
	filled := f.object(root, args, 0)
	if !f.addsNoMistake(args, filled) {
		return args
	}
	return filled
}

// A filler fills in the defaults of one schema.
type filler struct{ checker *schemacheck.Checker }

func (f *filler) object(schema any, args json.RawMessage, depth int) json.RawMessage {
	const deepest = 20
	s, _ := schema.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	if depth > deepest || len(properties) == 0 || !isObject(args) {
		return args
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(args, &values) != nil {
		return args
	}
	changed := false
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if f.checker.Exhausted() {
			break
		}
		property, _ := properties[name].(map[string]any)
		value, ok := values[name]
		if !ok {
			if value = f.initial(property, depth); value == nil {
				continue
			}
		} else {
			filled := f.object(property, value, depth+1)
			if string(filled) == string(value) {
				continue
			}
			value = filled
		}
		if values == nil {
			values = make(map[string]json.RawMessage)
		}
		values[name] = value
		changed = true
	}
	if !changed {
		return args
	}
	return encodeObject(values)
}

// initial returns the value of a property that is absent, nil for none: its default,
// with the defaults of its own properties unless it is invalid with them.
func (f *filler) initial(property map[string]any, depth int) json.RawMessage {
	v, ok := property["default"]
	if !ok {
		return nil
	}
	value := mustJSON(v)
	if filled := f.object(property, value, depth+1); f.accepts(property, filled) {
		return filled
	}
	if f.accepts(property, value) {
		return value
	}
	return nil
}

func (f *filler) accepts(schema any, value json.RawMessage) bool {
	v, err := schemacheck.Decode(value)
	return err == nil && f.checker.CheckPart(schema, v) == schemacheck.Valid
}

// rejects reports whether the whole schema rejects a value.
func (f *filler) rejects(value json.RawMessage) bool {
	v, err := schemacheck.Decode(value)
	if err != nil {
		return true
	}
	verdict, _ := f.checker.Check(v)
	return verdict == schemacheck.Invalid
}

// addsNoMistake reports whether a server that accepts args accepts them filled in,
// as far as that can be decided. Each default in them is valid by itself.
func (f *filler) addsNoMistake(args, filled json.RawMessage) bool {
	good := string(filled) == string(args) || !f.rejects(filled) || f.rejects(args)
	return good && !f.checker.Exhausted()
}

// encodeObject encodes an object and keeps its values as they are: json.Marshal would
// escape characters for HTML in them.
func encodeObject(values map[string]json.RawMessage) json.RawMessage {
	out := json.RawMessage{'{'}
	for i, k := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, mustJSON(k)...)
		out = append(out, ':')
		out = append(out, values[k]...)
	}
	return append(out, '}')
}
