package tooltypes_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
)

func ExampleDeclare() {
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
	types, err := tooltypes.Declare(list.Tools)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(types)
	// Output:
	// // The tools of the server, for app.callServerTool. Written by mcpapps types.
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
