package check_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/openai"
)

type preferences struct {
	Sort string `json:"sort"`
}

// TestOpenAIServer shows that a server which declares all of OpenAI's layer by package
// openai has no findings, in any protocol version, with and without the older keys, and
// that its settings and mentions are called: nothing says that they were not.
func TestOpenAIServer(t *testing.T) {
	for name, aliases := range map[string]bool{"the layer alone": false, "with aliases": true} {
		t.Run(name, func(t *testing.T) {
			s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
			if aliases {
				openai.EnableAliases(s)
			}
			no := false
			hints := func(reads bool) *mcp.ToolAnnotations {
				return &mcp.ToolAnnotations{ReadOnlyHint: reads, DestructiveHint: &no, OpenWorldHint: &no}
			}
			text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "One note."}}}
			view := openai.View(mcpapps.View{
				Resource: mcp.Resource{URI: "ui://notes/board"},
				Document: mcpapps.HTML("<!doctype html><p>One note."),
			}, openai.ViewUI{
				AvailableDisplayModes: []openai.DisplayMode{openai.Inline, openai.Fullscreen}, PreferredDisplayMode: openai.Inline,
				Description: "A board of notes", RedirectDomains: []string{"https://notes.example.com"},
			})
			type upload struct {
				Photo *openai.UploadedFile `json:"photo,omitempty"`
			}
			mcpapps.RegisterApp(s, openai.Tool[upload](&mcp.Tool{Name: "board", Title: "Notes", Annotations: hints(true)}, openai.ToolUI{
				Entrypoints: []openai.Entrypoint{openai.Global(&openai.QuickAction{Title: "Open", Icons: []mcp.Icon{{Source: "https://notes.example.com/i.svg"}}, Tool: "board"})},
				Invoking:    "Opening", Invoked: "Opened", MonochromeIcon: true, PreferredModelDisplayMode: openai.Inline,
			}), view, func(context.Context, *mcp.CallToolRequest, upload) (*mcp.CallToolResult, any, error) {
				return text, nil, nil
			})
			mcpapps.RegisterAppTool(s, openai.Tool[struct{}](&mcp.Tool{Name: "tab", Title: "Notes beside the chat", Annotations: hints(true)}, openai.ToolUI{
				Entrypoints: []openai.Entrypoint{openai.Thread()},
			}), mcpapps.AppOnly("ui://notes/board"), func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return text, nil, nil
			})
			type opened struct {
				File openai.OpenedFile `json:"file"`
			}
			mcpapps.RegisterAppTool(s, openai.Tool[opened](&mcp.Tool{Name: "file", Title: "Note", Annotations: hints(true)}, openai.ToolUI{
				Entrypoints: []openai.Entrypoint{openai.File(".note")},
			}), mcpapps.ToolUIMetadata{ResourceURI: "ui://notes/board"}, func(context.Context, *mcp.CallToolRequest, opened) (*mcp.CallToolResult, any, error) {
				return text, nil, nil
			})
			called := make(map[string]int)
			openai.RegisterSettings(s, openai.Settings[preferences]{
				Fields: map[string]*jsonschema.Schema{"sort": {Title: "Sort by", Enum: []any{"date", "name"}}},
				Groups: []openai.SettingsGroup{{Title: "List", Items: []openai.SettingsItem{{Field: "sort"}, {Tool: "board"}}}},
				Read: func(context.Context, *mcp.CallToolRequest) (preferences, error) {
					called["read"]++
					return preferences{Sort: "date"}, nil
				},
				Update: func(context.Context, *mcp.CallToolRequest, json.RawMessage) (preferences, error) {
					called["update"]++
					return preferences{Sort: "date"}, nil
				},
			})
			openai.RegisterMentions(s, &mcp.Tool{Name: "find", Description: "Finds notes."}, func(_ context.Context, _ *mcp.CallToolRequest, query string) ([]*mcp.ResourceLink, error) {
				called["find "+query]++
				return []*mcp.ResourceLink{{URI: "notes://n/7", Name: "n7", Title: "Groceries"}}, nil
			})
			r, err := check.Server(t.Context(), s, &check.Options{Calls: []check.Call{{Tool: "file", Arguments: map[string]any{"file": map[string]any{"name": "a.note", "resourceUri": "host-resource://1"}}}}})
			require.NoError(t, err)
			for _, f := range r.Findings {
				if f.Code != "capability-missing" {
					t.Error(f)
				}
			}
			assert.Equal(t, map[string]int{"read": 1, "find ": 1}, called)
			assert.Len(t, r.Versions, 5)
		})
	}
}
