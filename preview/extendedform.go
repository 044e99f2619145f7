package preview

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
)

// declareForms declares that the client shows the forms of OpenAI's extension, if the host
// of [Options.Emulate] does. It changes a copy of the extensions.
func (p *Preview) declareForms(caps *mcp.ClientCapabilities) {
	if p.opts.Emulate == nil || caps.Elicitation.Form == nil {
		return
	}
	if shown, _ := p.opts.Emulate.For(p.kind).OpenAIForms.Value(); !shown {
		return
	}
	caps.Extensions = maps.Clone(caps.Extensions)
	caps.AddExtension(metakey.OpenAIElicitation, map[string]any{"form": map[string]any{}})
	p.forms = true
}

// extendedSchema returns the schema of a form of OpenAI's extension, decoded. It returns
// false if the server asks for another form, or was not told of the extension.
func (p *Preview) extendedSchema(params *mcp.ElicitParams) (schema any, ok bool) {
	extension, ok := params.Meta[metakey.OpenAIElicitation]
	if !ok || !p.forms {
		return nil, false
	}
	members, _ := jsonvalue.Object(extension)
	return members["requestedSchema"], true
}

// extendedFormOf returns the form for the page. What hosts do not draw is entered as JSON.
func extendedFormOf(schema any) form {
	if problems := openairules.Form(schema); len(problems) > 0 {
		return form{Problem: "A host does not draw this form: " + problems[0].Error() + "."}
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return form{Problem: "The schema can't be encoded."}
	}
	f := formOf(raw, true)
	f.Extended = true
	return f
}

// checkExtended returns what is wrong with an answer to a form of OpenAI's extension.
func checkExtended(schema any, content map[string]any) error {
	const most = 5
	var faults []string
	for i, p := range openairules.FormAnswer(schema, content) {
		if i == most {
			break
		}
		faults = append(faults, p.Text)
	}
	if len(faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "; "))
}
