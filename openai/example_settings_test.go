package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// printAnswer calls a tool as a client does, and prints what it answers.
func printAnswer(s *mcp.Server, tool string, arguments any) {
	ctx := context.Background()
	ct, st := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, st, nil); err != nil {
		panic(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(ctx, ct, nil)
	if err != nil {
		panic(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
}

func ExampleRegisterSettings() {
	type settings struct {
		Sort  string `json:"sort"`
		Limit int    `json:"limit"`
	}
	var (
		mu    sync.Mutex
		saved = settings{Sort: "date", Limit: 20} // a server with users keeps those of each
	)
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	openai.RegisterSettings(s, openai.Settings[settings]{
		Fields: map[string]*jsonschema.Schema{
			"sort":  {Title: "Sort by", Enum: []any{"date", "name"}},
			"limit": {Title: "Notes per page", Minimum: jsonschema.Ptr(1.0), Maximum: jsonschema.Ptr(100.0)},
		},
		Groups: []openai.SettingsGroup{{Title: "List", Items: []openai.SettingsItem{{Field: "sort"}, {Field: "limit"}}}},
		Read: func(context.Context, *mcp.CallToolRequest) (settings, error) {
			mu.Lock()
			defer mu.Unlock()
			return saved, nil
		},
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (settings, error) {
			mu.Lock()
			defer mu.Unlock()
			next := saved
			if err := json.Unmarshal(set, &next); err != nil {
				return settings{}, err
			}
			saved = next
			return saved, nil
		},
	})

	printAnswer(s, "settings.update", map[string]any{"set": map[string]any{"sort": "name"}})
	printAnswer(s, "settings.update", map[string]any{"set": map[string]any{"limit": 1000}})
	// Output:
	// {"values":{"sort":"name","limit":20}}
	// the value of the setting "limit" does not fit its schema, {"maximum":100,"minimum":1,"type":"integer"}: give a value that fits it
}

func ExampleRegisterMentions() {
	notes := []string{"Groceries", "Garden", "Taxes"}
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	openai.RegisterMentions(s, &mcp.Tool{Name: "find_notes", Description: "Finds notes by their title."},
		func(_ context.Context, _ *mcp.CallToolRequest, query string) ([]*mcp.ResourceLink, error) {
			var found []*mcp.ResourceLink
			for i, title := range notes {
				if strings.Contains(strings.ToLower(title), strings.ToLower(query)) {
					found = append(found, &mcp.ResourceLink{URI: fmt.Sprintf("notes://n/%d", i), Name: title})
				}
			}
			return found, nil
		})

	printAnswer(s, "find_notes", map[string]any{"query": "ax"})
	// Output:
	// {"items":[{"type":"resource_link","uri":"notes://n/2","name":"Taxes"}]}
}
