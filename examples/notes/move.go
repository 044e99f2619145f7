package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MoveInput has what the model knows already. The user is asked for the rest.
type MoveInput struct {
	Note int    `json:"note,omitempty" jsonschema:"the number of the note"`
	List string `json:"list,omitempty" jsonschema:"the list that it moves to"`
}

// addMove adds a tool that asks the user, in a form, which note moves to which list.
func addMove(server *mcp.Server, notes *store, forms *openai.Forms) {
	schema := inferred[MoveInput]()
	schema.Properties["list"].Enum = words(lists)
	mcp.AddTool(server, openai.Tool[MoveInput](&mcp.Tool{
		Name:        "move_note",
		Title:       "Move a note",
		Description: "Moves a note to another list. Without a note or a list, the user is asked for it.",
		InputSchema: schema,
		Annotations: annotations(false, false),
	}, openai.ToolUI{Invoking: "Moving a note", Invoked: "Moved a note"}), func(ctx context.Context, req *mcp.CallToolRequest, in MoveInput) (*mcp.CallToolResult, any, error) {
		d, err := notes.read()
		if err != nil {
			return nil, nil, err
		}
		if len(d.Notes) == 0 {
			return text("The board is empty, so no note can be moved."), nil, nil
		}
		if in.Note == 0 || in.List == "" {
			result, err := in.ask(ctx, req, forms, d)
			if result != nil || err != nil {
				return result, nil, err
			}
		}
		err = notes.update(func(d *document) error {
			n := d.find(in.Note)
			if n == nil {
				return fmt.Errorf("the board has no note %d: its notes are those of show_board", in.Note)
			}
			moved := *n
			moved.List = in.List
			return d.put(moved)
		})
		if err != nil {
			return nil, nil, err
		}
		return text("Note %d is now in the list %q.", in.Note, in.List), nil, nil
	})
}

// ask asks the user for what in does not have. It returns the result of the call unless
// the user has answered.
func (in *MoveInput) ask(ctx context.Context, req *mcp.CallToolRequest, forms *openai.Forms, d document) (*mcp.CallToolResult, error) {
	answer, pending, err := forms.Ask(ctx, req, "move", &mcp.ElicitParams{
		Message:         "Which note moves to which list?",
		RequestedSchema: in.missing(d),
	})
	if pending != nil || err != nil {
		return pending, err
	}
	if answer.Action != "accept" {
		return text("The user moved no note."), nil
	}
	// The answer has been checked: these are among the choices.
	if id, ok := answer.Content["note"].(string); ok {
		in.Note, _ = strconv.Atoi(id)
	}
	if list, ok := answer.Content["list"].(string); ok {
		in.List = list
	}
	return nil, nil
}

// missing returns the fields of the form.
func (in *MoveInput) missing(d document) map[string]any {
	properties, required := map[string]any{}, []string{}
	if in.Note == 0 {
		options := []any{}
		for _, n := range d.Notes[max(0, len(d.Notes)-50):] {
			options = append(options, map[string]any{"const": strconv.Itoa(n.ID), "title": n.Title, "description": "In the list " + n.List})
		}
		properties["note"] = map[string]any{"type": "string", "title": "Note", "oneOf": options}
		required = append(required, "note")
	}
	if in.List == "" {
		properties["list"] = map[string]any{"type": "string", "title": "To the list", "enum": lists}
		required = append(required, "list")
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}
