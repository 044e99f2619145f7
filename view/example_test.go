package view_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/view"
)

func ExampleScript() {
	// For a bundler of one's own: a file that "mcp-app" stands for.
	dir, err := os.MkdirTemp("", "view")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "mcp-app.js"), []byte(view.Script()), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(view.Script(), " as App,"))
	// Output: true
}

func ExampleTypes() {
	// Written beside the sources of a view, as mcp-app.d.ts for example.
	fmt.Println(strings.Contains(view.Types(), `declare module "mcp-app"`))
	// Output: true
}

func ExampleReactScript() {
	fmt.Println(strings.Contains(view.ReactScript(), `from"react"`))
	// Output: true
}

func ExampleReactTypes() {
	fmt.Println(strings.Contains(view.ReactTypes(), `declare module "mcp-app/react"`))
	// Output: true
}

func ExampleData() {
	data, err := view.Data(map[string]any{"title": "</script>", "rows": []int{1, 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(`<script type="application/json" id="data">` + data + `</script>`)
	// Output: <script type="application/json" id="data">{"rows":[1,2],"title":"\u003c/script\u003e"}</script>
}

func ExampleToolTypes() {
	type input struct {
		City string `json:"city" jsonschema:"where"`
		Days int    `json:"days,omitempty"`
	}
	type output struct {
		Celsius []float64 `json:"celsius"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "forecast", Description: "The next days"},
		func(ctx context.Context, req *mcp.CallToolRequest, in input) (*mcp.CallToolResult, output, error) {
			return nil, output{}, nil
		})

	// The tools as a client sees them.
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "types", Version: "1.0.0"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	types, err := view.ToolTypes(list.Tools)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(types)
	// Output:
	// // The tools of the server, for app.callServerTool. Made by view.ToolTypes.
	//
	// declare module "mcp-app" {
	//   interface ServerTools {
	//     /** The next days */
	//     forecast: {
	//       arguments: {
	//         /** where */
	//         city: string;
	//         days?: number;
	//       };
	//       structuredContent: {
	//         celsius: number[] | null;
	//       };
	//     };
	//   }
	// }
}
