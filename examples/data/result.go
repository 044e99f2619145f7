package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type Year struct {
	Year int `json:"year"`
}

// Total is for the model.
type Total struct {
	Total int `json:"total"`
}

// addSales adds a tool whose view shows more than the model reads.
func addSales(server *mcp.Server) {
	viewdata.Register(server, &mcp.Tool{
		Name:        "show_sales",
		Description: "Shows the sales of each hour of a year.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, page("result"), func(_ context.Context, _ *mcp.CallToolRequest, in Year) (viewdata.Result[Total, []int], error) {
		hours, total := make([]int, 365*24), 0 // for the view: too large for the result
		for i := range hours {
			hours[i] = (i*i + in.Year) % 17
			total += hours[i]
		}
		return viewdata.Result[Total, []int]{
			Text:     fmt.Sprintf("%d were sold in %d. The hours are on screen.", total, in.Year),
			FullText: fmt.Sprintf("%d were sold in %d, at most %d in one hour.", total, in.Year, slices.Max(hours)),
			Out:      Total{total},
			Data:     hours,
		}, nil
	}, nil)
}
