// Package check says what hosts will reject or misread in a server's MCP Apps:
// what is wrong, where, which hosts it breaks, and how to mend it. Most faults
// of an app show as a blank frame and no message; the findings of this package
// are those faults, named.
//
// [Server] checks an *mcp.Server in the same process, on every protocol version
// that it speaks; [Target] a command or a URL, in whatever language the server
// is written; [Session] a session that is already connected, of which it can't
// see the wire; [Document] one HTML file. Each returns a [Report].
//
// The checks read what the server serves, as it stands on the wire, and are
// silent wherever reading can't be precise: addresses in HTML and CSS, literal
// arguments of fetch and the like, literal messages and tool names are read;
// addresses that a script computes are not. Scripts are run only by
// [Options.Live], in a browser. Tools are called only where [Options.Calls] names their arguments, or where a tool says
// that it is read-only and needs none.
//
// Every finding has a code, such as "resource-media-type", that is never renamed
// or reused; [Rules] lists them, and docs/checks.md describes each with an
// example that raises it and one that does not. Messages are for people and may
// change. Text that came from the server is quoted in them.
package check
