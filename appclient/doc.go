// Package appclient is the client side of MCP Apps for programs that list and
// read apps and do not show them, such as agents and gateways. It works on the
// client of the official Go SDK. To show apps, use package host.
//
//   - [EnableClient] declares to servers that the client shows apps.
//   - [ListToolsForModel] lists the tools that the model may see; [ModelTools]
//     filters a list that the program already has.
//   - [ReadApp] reads an app's document and metadata. Its error distinguishes the
//     reasons why there is no document.
//   - [DetectUI] determines which kind of user interface a tool or a result has.
//
// For a single tool, [mcpapps.ToolUI] returns its declaration, and
// [mcpapps.VisibleTo] reports who may call it.
//
// Servers are not trusted: input from the wire never causes a panic, and every
// wait, count and size has a bound.
package appclient
