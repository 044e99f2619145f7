package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BoardInput has the arguments with which the board opens, which its view reads. All of
// them are optional: ChatGPT opens it without arguments.
type BoardInput struct {
	Note int  `json:"note,omitempty" jsonschema:"the number of a note to open"`
	New  bool `json:"new,omitempty" jsonschema:"open an empty note for the user to write"`
}

// Shown is what the model reads. ChatGPT's reads no other text of a tool that has a view.
type Shown struct {
	Notes string `json:"notes"`
}

// A Board is what the view shows.
type Board struct {
	Lists       []string    `json:"lists"`
	Notes       []Note      `json:"notes"`
	Preferences Preferences `json:"preferences"`
}

// SaveInput is a note as the user leaves it.
type SaveInput struct {
	ID      int    `json:"id,omitempty" jsonschema:"the note to change, a new one if it is absent"`
	Version int    `json:"version,omitempty" jsonschema:"the version that the user has changed"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	List    string `json:"list"`
}

// DeleteInput names the note to delete.
type DeleteInput struct {
	ID int `json:"id"`
}

// boardView is what ChatGPT reads with the document of the board.
func boardView() mcpapps.View {
	return openai.View(mcpapps.View{
		Resource: mcp.Resource{URI: "ui://notes/board.html", Name: "board", Title: "Notes"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}},
		Document: bundle.Handler(files, "ui/board.html", nil),
	}, openai.ViewUI{
		AvailableDisplayModes: []openai.DisplayMode{openai.Inline, openai.Fullscreen},
		PreferredDisplayMode:  openai.Inline,
		Description:           "The user's notes in three lists, which they can read, write and move.",
	})
}

// boardTool opens the board from one place. OpenAI recommends a tool and a title for each
// entrypoint, by which users tell them apart.
func boardTool(name, title string, entry openai.Entrypoint) *mcp.Tool {
	return openai.Tool[BoardInput](&mcp.Tool{
		Name:        name,
		Title:       title,
		Description: "Shows the user's notes in lists.",
		Icons:       icons,
		Annotations: annotations(true, false),
	}, openai.ToolUI{
		Entrypoints:               []openai.Entrypoint{entry},
		PreferredModelDisplayMode: openai.Inline,
		MonochromeIcon:            true,
		Invoking:                  "Opening the notes",
		Invoked:                   "Opened the notes",
	})
}

// addBoard adds the board, which the model and the user open, and the tools with which its
// view changes notes.
func addBoard(server *mcp.Server, notes *store) {
	show := func(_ context.Context, req *mcp.CallToolRequest, _ BoardInput) (*mcp.CallToolResult, Shown, error) {
		d, err := notes.read()
		shown := d.text(openai.RequestHints(req))
		return text("%s", shown), Shown{shown}, err
	}
	newNote := &openai.QuickAction{Title: "New note", Icons: icons, Tool: "show_board", Arguments: map[string]any{"new": true}}
	board := boardView()
	mcpapps.RegisterApp(server, boardTool("show_board", "Notes", openai.Global(newNote)), board, show)
	// The model does not need a second one.
	mcpapps.RegisterAppTool(server, boardTool("show_board_tab", "Notes beside the chat", openai.Thread()), mcpapps.AppOnly(board.Resource.URI), show)

	// For the view, which gets the board as it is now, or afterwards.
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "read_board",
		Title:       "Read the board",
		Description: "Returns the notes.",
		Annotations: annotations(true, false),
	}, mcpapps.AppOnly(""), func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, Board, error) {
		d, err := notes.read()
		return nil, d.board(), err
	})
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "save_note",
		Title:       "Save note",
		Description: "Adds a note or changes one.",
		InputSchema: saveSchema(),
		Annotations: annotations(false, true),
	}, mcpapps.AppOnly(""), func(_ context.Context, _ *mcp.CallToolRequest, in SaveInput) (_ *mcp.CallToolResult, b Board, err error) {
		err = notes.update(func(d *document) error {
			err := d.put(Note{ID: in.ID, Version: in.Version, Title: in.Title, Text: in.Text, List: in.List})
			b = d.board()
			return err
		})
		return nil, b, err
	})
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "delete_note",
		Title:       "Delete note",
		Description: "Deletes a note.",
		Annotations: annotations(false, true),
	}, mcpapps.AppOnly(""), func(_ context.Context, _ *mcp.CallToolRequest, in DeleteInput) (_ *mcp.CallToolResult, b Board, err error) {
		err = notes.update(func(d *document) error {
			d.Notes = slices.DeleteFunc(d.Notes, func(n Note) bool { return n.ID == in.ID })
			b = d.board()
			return nil
		})
		return nil, b, err
	})
}

func saveSchema() *jsonschema.Schema {
	schema := inferred[SaveInput]()
	schema.Properties["title"].MinLength, schema.Properties["title"].MaxLength = jsonschema.Ptr(1), jsonschema.Ptr(200)
	schema.Properties["text"].MaxLength = jsonschema.Ptr(10_000)
	schema.Properties["list"].Enum = words(lists)
	return schema
}

// board returns what the view shows, as the user prefers it.
func (d *document) board() Board {
	b := Board{Lists: lists, Notes: []Note{}, Preferences: d.Preferences}
	for _, n := range d.Notes {
		if n.List != "Done" || d.Preferences.ShowDone {
			b.Notes = append(b.Notes, n)
		}
	}
	slices.SortFunc(b.Notes, func(x, y Note) int {
		if d.Preferences.Sort == "title" {
			return cmp.Or(strings.Compare(strings.ToLower(x.Title), strings.ToLower(y.Title)), x.ID-y.ID)
		}
		return cmp.Or(cmp.Compare(y.Changed, x.Changed), x.ID-y.ID)
	})
	return b
}

// text returns the notes for the model, with dates as the user writes them.
func (d *document) text(hints openai.Hints) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d notes.", len(d.Notes))
	for i, n := range d.board().Notes {
		if i == d.Preferences.PageSize {
			b.WriteString("\n…")
			break
		}
		fmt.Fprintf(&b, "\n%d: %s (%s, changed on %s)", n.ID, n.Title, n.List, date(n.Changed, hints))
	}
	return b.String()
}
