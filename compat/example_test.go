package compat_test

import (
	"context"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ExampleProfiles() {
	for _, p := range compat.Profiles() {
		frames, known := p.FrameDomains.Value()
		if known && frames == compat.Yes {
			fmt.Println(p.Name)
		}
	}
	// Output:
	// ChatGPT (web)
	// Codex (desktop)
	// Cursor
	// VS Code
}

func ExampleLookup() {
	p, _ := compat.Lookup("claude-desktop")
	result, known := p.Result.Value()
	fmt.Println(result, known, "for", p.Result.When())
	_, known = p.DisplayModes.Value()
	fmt.Println(known)
	// Output:
	// content-only true for local servers
	// false
}

func ExampleIdentify() {
	for _, name := range []string{"Anthropic/ClaudeAI", "openai-mcp", "somebody"} {
		fmt.Print(name, ":")
		for _, p := range compat.Identify(&mcp.Implementation{Name: name}) {
			fmt.Print(" ", p.ID)
		}
		fmt.Println()
	}
	// Output:
	// Anthropic/ClaudeAI: claude-desktop claude-web
	// openai-mcp: chatgpt
	// somebody:
}

func ExampleKeepViews() {
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	mcpapps.Enable(s, &mcpapps.Options{StripUIForText: true})
	s.AddReceivingMiddleware(compat.KeepViews())
	s.AddTool(&mcp.Tool{
		Name:        "forecast",
		InputSchema: map[string]any{"type": "object"},
		Meta:        mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: "ui://weather/forecast"}),
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })

	// Neither client declares the extension.
	for _, name := range []string{"Anthropic/Toolbox", "somebody"} {
		ctx := context.Background()
		ct, st := mcp.NewInMemoryTransports()
		if _, err := s.Connect(ctx, st, nil); err != nil {
			panic(err)
		}
		cs, err := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1.0.0"}, nil).Connect(ctx, ct, nil)
		if err != nil {
			panic(err)
		}
		defer cs.Close()
		list, err := cs.ListTools(ctx, nil)
		if err != nil {
			panic(err)
		}
		fmt.Println(name, list.Tools[0].Meta["ui"] != nil)
	}
	// Output:
	// Anthropic/Toolbox true
	// somebody false
}
