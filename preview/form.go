package preview

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
)

// A form is what the page makes a form from. Where the schema is too large for one, or
// has a keyword that the page does not know, the user enters JSON.
type form struct {
	Schema   json.RawMessage `json:"inputSchema,omitempty"`
	Problem  string          `json:"schemaProblem,omitempty"` // why there is no Schema
	Defaults json.RawMessage `json:"defaults,omitempty"`      // what is sent for fields that are left empty
	Extended bool            `json:"extended,omitempty"`      // the schema has fields of OpenAI's extension
}

// maxSchema bounds a schema from which the page makes a form.
const maxSchema = 256 << 10

// formsTime is how long the preview looks for the defaults in the schemas of a list of
// tools. The forms of those beyond start empty.
const formsTime = 10 * time.Second

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

// validateForm checks a form's content against the server's schema. The SDK does so
// too, but then the server gets the error, and the user can't correct it.
func validateForm(schema json.RawMessage, content map[string]any) error {
	s, err := schemacheck.Decode(schema)
	if err != nil || s == nil {
		return nil // the user can't correct the schema
	}
	if content == nil {
		content = map[string]any{}
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return err
	}
	value, err := schemacheck.Decode(raw)
	if err != nil {
		return err
	}
	_, err = schemacheck.New(s).Check(value) // an error if it is invalid
	return err
}
