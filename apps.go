package mcpapps

// ExtensionID names the MCP Apps extension in the "extensions" capability of
// clients and servers.
const ExtensionID = "io.modelcontextprotocol/ui"

// MIMEType is the media type of every app document (UI Resource Format).
const MIMEType = "text/html;profile=mcp-app"

// SpecVersion is the revision of the MCP Apps specification (SEP-1865) that
// this package implements.
const SpecVersion = "2026-01-26"

// LegacyResourceURIKey is the flat key of a tool's _meta that hosts older than
// the nested _meta.ui.resourceUri read. It is deprecated in the specification;
// some hosts still read nothing else.
const LegacyResourceURIKey = "ui/resourceUri"
