package viewdata_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strconv"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call calls a tool as a host does, and prints what the result has for the model and
// for the view.
func call(s *mcp.Server, tool string, args any) string {
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := s.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer cs.Close()
	res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		log.Fatal(err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	fmt.Println(tool+":", text)
	if res.StructuredContent != nil {
		out, _ := json.Marshal(res.StructuredContent)
		fmt.Println("  structured:", string(out))
	}
	if data := res.Meta["mcpapps/data"]; data != nil {
		meta, _ := json.Marshal(data)
		fmt.Println("  for the view:", string(meta))
	}
	return text
}

var page = mcpapps.View{
	Resource: mcp.Resource{URI: "ui://shop/sales.html"},
	Document: mcpapps.HTML("<!doctype html><title>Sales</title>"),
}

func readOnly(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
}

func ExampleRegister() {
	type Input struct {
		Year int `json:"year"`
	}
	type Total struct {
		Sum int `json:"sum"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "v1.0.0"}, nil)
	viewdata.Register(server, readOnly("show_sales"), page,
		func(ctx context.Context, req *mcp.CallToolRequest, in Input) (viewdata.Result[Total, []int], error) {
			return viewdata.Result[Total, []int]{
				Text:     fmt.Sprintf("60 were sold in %d. The months are on screen.", in.Year), // for the model
				FullText: fmt.Sprintf("60 were sold in %d: 10, 20 and 30 a month.", in.Year),    // where there is no view
				Out:      Total{60},
				Data:     []int{10, 20, 30}, // for the view: resultData(app, show, {tool: "show_sales_data"})
			}, nil
		}, nil)

	call(server, "show_sales", map[string]any{"year": 2026})
	call(server, "show_sales_data", map[string]any{"year": 2026}) // as the view does
	// Output:
	// show_sales: 60 were sold in 2026: 10, 20 and 30 a month.
	//   structured: {"sum":60}
	//   for the view: {"data":[10,20,30]}
	// show_sales_data: {"data":[10,20,30]}
}

func ExampleRegisterPages() {
	type Query struct {
		Search string `json:"search,omitempty"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "v1.0.0"}, nil)
	viewdata.RegisterPages(server, readOnly("list_orders"), page,
		func(ctx context.Context, q Query, p viewdata.Page) (rows []int, next string, err error) {
			from := 0
			if p.Cursor != "" {
				if from, err = strconv.Atoi(p.Cursor); err != nil {
					return nil, "", err
				}
			}
			for i := from; i < from+p.Size && i < 3; i++ {
				rows = append(rows, i)
			}
			if from+p.Size < 3 {
				next = strconv.Itoa(from + p.Size)
			}
			return rows, next, nil
		},
		&viewdata.PageOptions[Query, int]{
			Size: 2, InlineBytes: -1,
			Key:   []byte("the same in all replicas"),
			Extra: func(context.Context, *mcp.CallToolRequest, Query) (any, error) { return 3, nil }, // how many there are
			Text: func(_ context.Context, _ *mcp.CallToolRequest, first viewdata.FirstPage[Query, int]) string {
				return fmt.Sprintf("Found %d orders, the first of which is %d.", first.Extra, first.Rows[0])
			},
		})

	call(server, "list_orders", map[string]any{})
	// The view reads the pages: pages(app, {tool: "list_orders_data"}).
	var first struct {
		Data struct{ Next string }
	}
	if err := json.Unmarshal([]byte(call(server, "list_orders_data", map[string]any{})), &first); err != nil {
		log.Fatal(err)
	}
	call(server, "list_orders_data", map[string]any{"view_cursor": first.Data.Next})
	// Output:
	// list_orders: Found 3 orders, the first of which is 0.
	//   structured: {"more":true,"rows":2,"text":"Found 3 orders, the first of which is 0."}
	//   for the view: {"tool":"list_orders_data"}
	// list_orders_data: {"data":{"rows":[0,1],"next":"AnHWhmbeZJZ6ToZbD70SrzI","extra":3}}
	// list_orders_data: {"data":{"rows":[2]}}
}

func ExampleRegisterLive() {
	type Input struct {
		Room string `json:"room"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "house", Version: "v1.0.0"}, nil)
	viewdata.RegisterLive(server, &mcp.Tool{Name: "temperature"},
		func(ctx context.Context, req *mcp.CallToolRequest, in Input) (room string, err error) {
			return in.Room, nil // where users see different rooms, check the user here
		},
		func(ctx context.Context, room string) (celsius float64, err error) {
			return 21.5, nil // once a second for all views of a room
		}, nil)

	// The view does this: subscribe(app, {tool: "temperature", args: {room: "hall"}, onvalue}).
	var first struct{ Version string }
	if err := json.Unmarshal([]byte(call(server, "temperature", map[string]any{"room": "hall"})), &first); err != nil {
		log.Fatal(err)
	}
	call(server, "temperature", map[string]any{"room": "hall", "view_version": first.Version})
	// Output:
	// temperature: {"version":"og-hI9TYl3eC","value":21.5}
	// temperature: {}
}
