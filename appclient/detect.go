package appclient

import (
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Kind is a way in which a tool or its result has a user interface.
type Kind int

const (
	// KindNone means that there is no user interface.
	KindNone Kind = iota
	// KindMCPApp means an MCP App, named by _meta.ui.resourceUri or by the
	// deprecated flat key.
	KindMCPApp
	// KindOpenAI means a template of the OpenAI Apps SDK, named by
	// _meta["openai/outputTemplate"]. Such documents have another media type and
	// policy; [ReadApp] reads only those that are MCP Apps too.
	KindOpenAI
	// KindEmbedded means a ui:// resource embedded in a result's content, as
	// MCP-UI servers return it.
	KindEmbedded
)

// String returns the name of the kind, such as "MCP App".
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

// DetectUI returns the kind of user interface that a tool or its result has, and
// its ui:// URI, which is empty for [KindNone]. If there are several, an MCP App
// takes precedence over an OpenAI template, that over an embedded resource, and
// the tool's metadata over the result's. Either argument may be nil. Values that
// are not ui:// URIs are ignored.
//
// It is for hosts and gateways that choose between renderers. A host that shows
// only MCP Apps uses [mcpapps.ToolUI].
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
		if uri, ok := meta[metakey.OpenAITemplate].(string); ok && appuri.Validate(uri) == nil {
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
