package openai

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How much of a form its text repeats: bytes of the message and of a title, and how many
// fields and choices.
const (
	maxTextMessage = 2000
	maxTextTitle   = 200
	maxTextFields  = 20
	maxTextChoices = 20
)

// inText returns the result for a client that does not show the form: it tells the model
// what to ask the user. It is an error, because the tool has not done its work: clients then
// do not expect the structured content that the tool declares.
func (q *question) inText() *mcp.CallToolResult {
	var b strings.Builder
	b.WriteString("Nothing is done yet: the user has to be asked first, and this client does not show this form. Ask in the chat:\n\n")
	b.WriteString(text.Shorten(q.message, maxTextMessage) + "\n")
	root, _ := q.schema.(map[string]any)
	fields, _ := root["properties"].(map[string]any)
	required, _ := root["required"].([]any)
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i == maxTextFields {
			fmt.Fprintf(&b, "\n(%d more)", len(fields)-i)
			break
		}
		field, _ := fields[name].(map[string]any)
		b.WriteString("\n- " + fieldText(name, field, slices.Contains(required, any(name))))
	}
	b.WriteString("\n\nIf the tool has arguments for the answers, call it again with them. Do not answer for the user.")
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: b.String()}}}
}

// fieldText describes a field in a line.
func fieldText(name string, field map[string]any, required bool) string {
	line := text.Shorten(name, maxTextTitle)
	if title, _ := field["title"].(string); title != "" {
		line += " (" + text.Shorten(title, maxTextTitle) + ")"
	}
	kind, _ := field["type"].(string)
	values, of := field, "one of "
	if items, ok := field["items"].(map[string]any); ok {
		kind, values, of = "list of strings", items, "of "
	}
	line += ": " + kind
	if !required {
		line += ", optional"
	}
	for _, key := range []string{"oneOf", "anyOf", "enum"} {
		if choices, ok := values[key].([]any); ok {
			line += ", " + of + choicesText(choices)
		}
	}
	if suggested, ok := values["x-openai-suggestions"].([]any); ok && len(suggested) > 0 {
		line += ", for example " + choicesText(suggested)
	}
	if input, ok := field["x-openai-input"].(map[string]any); ok {
		if options, ok := input["options"].([]any); ok && len(options) > 0 {
			line += ", " + of + choicesText(options)
		}
	}
	if description, _ := field["description"].(string); description != "" {
		line += ". " + text.Shorten(description, maxTextTitle)
	}
	return line
}

// choicesText names choices, with what the user knows them by.
func choicesText(choices []any) string {
	var list []string
	for i, v := range choices {
		if i == maxTextChoices {
			list = append(list, fmt.Sprintf("%d more", len(choices)-i))
			break
		}
		choice, ok := v.(map[string]any)
		if !ok {
			list = append(list, text.JSON(v))
			continue
		}
		value := choice["const"]
		if value == nil {
			value = choice["uri"]
		}
		title, _ := choice["title"].(string)
		if title == "" {
			title, _ = choice["name"].(string)
		}
		list = append(list, fmt.Sprintf("%s (%s)", text.JSON(value), text.Shorten(title, maxTextTitle)))
	}
	return strings.Join(list, ", ")
}
