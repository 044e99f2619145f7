// Package viewdata delivers a tool's data to its view, whatever a host does to results.
//
// Hosts drop structured content or _meta, empty a result when a chat is opened again,
// and replace results of more than about 150,000 characters by a pointer. Each function
// here therefore registers, next to the tool that the model calls, a tool for the view
// only, the twin: the view asks it for what did not arrive.
//
// [Register] is for a result with one value for the view. The model reads Text, or
// FullText where there are no views, and the small Out. Data goes into _meta while it is small. The twin of a tool NAME is
// NAME_data. If the tool only reads, its twin takes the same input and runs the same
// handler, so nothing is stored. If the tool does more, nothing may run it again: Data
// is kept in a store under a random id, and the twin returns what is stored.
//
// [RegisterPages] is for rows that do not fit into one result, and [RegisterLive] for a
// value that views poll. In the view, resultData, pages and subscribe of mcp-app/data
// are the other half.
//
// Some hosts show the model the tools that are for views only, and all of them are open
// to whoever may call the tool itself. What a caller may see is decided by the handler,
// which runs, or has run, with that caller's request.
package viewdata
