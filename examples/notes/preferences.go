package main

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Preferences are the settings of the user.
type Preferences struct {
	Sort     string `json:"sort"`
	ShowDone bool   `json:"showDone"`
	PageSize int    `json:"pageSize"`
}

// standard are the settings of a new board.
var standard = Preferences{Sort: "changed", ShowDone: true, PageSize: 20}

// addPreferences adds the two tools from which ChatGPT makes a page of settings.
func addPreferences(server *mcp.Server, notes *store) {
	openai.RegisterSettings(server, openai.Settings[Preferences]{
		Fields: map[string]*jsonschema.Schema{
			"sort":     {Title: "Sort by", Enum: []any{"changed", "title"}},
			"showDone": {Title: "Show notes that are done"},
			"pageSize": {Title: "Notes per list", Description: "More of them appear on request.", Minimum: jsonschema.Ptr(5.0), Maximum: jsonschema.Ptr(100.0)},
		},
		Groups: []openai.SettingsGroup{{Title: "Board", Items: []openai.SettingsItem{
			{Field: "sort"}, {Field: "showDone"}, {Field: "pageSize"},
			{Tool: "show_board", Description: "See the notes with these settings."},
		}}},
		Read: func(context.Context, *mcp.CallToolRequest) (Preferences, error) {
			d, err := notes.read()
			return d.Preferences, err
		},
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (p Preferences, err error) {
			err = notes.update(func(d *document) error {
				err := json.Unmarshal(set, &d.Preferences)
				p = d.Preferences
				return err
			})
			return p, err
		},
	})
}
