package main

import (
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// To update ui/tools.d.ts: MCPAPPS_UPDATE=1 go test -run TestToolTypes
//
//go:embed ui
var files embed.FS

// Listed is what the list gets beside the first page of a query.
type Listed struct {
	Found     int    `json:"found"`     // how many orders there are in all
	Selection string `json:"selection"` // the id of the state that has the selected orders
}

// newServer returns an MCP server for the orders of a book. The store keeps the
// selection of the list and what became of each form: an in-memory store for one
// process, or a database for several, which then share the secret too.
func newServer(b *book, store viewstate.Store, secret []byte) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Title: "Orders", Version: "1.0.0"}, nil)
	listView := mcpapps.View{
		Resource: mcp.Resource{URI: "ui://orders/list.html", Name: "orders", Title: "Orders"},
		Document: bundle.Handler(files, "ui/list.html", nil),
	}
	changeView := mcpapps.View{
		Resource: mcp.Resource{URI: "ui://orders/change.html", Name: "change", Title: "Change orders"},
		Document: bundle.Handler(files, "ui/change.html", nil),
	}
	// For the model: opens the list. The view gets the following pages from
	// show_orders_data, which this registers too.
	viewdata.RegisterPages(server, &mcp.Tool{
		Name:        "show_orders",
		Title:       "Show orders",
		Description: "Shows a list of orders that can be searched, sorted and selected.",
		InputSchema: querySchema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, listView, func(_ context.Context, q Query, p viewdata.Page) ([]Order, string, error) {
		return b.page(q, p.Cursor, p.Size)
	}, &viewdata.PageOptions[Query, Order]{
		Key:  secret,
		Text: found,
		Extra: func(ctx context.Context, req *mcp.CallToolRequest, q Query) (any, error) {
			// A user has one selection, whose id each call derives again. A caller
			// without a user gets a random id, which is as private as the chat.
			id, ok := viewstate.For(ctx, req, secret, "selected orders")
			if !ok {
				id = viewstate.New()
			}
			return Listed{Found: b.count(q), Selection: id}, nil
		},
	})
	// For the view: keeps the selection, so that it survives a reload.
	viewstate.Register(server, store, nil)

	// For the model: opens a form that shows what will change. The user confirms it
	// with change_orders_submit, which this registers too. The list opens the same
	// form for the selected orders.
	destructive, openWorld := true, false
	viewform.Register(server, &mcp.Tool{
		Name:        "change_orders",
		Title:       "Change orders",
		Description: "Sets the status of many orders, after the user has confirmed it.",
		InputSchema: changeSchema(),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &destructive, IdempotentHint: true, OpenWorldHint: &openWorld},
	}, changeView, viewform.Form[Change, Changed]{
		Store: store,
		Do: func(_ context.Context, _ *mcp.CallToolRequest, c Change) (*mcp.CallToolResult, Changed, error) {
			done, err := b.change(c)
			if err != nil {
				return nil, Changed{}, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: done.text()}}}, done, nil
		},
	})
	// For the view: the number of orders and the first ones, before the user confirms.
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "preview_change",
		Title:       "Preview change",
		Description: "Returns which orders a change would change.",
		InputSchema: changeSchema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, mcpapps.AppOnly(""), func(_ context.Context, _ *mcp.CallToolRequest, c Change) (*mcp.CallToolResult, Effect, error) {
		effect, err := b.effect(c)
		return nil, effect, err
	})
	return server
}

// newSecret returns a secret for one process.
func newSecret() []byte {
	secret := make([]byte, 32)
	rand.Read(secret)
	return secret
}

// querySchema returns the input schema of a query. The SDK and viewdata enforce it.
func querySchema() *jsonschema.Schema {
	schema := must(jsonschema.For[Query](nil))
	schema.Properties["search"].MaxLength = jsonschema.Ptr(200)
	schema.Properties["status"].Enum = words(statuses)
	schema.Properties["sort"].Enum = words(slices.Sorted(maps.Keys(columns)))
	return schema
}

// changeSchema returns the input schema of a change. The view does not let the user
// select more orders than it allows.
func changeSchema() *jsonschema.Schema {
	schema := must(jsonschema.For[Change](nil))
	// What is inferred from a slice allows null.
	schema.Properties["orders"].Types, schema.Properties["orders"].Type = nil, "array"
	schema.Properties["orders"].MaxItems = jsonschema.Ptr(1000)
	schema.Properties["city"].MaxLength = jsonschema.Ptr(100)
	schema.Properties["from"].Enum = words(statuses)
	schema.Properties["to"].Enum = words(statuses)
	return schema
}

// words returns the values of an enum.
func words(of []string) (enum []any) {
	for _, w := range of {
		enum = append(enum, w)
	}
	return enum
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("orders: %v", err))
	}
	return v
}
