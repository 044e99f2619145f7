// Package preview is a web page that shows a server's MCP Apps in a real
// browser, for their authors. "mcpapps preview" serves it.
//
// [Serve] serves it until a context ends, [Start] until [Preview.Close]. The
// page lists the server's tools, calls them with arguments from a form, shows
// their views, and records every message in both directions and everything that
// a view's policy blocks. It needs no network and no npm.
//
// The package uses nothing of package host that other programs can't use:
// what a page of one's own needs is [host.Connection], [host.Bridge] and
// [host.SandboxHandler].
//
// # Programs that look at views
//
// [Preview.ViewURL] is the address of a page that shows one view alone, and
// [Options.Event] tells the program what happens in it, so that tests and checks
// need not read the page.
//
// # Security
//
// The page and each view have origins of their own on loopback: the page is
// http://localhost:PORT, and a view http://NAME.localhost:PORT+1, with a name
// that can't be guessed. Requests must name these hosts, so that a name that is
// bound to the address later (DNS rebinding) reaches nothing. The page's
// commands carry its origin, its media type and the token of this run, none of
// which a page of another site can send.
package preview
