package compat_test

import (
	"context"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// domain is for mcpapps.DomainFunc: what the client's host takes, and nothing for others.
func domain(_ context.Context, req *mcp.ReadResourceRequest) string {
	for _, p := range compat.IdentifyRequest(req) {
		switch format, _ := p.Domain.Value(); format {
		case compat.DomainClaude: // the URL in the connector's settings
			return compat.ClaudeDomain("https://example.com/mcp")
		case compat.DomainOrigin: // the app's own
			origin, _ := compat.ChatGPTDomain("https://app.example.com")
			return origin
		}
	}
	return ""
}

// A domain for each host that has a format of its own.
func ExampleIdentifyRequest() {
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://weather/map.html"}, mcpapps.ResourceUIMetadata{},
		mcpapps.DomainFunc(mcpapps.HTML("<!doctype html>…"), domain))

	for _, name := range []string{"Anthropic/ClaudeAI", "openai-mcp", "Visual Studio Code", "somebody"} {
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
		res, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "ui://weather/map.html"})
		if err != nil {
			panic(err)
		}
		fmt.Println(name, res.Contents[0].Meta["ui"])
	}
	// Output:
	// Anthropic/ClaudeAI map[domain:c3d80a4ed901ee05b21755a88273b4a4.claudemcpcontent.com]
	// openai-mcp map[domain:https://app.example.com]
	// Visual Studio Code <nil>
	// somebody <nil>
}
