// Package view holds the view runtime: the script with which an app's document
// speaks to its host. It has the classes, methods and results of the reference,
// the npm package @modelcontextprotocol/ext-apps, in a few kilobytes, without
// dependencies, and runs under the policy that a host applies to a view that
// declares none. A view moves between the two by changing its import.
//
// Most authors never call this package: package bundle puts the runtime into a
// document whose script imports "mcp-app". It is here for those who put a
// document together themselves, for the types, and for [Data].
//
// The runtime implements revision 2026-01-26 of the specification and what the
// reference adds to it. It differs from version 2.0.4 of the reference in these
// points, and is tested to send the same messages in the same order otherwise:
//
//   - A host may refuse openLink, sendMessage and downloadFile with an error or
//     with a result that has isError. Both are {isError: true} to the view; of
//     an error the result's field error holds it.
//   - What a notification's handler or listener throws is on the console where no
//     onerror is set, in place of nowhere.
//   - A view without onteardown is torn down: the answer is {}, not an error.
//   - A change of height in the same frame as one of the window's, which heights
//     in vh units make whenever the host applies a report, is reported a tenth of
//     a second later, and twice at most while nothing else changes: in the
//     reference it goes on for ever.
//   - Content that outgrows a body of fixed height (100%) is reported too.
//   - Notifications about the tool that come before their first listener wait
//     for it, the last 32 of them. So nothing warns of late listeners; the option
//     strict still refuses them.
//   - The schemas of registerTool may be plain JSON Schema. Arguments are then
//     passed on as they came.
//   - The option traceContext gives the W3C trace context that requests to the
//     server carry in _meta.
//   - There are no Zod schemas, and so none of the deprecated handlers that are
//     registered by one. Of what the host sends only the outer shape is checked.
//   - Errors have the names and codes of the reference, not its messages, where
//     these stay in the view.
//   - A handler that returns nothing is answered {}, which the reference sends
//     as a reply without a result.
package view

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:generate go run ../internal/viewgen .

//go:embed mcp-app.min.js
var script string

//go:embed mcp-app-react.min.js
var reactScript string

//go:embed mcp-app.d.ts
var types string

//go:embed mcp-app-react.d.ts
var reactTypes string

// Script returns the runtime: an ES module in ASCII, at most 5,120 bytes when
// compressed by gzip -9, that exports what [Types] declares. It is what a bundler
// has to take for "mcp-app", as package bundle does; other scripts of a document
// can't import it, since a view has nowhere to load it from. Nothing in it would
// end a script element.
func Script() string { return script }

// Types returns the TypeScript declarations of the runtime, of the ambient
// module "mcp-app", and of the MCP types that views use. A file with this text
// among the sources of a view is all that a compiler or an editor needs; the
// name of the reference package is declared with it, so that views which import
// that check too.
func Types() string { return types }

// ReactScript returns the React hooks of the reference's ext-apps/react: an ES
// module in ASCII, at most 1,024 bytes when compressed by gzip -9, that imports
// "react" and "mcp-app" and exports what [ReactTypes] declares, with all that
// "mcp-app" exports.
func ReactScript() string { return reactScript }

// ReactTypes returns the TypeScript declarations of the hooks, of the ambient
// module "mcp-app/react". They need those of [Types] and @types/react.
func ReactTypes() string { return reactTypes }

// Data returns v as JSON that can stand in a script element of an HTML
// document, whatever v holds: the characters <, >, &, U+2028 and U+2029 are
// escaped in it, so that it neither ends the element nor starts an HTML comment.
//
// A view reads it best as data:
//
//	<script type="application/json" id="data">…</script>
//	<script type="module">
//		const data = JSON.parse(document.getElementById("data").textContent)
//
// As an expression in a script it is right too, except that a key "__proto__"
// sets the prototype there. With html/template write it as a template.JS. It is
// not escaped for attributes or for text outside of scripts.
//
// The error is that of [json.Marshal], with the type of v.
func Data(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("view.Data: %T: %w", v, err)
	}
	return string(data), nil
}
