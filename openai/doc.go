// Package openai adds what ChatGPT and Codex read in addition to MCP Apps to a server that
// uses package mcpapps: entrypoints, display modes, status texts, files as arguments,
// native settings, mentions and forms. All of it is optional, and other hosts ignore it: a
// server that declares everything has the same tools, results and documents for them.
//
// Start with [Tool] and [View]. Each takes a declaration of mcpapps or of the SDK and
// returns a copy with more in its _meta, to be registered as before:
//
//	board := openai.Tool[struct{}](&mcp.Tool{Name: "notes.board", Annotations: …}, openai.ToolUI{
//		Entrypoints: []openai.Entrypoint{openai.Global(nil)},
//	})
//	mcpapps.RegisterApp(s, board, openai.View(view, openai.ViewUI{…}), handler)
//
// [RegisterSettings] and [RegisterMentions] add tools and declare them in the server's
// capabilities. [Forms] asks the user for something while a tool runs. [RequestHints] and
// [FilePath] read what ChatGPT sends with a call, and [AuthRequired] makes it ask the user
// to sign in. [EnableAliases] writes older keys, for the few servers that need them.
//
// As in package mcpapps, mistakes in a declaration panic when it is registered, and Validate
// returns them as errors. The rules are those of OpenAI's specification and of the
// validators of its SDKs for TypeScript and Python: what one of them rejects is a mistake,
// and so is what they accept and clients ignore. The package changes no value that it is
// given.
//
// What a client sends proves nothing. Hints, paths and the answers to forms are checked for
// their form and bounded in length, and absent or an error otherwise; never decide by them
// what a user may see or do.
//
// The package follows OpenAI's MCP extensions 0.2.0 of October 2026, which may change in
// ways that break it. The guide docs/chatgpt.md explains each part, says where it works, and
// what could not be tried without the real client.
package openai
