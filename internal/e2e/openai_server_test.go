package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

const notesURI = "ui://notes/board.html"

//go:embed testdata/notes.html
var notesHTML string

// added are the tools that only the server with declarations has.
var added = []string{"notes.move", "search_mentions", "settings.read", "settings.update"}

type notesSettings struct {
	Sort  string `json:"sort"`
	Limit int    `json:"limit"`
}

type openNote struct {
	File *openai.OpenedFile `json:"file,omitempty"`
}

type attachFiles struct {
	Files []openai.UploadedFile `json:"files"`
}

type addNote struct {
	Text string `json:"text"`
}

// newNotes returns a server that uses everything of package openai, or the same server
// without it.
func newNotes(declared bool) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	mcpapps.Enable(s, nil)
	border := true
	view := mcpapps.View{
		Resource: mcp.Resource{URI: notesURI, Meta: mcp.Meta{"example.com/owner": "team"}},
		UI: mcpapps.ResourceUIMetadata{
			CSP:           &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}, FrameDomains: []string{}},
			Permissions:   &mcpapps.Permissions{ClipboardWrite: true},
			Domain:        "notes.example.com",
			PrefersBorder: &border,
		},
		Document: mcpapps.HTML(notesHTML),
	}
	if declared {
		openai.EnableAliases(s)
		view = openai.View(view, openai.ViewUI{
			AvailableDisplayModes: []openai.DisplayMode{openai.Inline, openai.Fullscreen},
			PreferredDisplayMode:  openai.Fullscreen,
			Description:           "Shows the notes.",
			RedirectDomains:       []string{"https://example.com"},
		})
		addToNotes(s)
	}
	icons := []mcp.Icon{{Source: "https://example.com/i.svg", MIMEType: "image/svg+xml"}}
	board := notesTool[struct{}](declared, &mcp.Tool{Name: "notes.board", Title: "Notes", Icons: icons, Meta: mcp.Meta{"example.com/owner": "team"}}, openai.ToolUI{
		Entrypoints: []openai.Entrypoint{
			openai.Global(&openai.QuickAction{Title: "New note", Icons: icons, Tool: "notes.add", Arguments: map[string]any{"text": "new"}}),
			openai.Thread(),
		},
		PreferredModelDisplayMode: openai.Fullscreen,
		MonochromeIcon:            true,
		Invoking:                  "Opening the notes",
		Invoked:                   "Opened the notes",
	})
	mcpapps.RegisterApp(s, board, view, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Meta: mcp.Meta{"example.com/n": 2}, Content: []mcp.Content{&mcp.TextContent{Text: "two notes"}}}, map[string]any{"notes": []string{"a", "b"}}, nil
	})
	open := notesTool[openNote](declared, &mcp.Tool{Name: "notes.open"}, openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.File(".note")}})
	mcpapps.RegisterApp(s, open, view, saying[openNote]("opened"))
	mcp.AddTool(s, notesTool[attachFiles](declared, &mcp.Tool{Name: "notes.attach"}, openai.ToolUI{}), saying[attachFiles]("attached"))
	mcp.AddTool(s, notesTool[addNote](declared, &mcp.Tool{Name: "notes.add"}, openai.ToolUI{Invoking: "Adding"}), saying[addNote]("added"))
	return s
}

// notesTool returns a tool, with or without a declaration. The schemas of files follow from
// their types: both have them.
func notesTool[In any](declared bool, t *mcp.Tool, ui openai.ToolUI) *mcp.Tool {
	no := false
	t.Description, t.Annotations = t.Name, &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
	tool := openai.Tool[In](t, ui)
	if declared {
		return tool
	}
	t.InputSchema = tool.InputSchema
	return t
}

