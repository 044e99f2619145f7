// Package bundle turns a folder of HTML, scripts and styles into the one
// document that an MCP App's UI resource serves.
//
// A host loads a view as a single document, in a sandbox whose policy blocks
// everything external that the server does not declare. So everything that the
// page names has to be in the document. [HTML] puts it there without Node.js:
// scripts (JavaScript, TypeScript, JSX, JSON, with their imports and the packages
// in a node_modules folder), styles, images and fonts are read from an [io/fs.FS]
// and put inline. [Handler] serves the result, [TemplateHandler] serves it with data for
// the variables of a URI, and [RegisterDir] registers every HTML file of a folder as a UI
// resource.
//
// # The policy
//
// What a view loads from outside stands in one place, the CSP that its resource declares:
//
//	mcpapps.View{
//		Resource: mcp.Resource{URI: "ui://acme/map"},
//		UI: mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{
//			ResourceDomains: []string{"https://cdn.example.com"},
//		}},
//		Document: bundle.Handler(files, "ui/map.html", nil),
//	}
//
// A handler judges the page by it. RegisterDir declares what its pages need. HTML, which
// knows no resource, lists what the page needs, or judges by [Options.CSP].
//
// # What is changed
//
// Elements are located by an HTML tokenizer and replaced at its offsets. What does
// not need to change stays the same, byte for byte: a finished document comes back
// identical. A changed document is parsed and compared with the parsed input
// before it is returned, so that no script, style or attribute can end its element
// early.
//
// Module scripts are compiled together, so that what they share is there once: the
// code is in the first of their elements, and each element runs its own part, in
// their order, and waits and fails on its own. Inline modules that import nothing
// and other inline scripts stay as they are. Classic scripts stay where they are and
// keep their global names; deferred and asynchronous ones run in the order of the
// document. A script hands the fonts of style sheets to the page, since the policy
// blocks fonts in data URLs. Scripts that import a font file get its bytes, for the
// constructor of FontFace.
//
// The page then does in a host what its folder does over HTTP. These differences
// remain: compiled modules shorten the names that functions and classes have at run
// time, and compiled scripts leave out those of class expressions, unless
// [Options.Unminified] is set; a dynamic import takes no time; a module that imports
// one with a top-level await runs its other imports after that one; a variable that
// modules in a circle read too early is undefined, where browsers throw; of several
// images in a srcset, browsers take the best at once; a script that reads a custom
// property may find other quotes around a string in it; and in style sheets that
// scripts import, colours become sRGB.
//
// # The view runtime
//
// The names "mcp-app" and "@modelcontextprotocol/ext-apps" both import the runtime
// of package view, and "mcp-app/react" and "@modelcontextprotocol/ext-apps/react"
// its hooks, "mcp-app/data" its functions for data, state, live values and forms, and
// "mcp-app/openai" those for ChatGPT. Of the functions, the page gets those that it
// imports. This holds even if a node_modules folder has the npm package, which many
// projects install for its types alone. [Options.PackagedRuntime] changes that.
//
// # How imports are resolved
//
// An import is a path, with or without its extension, or the name of a package in
// the nearest node_modules folder: its exports map with the conditions of
// browsers, or its module or main field. The imports of an import map in the page
// apply. Of the nearest tsconfig.json at or above the page, the options for JSX and
// decorators and "paths" apply. Imports of images, audio and video give a data URL,
// and those of text files a string; "?raw" and "?inline" choose between the two. An
// import of a style sheet puts it into the page, one with { type: "css" } gives a
// CSSStyleSheet, and one with "?inline" its text.
//
// Not followed are the browser and imports fields of a package.json, a package's
// import of itself by its name, and "extends" in a tsconfig.json. Where one of them
// would decide what the view gets, that is an error.
//
// # What is an error
//
// It is an error if something would be missing or blocked when the view runs:
// files that don't exist or lie outside the file system, packages that are not
// installed, imports over the network, import.meta.url, workers, eval,
// WebAssembly, fonts in data URLs, imports whose name is known only at run time,
// and external references that the policy does not allow. Errors are of type
// [*Error] and have file, line and column; errors.As finds the first.
//
// It is also an error if an element that is put inline would do something else:
// alternate and disabled style sheets, scripts with an onload handler, a base element
// after what it does not apply to, scopes of an import map and a second one.
//
// Addresses in scripts are not followed. A script or an attribute that names a file
// of the folder, asks the page's own origin for something, or looks for files by the
// address of a script or style sheet causes one of the [Document.Warnings], as does
// an @font-face rule in a condition, which the script with the fonts does not know. So do
// a manifest, which is left out, and a document that clients may refuse for its size.
//
// Packages may have a reason to use these, often with a fallback, so findings in
// packages are warnings, too. In inline scripts that need no bundling
// and so stay unchanged, only literal references are errors, and eval causes a warning.
//
// The input is the author's own. Neither this package nor esbuild, which it uses,
// is safe for documents from strangers.
package bundle
