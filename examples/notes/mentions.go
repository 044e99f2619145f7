package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addMentions lets users mention notes in their messages.
func addMentions(server *mcp.Server, notes *store) {
	openai.RegisterMentions(server, &mcp.Tool{
		Name:        "search_notes",
		Title:       "Search notes",
		Description: "Finds the notes whose title or text contains a text.",
		Annotations: annotations(true, false),
	}, func(_ context.Context, _ *mcp.CallToolRequest, query string) (links []*mcp.ResourceLink, err error) {
		d, err := notes.read()
		for _, n := range d.Notes {
			if len(links) < 30 && strings.Contains(strings.ToLower(n.Title+"\n"+n.Text), strings.ToLower(query)) {
				links = append(links, &mcp.ResourceLink{URI: noteURI(n.ID), Name: fmt.Sprintf("note-%d", n.ID), Title: n.Title, MIMEType: "text/plain"})
			}
		}
		return links, err
	})
}

// noteURI returns the URI of a note.
func noteURI(id any) string { return fmt.Sprint("notes://n/", id) }

// addNotes lets clients read the notes that mentions name.
func addNotes(server *mcp.Server, notes *store) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: noteURI("{id}"), Name: "note", Title: "Note", MIMEType: "text/plain"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			d, err := notes.read()
			if err != nil {
				return nil, err
			}
			id, err := strconv.Atoi(strings.TrimPrefix(req.Params.URI, noteURI("")))
			n := d.find(id)
			if err != nil || n == nil {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: n.Title + "\n\n" + n.Text}}}, nil
		})
}
