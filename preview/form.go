package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mcpapps-go/mcpapps/host"
)

// A form is what the page makes a form from. Where the schema is too large for one, or
// has a keyword that the page does not know, the user enters JSON.
type form struct {
	Schema   json.RawMessage `json:"inputSchema,omitempty"`
	Problem  string          `json:"schemaProblem,omitempty"` // why there is no Schema
	Defaults json.RawMessage `json:"defaults,omitempty"`      // what is sent for fields that are left empty
}

// maxSchema bounds a schema from which the page makes a form.
const maxSchema = 256 << 10

// formsTime is how long the preview looks for the defaults in the schemas of a list of
// tools. The forms of those beyond start empty.
const formsTime = time.Second

// toolForms returns the forms of tools.
func toolForms(tools []*host.Tool) []form {
	forms := make([]form, len(tools))
	start := time.Now()
	for i, t := range tools {
		forms[i] = formOf(t.InputSchemaJSON(), time.Since(start) < formsTime)
	}
	return forms
}

func formOf(schema json.RawMessage, withDefaults bool) form {
	if n := len(schema); n > maxSchema {
		return form{Problem: fmt.Sprintf("The schema has %d bytes, and a form can be made from at most %d.", n, maxSchema)}
	}
	f := form{Schema: schema}
	if withDefaults {
		f.Defaults = host.FillDefaults(schema, json.RawMessage(`{}`))
	}
	return f
}

// checkFormSchema rejects the schema of an elicitation that refers to others, which the
// specification does not allow there: the SDK validates the answer with it, and with
// references 2 kB of schema can take for ever.
func checkFormSchema(schema json.RawMessage) error {
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		return err
	}
	if hasReference(v) {
		return errors.New("the requested schema has a $ref, which a form can't have (MCP, Elicitation)")
	}
	return nil
}

func hasReference(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			_, isText := value.(string)
			if isText && (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef") || hasReference(value) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if hasReference(item) {
				return true
			}
		}
	}
	return false
}

// validateForm checks a form's content against the server's schema. The SDK does so
// too, but then the server gets the error, and the user can't correct it.
func validateForm(schema json.RawMessage, content map[string]any) error {
	var s jsonschema.Schema
	if json.Unmarshal(schema, &s) != nil {
		return nil // the user can't correct the schema
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	if content == nil {
		content = map[string]any{}
	}
	return resolved.Validate(content)
}
