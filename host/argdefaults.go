package host

import (
	"encoding/json"
	"maps"
	"slices"
)

// fillDefaults returns args with the defaults of the input schema for properties
// that are absent, also in objects within. Views and servers expect them, since
// the reference host's forms send them. Values that are present stay byte for
// byte.
func fillDefaults(schema, args json.RawMessage) json.RawMessage {
	return fillObject(schema, args, 0)
}

func fillObject(schema, args json.RawMessage, depth int) json.RawMessage {
	const deepest = 20
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if depth > deepest || json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 || !isObject(args) {
		return args
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(args, &values) != nil {
		return args
	}
	changed := false
	for name, prop := range s.Properties {
		value, ok := values[name]
		if !ok {
			var p struct {
				Default json.RawMessage `json:"default"`
			}
			if json.Unmarshal(prop, &p) != nil || p.Default == nil {
				continue
			}
			value = p.Default
		}
		filled := fillObject(prop, value, depth+1)
		if !ok || string(filled) != string(value) {
			if values == nil {
				values = make(map[string]json.RawMessage)
			}
			values[name] = filled
			changed = true
		}
	}
	if !changed {
		return args
	}
	return encodeObject(values)
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