func saying[In any](text string) mcp.ToolHandlerFor[In, any] {
	return func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

// addToNotes adds settings, mentions and a tool with a form.
func addToNotes(s *mcp.Server) {
	saved := notesSettings{Sort: "date", Limit: 20}
	openai.RegisterSettings(s, openai.Settings[notesSettings]{
		Fields: map[string]*jsonschema.Schema{
			"sort":  {Title: "Sort by", Enum: []any{"date", "name"}},
			"limit": {Title: "Notes per page", Minimum: jsonschema.Ptr(1.0)},
		},
		Groups: []openai.SettingsGroup{{Title: "List", Items: []openai.SettingsItem{{Field: "sort"}, {Tool: "notes.board"}}}},
		Read:   func(context.Context, *mcp.CallToolRequest) (notesSettings, error) { return saved, nil },
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (notesSettings, error) {
			next := saved
			return next, json.Unmarshal(set, &next)
		},
	})
	openai.RegisterMentions(s, nil, func(_ context.Context, _ *mcp.CallToolRequest, query string) ([]*mcp.ResourceLink, error) {
		return []*mcp.ResourceLink{{URI: "notes://n/1", Name: "found " + query}}, nil
	})
	forms := openai.NewForms(nil)
	mcp.AddTool(s, &mcp.Tool{Name: "notes.move"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		answer, pending, err := forms.Ask(ctx, req, "where", &mcp.ElicitParams{Message: "Where to?", RequestedSchema: json.RawMessage(
			`{"type":"object","required":["to"],"properties":{"to":{"type":"string","title":"Folder"}}}`)})
		if pending != nil || err != nil {
			return pending, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Action, " ", answer.Content["to"])}}}, nil, nil
	})
}

// TestEverythingAnswers: declarations, settings, mentions and forms work beside each other.
func TestEverythingAnswers(t *testing.T) {
	s := newNotes(true)
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		t.Run(version, func(t *testing.T) {
			c := rawclient.Memory(t, s, rawclient.Config{Version: version, Capabilities: `{"elicitation":{"form":{}}}`,
				Answer: func(string, json.RawMessage) string { return `{"action":"accept","content":{"to":"home"}}` }})
			require.Contains(t, c.Call(t, "notes.board", `{}`), "two notes")
			require.Contains(t, c.Call(t, "notes.open", `{"file":{"name":"a.note","resourceUri":"host-resource://1"}}`), "opened")
			require.Contains(t, c.Call(t, "notes.attach", `{"files":[{"download_url":"https://example.com/f","file_id":"f"}]}`), "attached")
			require.Contains(t, c.Call(t, "settings.read", `{}`), `"values":{"sort":"date","limit":20}`)
			require.Contains(t, c.Call(t, "settings.update", `{"set":{"limit":5}}`), `{"values":`)
			require.Contains(t, c.Call(t, "search_mentions", `{"query":"a"}`), "found a")

			moved := c.Call(t, "notes.move", `{}`)
			if version >= rawclient.Modern {
				var r struct{ RequestState string }
				require.NoError(t, json.Unmarshal([]byte(moved), &r))
				moved = c.Result(t, "tools/call", fmt.Sprintf(`{"name":"notes.move","arguments":{},"requestState":%q,
					"inputResponses":{"where":{"action":"accept","content":{"to":"home"}}}}`, r.RequestState))
			}
			require.Contains(t, moved, "accept home")
		})
	}
}

// withoutOpenAI takes what package openai adds out of a decoded message: the keys of each
// _meta, the capabilities, and the added tools in lists. It writes the paths of the members
// that lost something into places.
func withoutOpenAI(v any, path string, places map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			withoutOpenAI(item, path+"[]", places)
		}
	case map[string]any:
		for name, member := range v {
			at := path + "." + name
			switch member := member.(type) {
			case []any:
				if name != "tools" {
					break
				}
				v[name] = slices.DeleteFunc(member, func(tool any) bool {
					called, _ := tool.(map[string]any)["name"].(string)
					return slices.Contains(added, called)
				})
				if len(v[name].([]any)) < len(member) {
					places[at] = true
				}
			case map[string]any:
				if name != "_meta" && name != "extensions" && name != "experimental" {
					break
				}
				for key := range member {
					if strings.HasPrefix(key, "openai/") {
						delete(member, key)
						places[at] = true
					}
				}
				if len(member) == 0 {
					delete(v, name)
				}
			}
			withoutOpenAI(v[name], at, places)
		}
	}
}
