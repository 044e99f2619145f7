package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type Line struct {
	Line string `json:"line"`
}

type Station struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
}

const stations = 1000

// addStations adds a tool whose view fetches a long list by the page.
func addStations(server *mcp.Server) {
	viewdata.RegisterPages(server, &mcp.Tool{
		Name:        "list_stations",
		Description: "Lists the stations of a line.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, page("pages"), func(_ context.Context, in Line, p viewdata.Page) (rows []Station, next string, err error) {
		after, _ := strconv.Atoi(p.Cursor) // "" for the first page; clients can't change it
		for n := after + 1; n <= stations && len(rows) < p.Size; n++ {
			rows = append(rows, Station{n, fmt.Sprintf("%s %d", in.Line, n)})
		}
		if last := after + len(rows); last < stations {
			next = strconv.Itoa(last)
		}
		return rows, next, nil
	}, nil)
}
