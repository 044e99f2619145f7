package viewform_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ExampleRegister() {
	type Order struct {
		ID int `json:"id"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1.0.0"}, nil)
	destructive := true
	viewform.Register(s,
		&mcp.Tool{Name: "cancel_order", Description: "Cancel an order", Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive}},
		mcpapps.View{Resource: mcp.Resource{URI: "ui://shop/cancel.html"}, Document: mcpapps.HTML("<p>The form")},
		viewform.Form[Order, any]{
			Store: viewstate.NewMemory(nil),
			Do: func(_ context.Context, _ *mcp.CallToolRequest, in Order) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Order %d is canceled.", in.ID)}}}, nil, nil
			},
		})

	// A client without views has it done at once.
	ctx := context.Background()
	ct, st := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, st, nil); err != nil {
		log.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "terminal", Version: "1.0.0"}, nil).Connect(ctx, ct, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "cancel_order", Arguments: map[string]any{"id": 7}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output: Order 7 is canceled.
}

// A tool counts how often views call it.
func ExampleCalledByView() {
	byView := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{"mcpapps/caller": "app"}}}
	fmt.Println(viewform.CalledByView(byView), viewform.CalledByView(&mcp.CallToolRequest{}))
	// Output: true false
}
