// Package bundle turns a folder of HTML, scripts and styles into the one
// document that an MCP App's UI resource serves.
//
// A host loads a view as a single document, in a sandbox whose policy allows
// nothing from outside unless the server declares it. So everything that the
// page names has to travel inside it. [HTML] does that with no Node.js: scripts
// (JavaScript, TypeScript, JSX, JSON, with their imports and the packages in a
// node_modules folder), styles, images and fonts are read from an [io/fs.FS]
// and put inline. [Handler] serves the result and [RegisterDir] makes a UI
// resource of every HTML file of a folder.
//
// # What is touched
//
// Elements are located with an HTML tokenizer and replaced at its offsets. What
// does not need to change stays as it is, byte for byte: a finished document
// comes back identical. Before a changed document is returned it is parsed and
// compared with the parsed input, so that no script, style or attribute can end
// its element early.
//
// All module scripts of a page become one, at the place of the last one, in
// their order; deferred and asynchronous classic scripts keep their place in
// that order. One script that fails on loading therefore keeps those after it
// from running. Other classic scripts stay where they are, with their global
// names. Fonts of style sheets are handed to the page by a script, since the
// policy blocks fonts in data URLs; scripts that import a font get its bytes,
// for the constructor of FontFace.
//
// # The view runtime
//
// The names "mcp-app" and "@modelcontextprotocol/ext-apps" both import the
// runtime of package view ("mcp-app/react" and
// "@modelcontextprotocol/ext-apps/react" its hooks), even where a node_modules
// folder holds the npm package, which many a project installs for its types
// alone: [Options.PackagedRuntime] says otherwise.
//
// # What is read
//
// Packages are resolved as esbuild does for browsers: exports and imports maps,
// the browser, module and main fields, the nearest node_modules. An import map
// in the page applies, and of a tsconfig.json beside the page or above it what
// concerns JSX, decorators and "paths". Imports of images, audio and video give
// a data URL, those of text files a string; "?raw" and "?inline" choose.
//
// # What is an error
//
// Whatever would be missing or blocked when the view runs: files that are not
// there or lead out of the file system, packages that are not installed, imports
// over the network, import.meta.url, workers, eval, WebAssembly, fonts in data
// URLs, imports whose name is only known at run time, and external references
// that a given CSP does not allow. Errors are of type [*Error] and carry file,
// line and column; errors.As finds the first.
//
// Code in packages is trusted to have a reason, and often a fallback: there the
// same findings are [Document.Warnings]. In inline scripts that need no
// bundling, and thus stay untouched, only literal references are errors.
//
// The input is the author's own. Neither this package nor the bundler in it is
// meant for documents of strangers.
package bundle
