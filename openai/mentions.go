package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/toolinput"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMentions is how many items of a search are sent. The reference has no limit, and
// OpenAI's samples send 30.
const maxMentions = 100

// RegisterMentions adds a tool that searches what users can mention in a message by typing
// @, and declares it in the capabilities of the server.
//
// The query is what the user has typed so far, and may be empty. Search is called
// concurrently. It returns links with a URI, which the server should be able to read, and a
// Name; nil means that nothing was found. The first 100 are sent. An error reaches the client
// as the tool's.
//
// t may be nil, and is not changed. Its name is "search_mentions" if it is empty. Its
// annotations are completed: it is read-only. It is for views only, as in OpenAI's SDKs,
// unless its Meta has a ui.visibility, which must include the app. A server has one tool of
// this kind. RegisterMentions panics if it has one already, or if t can't be such a tool.
// What clients reject in the answers is found by package check.
func RegisterMentions(s *mcp.Server, t *mcp.Tool, search func(ctx context.Context, req *mcp.CallToolRequest, query string) ([]*mcp.ResourceLink, error)) {
	fail := func(err error) { panic("openai.RegisterMentions: " + err.Error()) }
	switch {
	case s == nil:
		fail(errors.New("the server is nil"))
	case search == nil:
		fail(errors.New("search is nil"))
	}
	tt, err := mentionsTool(t)
	if err == nil {
		err = claim(s, "mentions", tt.Name)
	}
	if err != nil {
		fail(err)
	}
	mcpapps.RegisterRawAppTool(s, tt, mcpapps.ToolUIMetadata{}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		query, err := mentionsQuery(req.Params.Arguments)
		if err != nil {
			return toolResult(nil, err)
		}
		links, err := search(ctx, req, query)
		if err != nil {
			return toolResult(nil, err)
		}
		return toolResult(mentionItems(links))
	})
	advertise(s, metakey.OpenAIMentions, map[string]any{"searchTool": tt.Name})
}

// mentionsTool returns a copy of t as a tool that searches mentions.
func mentionsTool(t *mcp.Tool) (*mcp.Tool, error) {
	tt := mcp.Tool{Title: "Search mentions", Description: "Searches what users can mention in a message."}
	if t != nil {
		title, description := tt.Title, tt.Description
		tt = *t
		if tt.Title == "" {
			tt.Title = title
		}
		if tt.Description == "" {
			tt.Description = description
		}
	}
	if tt.Name == "" {
		tt.Name = "search_mentions"
	}
	wrong := func(format string, args ...any) (*mcp.Tool, error) {
		return nil, fmt.Errorf("tool %q: %w", tt.Name, fmt.Errorf(format, args...))
	}
	if err := checkToolName(tt.Name); err != nil {
		return nil, err
	}
	if tt.InputSchema != nil || tt.OutputSchema != nil {
		return wrong("its schemas are fixed: leave InputSchema and OutputSchema out")
	}
	var hints mcp.ToolAnnotations
	if tt.Annotations != nil {
		hints = *tt.Annotations
	}
	no := false
	switch {
	case hints.DestructiveHint == nil:
		hints.DestructiveHint = &no
	case *hints.DestructiveHint:
		return wrong("DestructiveHint is true, and a search of mentions changes nothing: leave it out")
	}
	if hints.OpenWorldHint == nil {
		hints.OpenWorldHint = &no
	}
	hints.ReadOnlyHint = true
	tt.Annotations = &hints
	if ui, _ := jsonvalue.Object(tt.Meta["ui"]); ui["visibility"] == nil {
		if err := mcpapps.SetToolUI(&tt, mcpapps.AppOnly("")); err != nil {
			return nil, err
		}
	}
	if !mcpapps.VisibleTo(&tt, mcpapps.VisibilityApp) {
		return wrong(`its visibility does not include "app", which clients require of it: add it to _meta.ui.visibility`)
	}
	tt.InputSchema = &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"query": {Type: "string", Description: "What the user has typed so far, which may be empty."},
		},
		Required: []string{"query"},
	}
	// The one that the SDK infers from a ResourceLink is not that of its JSON.
	tt.OutputSchema = &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{"items": {Type: "array", Items: &jsonschema.Schema{
			Type: "object",
			Properties: map[string]*jsonschema.Schema{
				"type": {Type: "string", Enum: []any{"resource_link"}},
				"uri":  {Type: "string"},
				"name": {Type: "string"},
			},
			PropertyOrder: []string{"type", "uri", "name"},
			Required:      []string{"type", "uri", "name"},
		}}},
		Required: []string{"items"},
	}
	return &tt, nil
}

func mentionsQuery(arguments json.RawMessage) (string, error) {
	all, err := toolinput.Members(arguments)
	if err != nil {
		return "", err
	}
	var query *string
	if raw, ok := all["query"]; ok {
		err = json.Unmarshal(raw, &query)
	}
	if err != nil || query == nil {
		return "", errors.New(`the argument "query" is not a string: give one, which may be empty`)
	}
	return *query, nil
}

// mentionItems returns the answer with the links that a search returned.
func mentionItems(links []*mcp.ResourceLink) (any, error) {
	links = links[:min(len(links), maxMentions)]
	for i, link := range links {
		switch {
		case link == nil || strings.TrimSpace(link.URI) == "" || strings.TrimSpace(link.Name) == "":
			return nil, fmt.Errorf("the server found a mention, items[%d], without a URI or without a name", i)
		case !isLine(link.URI) || !isLine(link.Name) || !isLine(link.Title):
			return nil, fmt.Errorf("the server found a mention, items[%d], with a control character or invalid UTF-8 in its URI, name or title", i)
		case slices.ContainsFunc(link.Icons, func(icon mcp.Icon) bool { return icon.Source == "" }):
			return nil, fmt.Errorf("the server found a mention, items[%d], with an icon without a source", i)
		}
	}
	if links == nil {
		links = []*mcp.ResourceLink{}
	}
	return map[string]any{"items": links}, nil
}

// isLine reports whether a text can be shown in one line: it has no control characters.
func isLine(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) }
