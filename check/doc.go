// Package check finds what hosts reject, ignore or misread in a server's MCP Apps:
// what is wrong, where, which hosts it breaks, and how to mend it. Most faults of an
// app show as a blank frame without a message.
//
// [Server] checks an *mcp.Server in the same process, in every protocol version
// that it offers; [Target] a command or a URL, in whatever language the server is
// written; [Session] a session that is already connected, of which it can't see the
// wire; [Document] one HTML file. Each returns a [Report].
//
// The checks read what the server sends, as it is on the wire. In documents they
// read addresses in HTML and CSS, and literal arguments of fetch and the like.
// What a script computes or sends is seen only by [Options.Live], which runs it in
// a browser. Tools are called only if [Options.Calls] names their arguments, or if
// they say that they only read and need no argument, or no other than ChatGPT gives
// them on its own for settings and mentions.
//
// With [Options.Hosts] a report also says how each app fares on real hosts, as far as
// package compat knows them: [Report.Hosts]. What an app needs of a host is read from
// its declaration and the calls in its scripts, and with Options.Live seen in its view.
//
// Every finding has the code of a [Rule], such as "resource-media-type", which is
// never renamed or reused. [Rules] lists them, and docs/checks.md describes each with
// an example that raises it and one that does not. The file rules_AREA.go declares
// the rules of an area next to the code that raises them. Messages are for people and
// may change. They quote text from the server.
package check
