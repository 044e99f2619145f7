package openairules

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
)

// The keys of the fields that MCP's own forms have.
var (
	mcpField  = []string{"type", "title", "description", "default", "minLength", "maxLength", "format", "enum", "enumNames", "oneOf", "minimum", "maximum", "items", "minItems", "maxItems"}
	mcpItems  = []string{"type", "enum", "anyOf"}
	mcpOption = []string{"const", "title"}
)

// PlainForm returns a form with MCP's own fields alone, and the first protocol version in
// which MCP has all of them. It removes what a client can leave out when it draws the form:
// descriptions and pictures of choices, suggestions, patterns, and notes on fields. It
// returns nil and "" if a field needs OpenAI's extension: a list without choices, or
// x-openai-input. The fields keep their order. It is for forms without problems.
func PlainForm(raw json.RawMessage) (plain json.RawMessage, since string) {
	decoded, err := jsonvalue.Decode(raw)
	root, ok := decoded.(map[string]any)
	var inOrder struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err != nil || !ok || json.Unmarshal(raw, &inOrder) != nil {
		return nil, ""
	}
	fields, _ := root["properties"].(map[string]any)
	since = "2025-06-18"
	removed := false
	for _, v := range fields {
		field, _ := v.(map[string]any)
		if _, resources := field["x-openai-input"]; resources {
			return nil, ""
		}
		options, _ := field["oneOf"].([]any)
		if items, ok := field["items"].(map[string]any); ok {
			_, titled := items["anyOf"]
			_, plain := items["enum"]
			if !titled && !plain {
				return nil, ""
			}
			removed = keepKeys(items, mcpItems) || removed
			options, _ = items["anyOf"].([]any)
			since = "2025-11-25"
		}
		removed = keepKeys(field, mcpField) || removed
		for _, v := range options {
			option, _ := v.(map[string]any)
			removed = keepKeys(option, mcpOption) || removed
			since = "2025-11-25"
		}
	}
	if !removed {
		return raw, since
	}
	ordered, err := marshalInOrder(fields, keysOf(inOrder.Properties))
	if err != nil {
		return nil, ""
	}
	root["properties"] = ordered
	if plain, err = json.Marshal(root); err != nil {
		return nil, ""
	}
	return plain, since
}

// keepKeys removes all other keys, and reports whether there were some.
func keepKeys(m map[string]any, known []string) (removed bool) {
	for key := range m {
		if !slices.Contains(known, key) {
			delete(m, key)
			removed = true
		}
	}
	return removed
}

// keysOf returns the keys of an object in their order.
func keysOf(object json.RawMessage) (keys []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, _ := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if !ok || d.Decode(&value) != nil {
			return keys
		}
		keys = append(keys, name)
	}
	return keys
}

// marshalInOrder encodes the members of an object in the order of the keys.
func marshalInOrder(members map[string]any, keys []string) (json.RawMessage, error) {
	out := []byte{'{'}
	written := make(map[string]bool, len(keys))
	for _, name := range keys {
		if written[name] {
			continue
		}
		written[name] = true
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(members[name])
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}
