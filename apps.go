// Package mcpapps adds MCP Apps to servers on the official Go SDK
// (github.com/modelcontextprotocol/go-sdk): tools that open an interactive view
// inside the chat. It implements the extension io.modelcontextprotocol/ui,
// SEP-1865, revision 2026-01-26.
//
// It extends the *mcp.Server that you have. An app is a ui:// resource that holds
// an HTML document, and a tool names its URI:
//
//		mcpapps.RegisterApp(server, &mcp.Tool{Name: "greet", Description: "Greet somebody."}, mcpapps.View{
//			Resource: mcp.Resource{URI: "ui://hello/index.html", Name: "hello"},
//			Document: bundle.Handler(ui, "ui/index.html", nil),
//		}, greet)
//
//	  - [RegisterApp] adds a tool together with the [View] that it opens;
//	    [RegisterAppTool] and [RegisterAppResource] add the two separately. The
//	    first such call makes the server advertise the extension.
//	  - [ClientSupportsUI] tells a handler whether the client shows apps, and
//	    [TextFor] chooses the text accordingly. A result always has text.
//	  - [Enable] sets [Options] for a whole server. Most servers need none.
//
// A program that keeps its tools as values and registers them later uses
// [ToolMeta] in the tool's literal, or [SetToolUI] on the tool, and calls Enable
// on the server.
//
// One declaration reaches every place that hosts read: the list entry and the
// content item of resources/read have the same _meta.ui, and a tool has the flat
// key [LegacyResourceURIKey] in addition to the nested one, because some hosts
// read only that. Visibility is always written out.
//
// Every client gets the same lists unless an option changes that: hiding
// app-only tools from the model is the host's duty, and some hosts show apps
// without declaring it.
//
// Package bundle makes the document from a folder of HTML, scripts and styles, and
// package mcpappstest checks the result in go test. Programs that read apps as a
// client use package appclient; hosts that show them use package host.
//
// # Mistakes
//
// A mistake in a registration panics, as in [mcp.AddTool], with a message that
// names the tool or resource, the value, and the remedy, and registers nothing. The
// same checks are available as errors from [ToolUIMetadata.Validate],
// [ResourceUIMetadata.Validate], [View.Validate] and [SetToolUI]. Input from the wire causes
// errors, never a panic, and a read that hosts would show as a blank frame fails.
//
// # Memory and concurrency
//
// All functions are safe for concurrent use. Values given to a registration are
// copied and never written to. The package's state for a server is collected
// with the server, so a new server for each request leaks nothing. Nothing that
// one client sent is served to another.
//
// # Compatibility
//
// The package follows semantic versioning from v1 on. Each undocumented behaviour
// of the SDK that it relies on has a test that names it.
package mcpapps

// ExtensionID names the MCP Apps extension in the "extensions" capability of
// clients and servers.
const ExtensionID = "io.modelcontextprotocol/ui"

// SpecVersion is the revision of the MCP Apps specification (SEP-1865) that
// this package implements.
const SpecVersion = "2026-01-26"

// LegacyResourceURIKey is the flat key of a tool's _meta that preceded the
// nested _meta.ui.resourceUri. The specification deprecates it; some hosts still
// read only this key.
const LegacyResourceURIKey = "ui/resourceUri"
