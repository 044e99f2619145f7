// Package preview is a web page that shows a server's MCP Apps in a real
// browser, for their authors. "mcpapps preview" serves it.
//
// [Serve] serves it until a context ends, [Start] until [Preview.Close]. The
// page lists the server's tools, calls them with arguments from a form, shows
// their views, and records every message in both directions and everything that
// a view's policy blocks. It needs no network and no npm.
//
// The package uses only what package host exports. A program with a page of its
// own needs [host.Connection], [host.Bridge] and [host.SandboxHandler].
//
// # Edits
//
// With [Options.Watch] an edit of a view is on screen at once: a command that the
// preview starts makes its bundles of the files on disk, and the preview reads the
// documents of the open views again and loads those that changed, without another
// call. An edit of the program starts it again; the last call of a page is repeated if
// its tool says that it only reads, and offered otherwise. A build that fails and a
// process that ends cover the view with the reason until it is mended. For servers in
// other languages, [Options.WatchDirs] names the folders of their views.
//
// # Other hosts
//
// The menu "Host" shows views as in another host, as far as package compat knows it:
// in the size and the modes of that host, with what it honours of the policy, answers
// and sends. Beside the menu stands what is emulated, what is unknown, and what a page
// in this browser can't show, with the sources. [Options.Emulate] chooses the first
// one. "Open again" loads a document again, as when the chat is opened again.
//
// # Entrypoints of ChatGPT
//
// As a host of which package compat knows entrypoints, the page lists those that the
// server declares and opens them as the host does: in fullscreen, with {} or a file as
// arguments, and with a deep link, which can be changed while the view is open. Tool calls
// then have the hints openai/locale, openai/userAgent, openai/userLocation (the time zone
// alone), openai/subject and openai/session in their _meta; views can't set these, nor
// the others that ChatGPT sends. The options of messages and the removal of model contexts
// are shown under "Actions". Under other hosts nothing of this is sent. Quick actions call
// their tool. Settings and mentions are not drawn: call their tools.
//
// Of a file that the user chooses, the server is told the path of a copy, in a folder of
// its own in the system's temporary folder ([os.TempDir]). Tools read and write the copy,
// and the view does through the preview; the file itself stays as it is. The copy is
// removed with its last view. If the preview is killed, it stays, in a folder whose name
// begins with mcpapps-preview-.
//
// # Forms
//
// The page draws the forms that the server asks for. If the host of [Options.Emulate]
// shows those of OpenAI's extension, the client declares the extension and the page draws
// its fields: choices with descriptions and pictures (those in data URIs), suggestions, and
// resources by their titles. A form that hosts do not draw is entered as JSON, and the page
// says why. The declaration belongs to the connection, so the choice of another host on the
// page does not change it. Servers of protocol versions before 2026-07-28 ask for these
// forms by a request of the extension's own, which gets an error here.
//
// # What fails in a view
//
// The documents of the page's own views get a small script, which reports what they
// write to the console and what fails in them, and removes itself. It changes nothing
// else in the document. Positions are those of the author's files where the server is
// a command that the preview started and the document a bundle. The same is reported
// as [EventConsole]. Pages of [Preview.ViewURL] show documents as they are.
//
// # Programs that look at views
//
// [Preview.ViewURL] returns the address of a page that shows one view alone, and
// [Options.Event] reports what happens in the view, so that tests and checks need
// not read the page.
//
// # Security
//
// The page and each view have separate origins on loopback: the page's is
// http://localhost:PORT, a view's is http://NAME.localhost:PORT+1 with a NAME that
// can't be guessed. Requests must name these hosts, so that a name that is bound to
// the address later (DNS rebinding) reaches nothing. The page's commands carry its
// origin, the media type application/json and the token of this run. A page of
// another site can send none of the three.
package preview
