// Package oldformats tells which format a media type belongs to that servers send for
// a user interface and that is not an app's.
package oldformats

import "mime"

// The formats of user interfaces before MCP Apps, by their media types without
// parameters.
var formats = map[string]string{
	"text/html+mcp":                     drafts,
	"text/vnd.mcp.ui+html":              "MCP-UI and early drafts of this specification used",
	"text/html+skybridge":               "the OpenAI Apps SDK used before MCP Apps",
	"text/html":                         "plain HTML and MCP-UI resources have",
	"text/uri-list":                     mcpUI,
	"application/vnd.mcp-ui.remote-dom": mcpUI,
}

const (
	drafts = "drafts of this specification used"
	mcpUI  = "MCP-UI resources have"
)

// Note returns who used or uses a media type, in any spelling, for a message that
// rejects it: ", which drafts of this specification used". It returns "" for a
// media type that it does not know, and for the one of apps.
func Note(s string) string {
	typ, params, err := mime.ParseMediaType(s)
	if err != nil {
		return ""
	}
	who := formats[typ]
	if typ == "text/html" {
		switch params["profile"] {
		case "mcp-app":
			return ""
		case "mcp":
			who = drafts
		}
	}
	if who == "" {
		return ""
	}
	return ", which " + who
}
