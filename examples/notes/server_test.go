package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/mcpapps-go/mcpapps/view/bundle"
)

func newTestServer(t *testing.T) (*mcp.Server, *store) {
	s := newStore(t)
	return newServer(s, true), s
}

// call calls a tool, decodes its structured content into v, unless that is nil, and returns
// its text. A tool that fails has the text "error: …".
func call(t *testing.T, session *mcp.ClientSession, tool string, args, v any) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	text := ""
	for _, c := range result.Content {
		text += c.(*mcp.TextContent).Text
	}
	if result.IsError {
		return "error: " + text
	}
	if v != nil {
		raw, err := json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, v), "%s", raw)
	}
	return text
}

// The server has no errors and no warnings of mcpapps check.
func TestCheck(t *testing.T) {
	server, _ := newTestServer(t)
	report := mcpappstest.Check(t, server)
	for _, f := range report.Findings {
		assert.Equal(t, "note", f.Severity.String(), "%+v", f)
	}
}

// ChatGPT's keys are on the wire as OpenAI's specification has them.
func TestDeclarations(t *testing.T) {
	server, _ := newTestServer(t)
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	capabilities, err := json.Marshal(session.InitializeResult().Capabilities)
	require.NoError(t, err)
	var declared struct{ Extensions, Experimental map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(capabilities, &declared))
	for _, in := range []map[string]json.RawMessage{declared.Extensions, declared.Experimental} {
		assert.JSONEq(t, `{"readTool":"settings.read","updateTool":"settings.update"}`, string(in["openai/settings"]))
		assert.JSONEq(t, `{"searchTool":"search_notes"}`, string(in["openai/mentions"]))
	}
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	ui := make(map[string]string)
	for _, tool := range list.Tools {
		raw, err := json.Marshal(tool.Meta["openai/ui"])
		require.NoError(t, err)
		ui[tool.Name] = string(raw)
	}
	icon, err := json.Marshal(icons)
	require.NoError(t, err)
	assert.JSONEq(t, `{"preferredModelDisplayMode":"inline","entrypoints":[
		{"type":"global","quickAction":{"title":"New note","icons":`+string(icon)+`,"target":{"type":"tool","name":"show_board","arguments":{"new":true}}}}]}`, ui["show_board"])
	assert.JSONEq(t, `{"preferredModelDisplayMode":"inline","entrypoints":[{"type":"thread"}]}`, ui["show_board_tab"])
	assert.JSONEq(t, `{"entrypoints":[{"type":"file","extensions":[".note"]}]}`, ui["open_note_file"])
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://notes/board.html"})
	require.NoError(t, err)
	raw, err := json.Marshal(read.Contents[0].Meta["openai/ui"])
	require.NoError(t, err)
	assert.JSONEq(t, `{"availableDisplayModes":["inline","fullscreen"],"preferredDisplayMode":"inline"}`, string(raw))
}

// The declarations with which the views are type-checked match the current tools.
func TestToolTypes(t *testing.T) {
	server, _ := newTestServer(t)
	list, err := mcpappstest.Client(t, server, mcpapps.SupportUI).ListTools(t.Context(), nil)
	require.NoError(t, err)
	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.NoError(t, golden.Compare("ui/tools.d.ts", []byte(types)))
}

// Each view is one document that loads nothing external.
func TestViews(t *testing.T) {
	for _, name := range []string{"ui/board.html", "ui/file.html"} {
		document, err := bundle.HTML(files, name, nil)
		require.NoError(t, err)
		assert.Empty(t, document.External, name)
		assert.Empty(t, document.Warnings, name)
	}
}

// The view adds, changes and deletes notes, and a change of an older version is refused.
func TestChanges(t *testing.T) {
	server, _ := newTestServer(t)
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	var b Board
	call(t, session, "save_note", SaveInput{Title: "Tea", Text: "Green", List: "Done"}, &b)
	require.Len(t, b.Notes, 5)
	tea := b.Notes[0]
	assert.Equal(t, "Tea", tea.Title, "the newest is the first")
	change := SaveInput{ID: tea.ID, Version: tea.Version, Title: "Coffee", List: "To do"}
	call(t, session, "save_note", change, &b)
	assert.Equal(t, "error: "+errChanged.Error(), call(t, session, "save_note", change, nil))
	assert.Contains(t, call(t, session, "save_note", SaveInput{Title: "x", List: "Nowhere"}, nil), "error: ")
	call(t, session, "delete_note", DeleteInput{tea.ID}, &b)
	assert.Len(t, b.Notes, 4)
	change.Version++
	assert.Equal(t, "error: "+errGone.Error(), call(t, session, "save_note", change, nil))
}

