package appclient

import (
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Kind is a way of attaching a user interface to a tool or its result.
type Kind int

const (
	// KindNone is no user interface.
	KindNone Kind = iota
	// KindMCPApp is this extension's: _meta.ui.resourceUri, or the deprecated
	// flat key.
	KindMCPApp
	// KindOpenAI is the OpenAI Apps SDK's: _meta["openai/outputTemplate"]. Its
	// documents have a media type and a policy of their own, so [ReadApp]
	// refuses those that are not MCP Apps too.
	KindOpenAI
	// KindEmbedded is a ui:// resource embedded in a result's content, as
	// MCP-UI servers send it.
	KindEmbedded
)

// String returns the kind's name in words.
func (k Kind) String() string {
	switch k {
	case KindMCPApp:
		return "MCP App"
	case KindOpenAI:
		return "OpenAI Apps SDK"
	case KindEmbedded:
		return "embedded resource"
	default:
		return "none"
	}
}

const openAITemplateKey = "openai/outputTemplate"

// DetectUI returns which kind of user interface a tool or its result carries,
// and the ui:// URI: an MCP App before an OpenAI template, that before an
// embedded resource, and the tool's word before the result's. Either may be
// nil. Values that are not ui:// URIs do not count. KindNone comes with "".
//
// It says what is there, for hosts and gateways that choose a renderer. A host
// that shows MCP Apps alone goes by [mcpapps.ToolUI].
func DetectUI(t *mcp.Tool, r *mcp.CallToolResult) (kind Kind, uri string) {
	var metas [2]mcp.Meta
	if t != nil {
		metas[0] = t.Meta
	}
	if r != nil {
		metas[1] = r.Meta
	}
	for _, meta := range metas {
		if m, _ := mcpapps.ToolUI(&mcp.Tool{Meta: meta}); m.ResourceURI != "" {
			return KindMCPApp, m.ResourceURI
		}
	}
	for _, meta := range metas {
		if uri, ok := meta[openAITemplateKey].(string); ok && appuri.Validate(uri) == nil {
			return KindOpenAI, uri
		}
	}
	if r != nil {
		for _, c := range r.Content {
			e, ok := c.(*mcp.EmbeddedResource)
			if ok && e != nil && e.Resource != nil && appuri.Validate(e.Resource.URI) == nil {
				return KindEmbedded, e.Resource.URI
			}
		}
	}
	return KindNone, ""
}
