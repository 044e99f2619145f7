package main

import (
	"context"
	"crypto/rand"

	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Board is for the view: the id of its state.
type Board struct {
	State string `json:"state"`
}

// addBoard adds a tool whose view keeps what the user types.
func addBoard(server *mcp.Server) {
	viewstate.Register(server, viewstate.NewMemory(nil), nil) // NewSQL: outlasts the process
	secret := []byte(rand.Text())                             // so would a secret of yours

	viewdata.Register(server, &mcp.Tool{
		Name:        "show_board",
		Description: "Shows the user's notes.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, page("state"), func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (viewdata.Result[struct{}, Board], error) {
		id, ok := viewstate.For(ctx, req, secret, "board") // the user's only one
		if !ok {
			id = viewstate.New() // without a user: that of this result
		}
		return viewdata.Result[struct{}, Board]{Text: "The notes are on screen.", Data: Board{id}}, nil
	}, nil)
}
