package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// missingArguments returns an error that names the required arguments of a tool which
// neither args nor the defaults of its schema have, with flags that have them all.
func missingArguments(tool string, schema, args json.RawMessage) error {
	var s struct {
		Required   []string
		Properties map[string]sampleSchema
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil // its own fault, and the call's to say
	}
	var have map[string]json.RawMessage
	if json.Unmarshal(host.FillDefaults(schema, args), &have) != nil {
		return nil
	}
	var missing []string
	for _, name := range s.Required {
		if _, ok := have[name]; !ok {
			missing = append(missing, text.Quote(name))
			have[name] = s.Properties[name].sample(0)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	what := "argument "
	if len(missing) > 1 {
		what = "arguments "
	}
	example, err := json.Marshal(have)
	if err != nil {
		return nil
	}
	return fmt.Errorf("the tool %q needs the %s%s: pass, for example, -args '%s'", tool, what, strings.Join(missing, ", "), strings.ReplaceAll(string(example), "'", `'\''`))
}

// A sampleSchema is what of a schema tells a value that it accepts.
type sampleSchema struct {
	Type                      any
	Const, Default            json.RawMessage
	Enum, Examples            []json.RawMessage
	Format                    string
	Minimum, ExclusiveMinimum *float64
	Required                  []string
	Properties                map[string]sampleSchema
}

// UnmarshalJSON decodes a value that is not an object, such as true, as an empty schema.
func (s *sampleSchema) UnmarshalJSON(data []byte) error {
	type plain sampleSchema
	var p plain
	if json.Unmarshal(data, &p) == nil {
		*s = sampleSchema(p)
	}
	return nil
}

// sample returns a value that the schema accepts, as far as these keywords tell.
func (s sampleSchema) sample(depth int) json.RawMessage {
	for _, v := range append(append([]json.RawMessage{s.Const, s.Default}, s.Examples...), s.Enum...) {
		if v != nil {
			return v
		}
	}
	kind, _ := s.Type.(string)
	if list, ok := s.Type.([]any); ok && len(list) > 0 {
		kind, _ = list[0].(string)
	}
	switch kind {
	case "number", "integer":
		least := 1.0
		if s.Minimum != nil {
			least = max(least, *s.Minimum)
		}
		if s.ExclusiveMinimum != nil {
			least = max(least, *s.ExclusiveMinimum+1)
		}
		return json.RawMessage(fmt.Sprint(least))
	case "boolean":
		return json.RawMessage("true")
	case "array":
		return json.RawMessage("[]")
	case "null":
		return json.RawMessage("null")
	case "object":
		o := make(map[string]json.RawMessage)
		for _, name := range s.Required {
			if depth < 3 {
				o[name] = s.Properties[name].sample(depth + 1)
			}
		}
		raw, _ := json.Marshal(o)
		return raw
	}
	formats := map[string]string{"date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z", "uri": "https://example.com/", "email": "ada@example.com", "uuid": "123e4567-e89b-42d3-a456-426614174000"}
	raw, _ := json.Marshal(cmp.Or(formats[s.Format], "text"))
	return raw
}
