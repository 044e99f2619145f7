package appclient

import (
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// EnableClient makes clients that are created with opts declare that they show
// apps: it adds [mcpapps.ExtensionID] with [mcpapps.MIMEType] to
// opts.Capabilities (MCP Apps, Client<>Server Capability Negotiation). The SDK
// sends the capabilities at initialize and, from protocol version 2026-07-28 on,
// with every request.
//
// All other capabilities are kept. If opts.Capabilities is nil, the SDK's
// default, roots with listChanged, is set too, because setting any capability
// turns that default off. The capabilities are replaced by a copy, so a value
// that other options share is not changed. Calling EnableClient again has no
// effect. It panics if opts is nil.
func EnableClient(opts *mcp.ClientOptions) {
	if opts == nil {
		panic("appclient.EnableClient: opts is nil: pass the options that mcp.NewClient gets")
	}
	//lint:ignore SA1019 deprecated, but still the SDK's default
	caps := mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{ListChanged: true}}
	if opts.Capabilities != nil {
		caps = *opts.Capabilities
	}
	settings := map[string]any{}
	if obj, err := jsonvalue.Object(caps.Extensions[mcpapps.ExtensionID]); err == nil && obj != nil {
		settings = maps.Clone(obj)
	}
	types, err := jsonvalue.Strings(settings["mimeTypes"])
	if err != nil {
		types = nil
	}
	if !slices.Contains(types, mcpapps.MIMEType) {
		types = append(types, mcpapps.MIMEType)
	}
	settings["mimeTypes"] = types
	caps.Extensions = maps.Clone(caps.Extensions)
	caps.AddExtension(mcpapps.ExtensionID, settings)
	opts.Capabilities = &caps
}

// ServerSupportsUI reports whether the server declares the extension, in its
// answer to initialize or to server/discover.
//
// Treat the result as a hint only: the specification does not define such a
// declaration, and many servers with apps make none. The listed tools show which
// apps there are.
func ServerSupportsUI(cs *mcp.ClientSession) bool {
	if cs == nil {
		return false
	}
	res := cs.InitializeResult()
	if res == nil || res.Capabilities == nil {
		return false
	}
	settings, ok := res.Capabilities.Extensions[mcpapps.ExtensionID].(map[string]any)
	if !ok || settings == nil {
		return false
	}
	types, err := jsonvalue.Strings(settings["mimeTypes"])
	return err == nil && (len(types) == 0 || slices.ContainsFunc(types, mcpapps.IsMIMEType))
}
