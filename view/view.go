// Package view holds the view runtime, the script through which an app's document
// communicates with its host. A view is one HTML document:
//
//	<!doctype html>
//	<meta name="color-scheme" content="light dark">
//	<p id="greeting">…</p>
//	<script type="module">
//	  import { App } from "mcp-app";
//	  const app = new App({ name: "hello", version: "1.0.0" });
//	  app.ontoolresult = ({ structuredContent, content }) => {
//	    document.querySelector("#greeting").textContent = structuredContent?.greeting ?? content[0]?.text;
//	  };
//	  await app.connect();
//	</script>
//
// Package bundle puts the runtime into such a document. Most authors therefore
// never call this package; it is for those who assemble a document themselves, for
// the types, and for [Data]. The guide docs/views.md shows input, calls of tools,
// themes, sizes and more.
//
// # The runtime
//
// The runtime has the classes, methods and results of the reference, the npm package
// @modelcontextprotocol/ext-apps, in a few kilobytes and without dependencies. It
// runs under the policy that hosts apply to a view that declares none. To move a
// view between the two, change its import, or leave it: package bundle resolves
// both names to this runtime.
//
// The runtime implements revision 2026-01-26 of the specification and the
// reference's additions to it. Tests show that it sends the same messages in the
// same order as version 2.0.4 of the reference, except that:
//
//   - A host may refuse openLink, sendMessage and downloadFile with an error or
//     with a result that has isError. The view gets {isError: true} for both; for
//     an error, the result's field error holds it.
//   - An exception from a notification's handler or listener is logged to the
//     console if there is no onerror. The reference discards it.
//   - A view without onteardown answers the host's teardown with {}, not with an
//     error.
//   - Elements with heights in vh units change size whenever the host applies a
//     size report. Such a change, in the same frame as one of the window, is
//     reported 0.1 seconds later, and at most twice while nothing else changes.
//     The reference repeats it for ever.
//   - Content that is taller than a body of fixed height (100%) is reported.
//   - Notifications about the tool that arrive before their first listener are
//     kept for it, up to the last 32. There is therefore no warning about late
//     listeners; the option strict still rejects them.
//   - The schemas of registerTool may be plain JSON Schema. Arguments are then
//     not validated.
//   - The option traceContext provides the W3C trace context that requests to
//     the server have in _meta.
//   - There are no Zod schemas, and none of the deprecated handlers that are
//     registered with one. Only the outer shape of the host's messages is checked.
//   - Errors that stay in the view have the names and codes of the reference, but
//     other messages.
//   - The answer for a handler that returns nothing is {}. The reference sends a
//     response without a result.
package view

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:generate go run ../internal/viewgen ..

//go:embed mcp-app.min.js
var script string

//go:embed mcp-app-data.min.js
var dataScript string

//go:embed mcp-app-openai.min.js
var openAIScript string

//go:embed mcp-app-react.min.js
var reactScript string

//go:embed mcp-app.d.ts
var types string

//go:embed mcp-app-data.d.ts
var dataTypes string

//go:embed mcp-app-openai.d.ts
var openAITypes string

//go:embed mcp-app-react.d.ts
var reactTypes string

// Script returns the runtime: an ES module in ASCII, at most 5,120 bytes when
// compressed by gzip -9, that exports what [Types] declares. A bundler resolves
// the import "mcp-app" to it, as package bundle does; a view can't load it at run
// time. It contains nothing that ends a script element.
func Script() string { return script }

// Types returns the TypeScript declarations of the runtime as the ambient module
// "mcp-app", and of the MCP types that views use. Compilers and editors need only
// a file with this text among the sources of a view. It also declares the module
// under the name of the reference package, for views that import that.
func Types() string { return types }

// DataScript returns the module "mcp-app/data": the view's side of packages viewdata,
// viewstate and viewform, for data, pages, state, live values and forms. It is an ES
// module in ASCII, at most 2,560 bytes when compressed by gzip -9, that imports
// nothing. A bundler takes only the functions that a view imports. It works with the
// App of [Script] and with the reference's, and exports what [DataTypes] declares.
func DataScript() string { return dataScript }

// DataTypes returns the TypeScript declarations of [DataScript] as the ambient module
// "mcp-app/data". They need no others.
func DataTypes() string { return dataTypes }

// OpenAIScript returns the module "mcp-app/openai": what ChatGPT and Codex offer to views
// beyond MCP Apps, that is deep links, options of messages, the removal of model context,
// the widget state and files. It is an ES module in ASCII, at most 1,536 bytes when
// compressed by gzip -9, that imports nothing. Each of its functions says whether the
// host has the feature and does nothing in other hosts. A bundler takes only the
// functions that a view imports. It works with the App of [Script] and with the
// reference's, and exports what [OpenAITypes] declares.
func OpenAIScript() string { return openAIScript }

// OpenAITypes returns the TypeScript declarations of [OpenAIScript] as the ambient module
// "mcp-app/openai". They need no others.
func OpenAITypes() string { return openAITypes }

// ReactScript returns the React hooks of the reference's ext-apps/react: an ES
// module in ASCII, at most 1,024 bytes when compressed by gzip -9, that imports
// "react" and "mcp-app". It exports what [ReactTypes] declares, and everything
// that "mcp-app" exports.
func ReactScript() string { return reactScript }

// ReactTypes returns the TypeScript declarations of the hooks as the ambient module
// "mcp-app/react". They need those of [Types] and of @types/react.
func ReactTypes() string { return reactTypes }

// Data returns v as JSON that is safe in a script element of an HTML document,
// whatever v contains: the characters <, >, &, U+2028 and U+2029 are escaped, so
// that the JSON neither ends the element nor starts an HTML comment.
//
// A view should read it as data:
//
//	<script type="application/json" id="data">…</script>
//	<script type="module">
//		const data = JSON.parse(document.getElementById("data").textContent)
//
// It also works as an expression in a script, except that a key "__proto__" sets
// the prototype there. With html/template, convert it to template.JS. It is not
// escaped for attributes or for text outside of scripts.
//
// Data returns an error if [json.Marshal] does.
func Data(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("view.Data: %T: %w", v, err)
	}
	return string(data), nil
}