// The settings decide what the board shows, and are kept with the notes.
func TestSettings(t *testing.T) {
	server, s := newTestServer(t)
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	var answer struct{ Values Preferences }
	call(t, session, "settings.update", map[string]any{"set": map[string]any{"sort": "title", "showDone": false}}, &answer)
	assert.Equal(t, Preferences{Sort: "title", PageSize: 20}, answer.Values)
	call(t, session, "settings.read", nil, &answer)
	assert.Equal(t, Preferences{Sort: "title", PageSize: 20}, answer.Values)
	var b Board
	call(t, session, "read_board", nil, &b)
	titles := []string{}
	for _, n := range b.Notes {
		titles = append(titles, n.Title)
	}
	assert.Equal(t, []string{"Groceries", "Read the guide", "Try the form"}, titles)
	assert.Contains(t, call(t, session, "settings.update", map[string]any{"set": map[string]any{"pageSize": 0}}, nil), "error: ")
	d, err := s.read()
	require.NoError(t, err)
	assert.Equal(t, answer.Values, d.Preferences)
}

// Notes that are mentioned have URIs that the server reads.
func TestMentions(t *testing.T) {
	server, _ := newTestServer(t)
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	var found struct{ Items []mcp.ResourceLink }
	call(t, session, "search_notes", map[string]any{"query": "OLIVES"}, &found)
	require.Len(t, found.Items, 1)
	assert.Equal(t, "Groceries", found.Items[0].Title)
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: found.Items[0].URI})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(read.Contents[0].Text, "Groceries\n\nBread"), read.Contents[0].Text)
	for _, uri := range []string{"notes://n/99", "notes://n/x", "notes://n/1/2"} {
		_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		assert.Error(t, err, uri)
	}
	call(t, session, "search_notes", map[string]any{"query": ""}, &found)
	assert.Len(t, found.Items, 4)
}

// The model reads dates as the user writes them, whatever else the hints are.
func TestDates(t *testing.T) {
	const noon = 1_795_867_200_000 // 2026-11-28 12:00 UTC
	at := func(locale, zone string) openai.Hints {
		return openai.Hints{Locale: locale, Location: &openai.Location{TimeZone: zone}}
	}
	for want, hints := range map[string]openai.Hints{
		"2026-11-28":        {},
		"November 28, 2026": {Locale: "en-US"},
		"28 November 2026":  {Locale: "en-GB"},
		"28.11.2026":        at("de-DE", "../../etc/passwd"),
		"29.11.2026":        at("de", "Pacific/Auckland"),
	} {
		assert.Equal(t, want, date(noon, hints))
	}
}

// A client with forms is asked for what the model did not say, one without is told in text.
func TestMove(t *testing.T) {
	server, s := newTestServer(t)
	session := mcpappstest.Client(t, server, mcpapps.SupportUI)
	assert.Equal(t, `Note 1 is now in the list "Done".`, call(t, session, "move_note", MoveInput{Note: 1, List: "Done"}, nil))
	assert.Contains(t, call(t, session, "move_note", MoveInput{Note: 99, List: "Done"}, nil), "error: the board has no note 99")
	told := call(t, session, "move_note", MoveInput{Note: 1}, nil)
	assert.Contains(t, told, "To do", "the client has no forms")

	// A client with ChatGPT's forms.
	capabilities := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}}
	capabilities.AddExtension("openai/elicitation", map[string]any{"form": map[string]any{}})
	answer := &mcp.ElicitResult{Action: "decline"}
	var asked []byte
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities: capabilities,
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked, _ = json.Marshal(req.Params.Meta["openai/elicitation"])
			return answer, nil
		},
	})
	here, there := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err = client.Connect(t.Context(), here, nil)
	require.NoError(t, err)
	defer session.Close()
	assert.Equal(t, "The user moved no note.", call(t, session, "move_note", MoveInput{Note: 2}, nil))
	assert.JSONEq(t, `{"requestedSchema":{"type":"object","required":["list"],"properties":{
		"list":{"type":"string","title":"To the list","enum":["To do","Doing","Done"]}}}}`, string(asked))
	answer = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"note": "2", "list": "Doing"}}
	assert.Equal(t, `Note 2 is now in the list "Doing".`, call(t, session, "move_note", nil, nil))
	assert.Contains(t, string(asked), `{"const":"1","description":"In the list Done","title":"Groceries"}`)
	d, err := s.read()
	require.NoError(t, err)
	assert.Equal(t, []string{"Done", "Doing"}, []string{d.find(1).List, d.find(2).List})
}
