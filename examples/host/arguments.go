package main

import "encoding/json"

// requiredArguments returns the arguments to begin with: those that the tool's input
// schema requires, each with its default or an empty value. The connection fills in
// the defaults of the others.
func requiredArguments(schema json.RawMessage) string {
	var s struct {
		Required   []string
		Properties map[string]struct {
			Type    any
			Default json.RawMessage
			Enum    []json.RawMessage
		}
	}
	if json.Unmarshal(schema, &s) != nil {
		return "{}"
	}
	args := map[string]json.RawMessage{}
	for _, name := range s.Required {
		p := s.Properties[name]
		value := json.RawMessage("null")
		switch {
		case p.Default != nil:
			value = p.Default
		case len(p.Enum) > 0:
			value = p.Enum[0]
		default:
			empty := map[any]string{"string": `""`, "number": "0", "integer": "0", "boolean": "false", "array": "[]", "object": "{}"}
			if t, ok := p.Type.(string); ok && empty[t] != "" {
				value = json.RawMessage(empty[t])
			}
		}
		args[name] = value
	}
	text, err := json.MarshalIndent(args, "", "  ")
	if err != nil {
		return "{}"
	}
	return string(text)
}
