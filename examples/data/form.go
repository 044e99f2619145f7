package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type Invitation struct {
	Email string `json:"email"`
}

type Sent struct {
	Number int64 `json:"number"`
}

// addInvitation adds a tool that does its work when the user has confirmed it.
func addInvitation(server *mcp.Server) {
	var sent atomic.Int64
	viewform.Register(server, &mcp.Tool{
		Name:        "invite",
		Description: "Sends an invitation, after the user has confirmed it in a form.",
	}, page("form"), viewform.Form[Invitation, Sent]{
		Store: viewstate.NewMemory(nil), // of all replicas: NewSQL
		Do: func(_ context.Context, _ *mcp.CallToolRequest, in Invitation) (*mcp.CallToolResult, Sent, error) {
			out := Sent{sent.Add(1)} // once for each form, however often it is submitted
			text := fmt.Sprintf("Invitation %d was sent to %s.", out.Number, in.Email)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, out, nil
		},
	})
}
