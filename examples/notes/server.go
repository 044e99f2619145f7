package main

import (
	"embed"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// To update ui/tools.d.ts: MCPAPPS_UPDATE=1 go test -run TestToolTypes
//
//go:embed ui
var files embed.FS

// newServer returns an MCP server for the notes. They belong to one user: whoever can
// connect to it is that user. If local is true, the host is on the same machine, and the
// server reads files beside those that the host opens, as the host names them.
func newServer(notes *store, local bool) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Title: "Notes", Version: "1.0.0", Icons: icons}, nil)
	// Before the tools, so that ChatGPT also finds the older keys of its Apps SDK.
	openai.EnableAliases(server)
	addBoard(server, notes)
	addFiles(server, local)
	addMove(server, notes, openai.NewForms(nil))
	addPreferences(server, notes)
	addMentions(server, notes)
	addNotes(server, notes)
	return server
}

// annotations returns the three that ChatGPT requires of each tool. None of the tools
// here has to do with anything but the notes.
func annotations(readOnly, destructive bool) *mcp.ToolAnnotations {
	openWorld := false
	return &mcp.ToolAnnotations{ReadOnlyHint: readOnly, DestructiveHint: &destructive, OpenWorldHint: &openWorld}
}

// icons are one of a single color, which ChatGPT draws in its own.
var icons = []mcp.Icon{{
	Source:   `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20' fill='none' stroke='%23000' stroke-width='1.33' stroke-linejoin='round'%3E%3Cpath d='M4 3h12v9l-5 5H4zM16 12h-5v5'/%3E%3C/svg%3E`,
	MIMEType: "image/svg+xml",
	Sizes:    []string{"20x20"},
}}

// text returns the result of a tool that says something and has no data.
func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// inferred returns the schema of a type, to be made stricter.
func inferred[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err)
	}
	return schema
}

// words returns the values of an enum.
func words(of []string) (enum []any) {
	for _, w := range of {
		enum = append(enum, w)
	}
	return enum
}
