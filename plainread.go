package mcpapps

import (
	"encoding/json"
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/plainread"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainRead returns r as a plainread.Result if r has only text contents and one of
// them is an app; otherwise it returns r. The members beside the contents are
// taken from the SDK's own encoding of r without its contents. If a later SDK
// adds one, plainRead returns r.
func plainRead(r *mcp.ReadResourceResult) mcp.Result {
	if r.InputRequests != nil || r.RequestState != "" || len(r.Contents) == 0 {
		return r
	}
	contents := make([]plainread.Contents, len(r.Contents))
	app := false
	for i, c := range r.Contents {
		if c == nil || c.Blob != nil || c.Text == "" {
			return r
		}
		app = app || isApp(c.URI, c.MIMEType)
		contents[i] = plainread.Contents{URI: c.URI, MIMEType: c.MIMEType, Text: c.Text, Meta: c.Meta}
	}
	if !app {
		return r
	}
	bare := *r
	bare.Contents = nil
	bare.Meta = nil
	data, err := json.Marshal(&bare)
	if err != nil {
		return r
	}
	p := &plainread.Result{Contents: contents}
	if !p.SetEnvelope(data) {
		return r
	}
	p.Meta = maps.Clone(r.Meta) // the SDK writes the server's name there
	return p
}
