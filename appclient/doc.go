// Package appclient is the client's half of MCP Apps for programs that only
// read apps, such as agents, gateways and tests, on the client of the official
// Go SDK. It starts no processes and shows nothing; package host does.
//
//   - [EnableClient] tells servers that the client shows apps.
//   - [ListToolsForModel] lists the tools that the model may see; [ModelTools]
//     filters a list that the program already has.
//   - [ReadApp] reads the document and the metadata of an app, and its error
//     says what is wrong where there is no document.
//   - [DetectUI] says which kind of user interface a tool or a result carries.
//
// What a single tool declares is [mcpapps.ToolUI], and who may call it
// [mcpapps.VisibleTo].
//
// Servers are not trusted: no function panics on what comes off the wire, every
// wait and every count has a bound, and what is returned is a copy where the
// SDK may hand the same value to others.
package appclient
