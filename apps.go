// Package mcpapps adds MCP Apps to servers on the official Go SDK
// (github.com/modelcontextprotocol/go-sdk): tools that open an interactive view
// inside the chat. It implements the extension io.modelcontextprotocol/ui,
// SEP-1865, revision 2026-01-26.
//
// It works on the *mcp.Server that you have. An app is a ui:// resource with an
// HTML document, and a tool points at it:
//
//   - [RegisterApp] adds a tool together with the [View] that it opens;
//     [RegisterAppTool] and [RegisterAppResource] add the two one by one. The
//     first of them makes the server advertise the extension.
//   - [ClientSupportsUI] tells a handler whether the client shows apps, and
//     [TextFor] picks the text for it. A result always carries text.
//   - [Enable] sets options for a whole server. None is needed.
//
// Servers that keep their tools as values use [ToolMeta] in a tool's literal,
// or [SetToolUI] on it, and call Enable on the server.
//
// One declaration goes to every place that hosts look at: the same _meta.ui
// stands on the list entry and on the content item of resources/read, and tools
// carry the flat key [LegacyResourceURIKey] beside the nested one, since hosts
// exist that read nothing else. Visibility is always explicit.
//
// Lists are the same for all clients unless an option says otherwise: keeping
// app-only tools from the model is the host's duty, and a host that shows apps
// may not have said so.
//
// # Mistakes
//
// A mistake in a registration panics, as in [mcp.AddTool], with a message that
// names the tool or resource, the value, and the remedy. The same checks are
// errors of [ToolUIMetadata.Validate], [ResourceUIMetadata.Validate] and
// [SetToolUI]. What comes off the wire returns errors and never panics, and a
// read that would show a blank frame fails instead.
//
// # Memory and concurrency
//
// All functions are safe for concurrent use. Values given to a registration are
// copied and never written to. What the package knows of a server goes when the
// server does, so a server for each request is fine, and nothing that one
// client sent is ever served to another.
//
// # Compatibility
//
// The package follows semantic versioning from v1 on. What it relies on in the
// SDK beyond its documentation is pinned by tests that name it.
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
