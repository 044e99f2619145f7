package oldformats

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNote(t *testing.T) {
	for s, want := range map[string]string{
		"text/html+mcp":                     ", which drafts of this specification used",
		"text/html;profile=mcp":             ", which drafts of this specification used",
		`Text/HTML; profile="mcp"`:          ", which drafts of this specification used",
		"text/vnd.mcp.ui+html":              ", which MCP-UI and early drafts of this specification used",
		"text/html+skybridge":               ", which the OpenAI Apps SDK used before MCP Apps",
		"text/html":                         ", which plain HTML and MCP-UI resources have",
		"text/html; charset=utf-8":          ", which plain HTML and MCP-UI resources have",
		"text/uri-list":                     ", which MCP-UI resources have",
		"application/vnd.mcp-ui.remote-dom": ", which MCP-UI resources have",
		"text/html;profile=mcp-app":         "",
		"te xt/html":                        "",
		"text/plain":                        "",
		"":                                  "",
	} {
		assert.Equal(t, want, Note(s), "%q", s)
	}
}
