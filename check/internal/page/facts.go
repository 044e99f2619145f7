package page

// A Ref is an address that the document uses. Offset is its place.
type Ref struct {
	URL    string
	Prefix bool // only the beginning of the address is known
	Use    Use
	Where  string // for people: "<img src>", "fetch"
	Offset int
}

// A Use is what an address is used for.
type Use int

const (
	Script Use = iota
	Import
	Style
	Image
	Media
	Font
	Frame
	Connect
	Base
	Worker
	Plugin
	Navigation
	Hint // a connection ahead of a request
)

// A Fact is something else that the document does. Offset is its place.
type Fact struct {
	Kind   FactKind
	What   string // the means, for people: "location.reload", "<a download>"
	Name   string // of BareImport: the module
	Offset int
}

// A FactKind is what a document does.
type FactKind int

const (
	// BareImport: a module is imported by a name that is neither an address nor a
	// path nor in the import map.
	BareImport FactKind = iota
	// Eval: code is made from text, by eval or Function.
	Eval
	// TimerText: setTimeout or setInterval is given code as text.
	TimerText
	// Dialog: a dialog of the browser's is opened.
	Dialog
	// Download: the browser is asked to save a file.
	Download
	// Reload: the document is loaded again.
	Reload
	// Leave: the window goes to another address.
	Leave
	// OpenWindow: a window is opened.
	OpenWindow
	// ServiceWorker: a service worker is registered.
	ServiceWorker
	// BlobWorker: a worker is started from a blob: address.
	BlobWorker
	// WebAssembly: WebAssembly is compiled.
	WebAssembly
	// Unread: a script can't be read. What says why.
	Unread
)

// A ToolCall is a call of a tool by a literal name. Offset is its place.
type ToolCall struct {
	Name   string
	Offset int
}
