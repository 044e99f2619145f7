// Package host is the host's half of MCP Apps (SEP-1865, revision 2026-01-26)
// for programs on the official Go SDK's client: an agent, a desktop
// application, a web backend that shows an app's view to its user.
//
// Three parts do the work:
//
//   - [Connect] makes the connection to a server and keeps what a bare
//     [mcp.ClientSession] loses: results byte for byte, progress in the order of
//     the wire, the reason of a cancellation. A server that floods, hangs or
//     dies affects nothing else.
//   - [Bridge] is the host's end of one open view, over any message transport.
//     [Connection.Open] calls a tool and returns the bridge of its view; the
//     program carries messages between the bridge and the frame that shows the
//     view.
//   - [SandboxHandler] serves the frames to a program whose views are on a web
//     page of its own, each view under the policy that its metadata asks for.
//
// Package preview is built on this package: a web page that shows a server's
// apps in a real browser, for their authors.
//
// # Who decides what
//
// A bridge forwards a view's tools/call, resources/read and lists to the one
// server connection that owns the view, and to no other. It refuses tools whose
// visibility lacks "app", resources outside ui:// unless the program allows
// them, links that are not http or https, and every method it does not know.
// What needs a person or a policy (consent, links, messages, model context,
// downloads, display modes, sampling) is a callback in [BridgeOptions]; what has
// no callback is refused, and not advertised to the view. What the server asks
// for (elicitation, sampling, roots) goes to the handlers in
// ConnectOptions.Client, as in any client of the SDK.
//
// # Other hosts
//
// [BridgeOptions.Emulation] makes a bridge behave as another host does: what that
// advertises, refuses, never sends, honours of a policy, and leaves of a result.
// [Emulate] makes it from a profile of package compat.
//
// # Bounds
//
// Every wait and every queue is bounded: by [Limits] for a view, by
// [ConnectOptions] for a server. Each field states its default.
//
// # Concurrency
//
// All methods are safe for concurrent use. A bridge answers from the goroutine
// that called [Bridge.Receive] where it can and starts one where it must wait;
// it sends in order and never concurrently. A view whose transport blocks delays
// only itself. What runs for a view or a server is cancelled when it is closed,
// and its goroutines end, except those in a callback that does not return. A
// panic in a callback is not recovered.
package host
