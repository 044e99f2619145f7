package page

import (
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// A Page is what a document holds.
type Page struct {
	Doc string

	// Doctype is whether the document begins with one that browsers follow the
	// standards for, and ByteOrderMark whether that character stands before it.
	Doctype, ByteOrderMark bool
	// HasTags, HasContent and HasScript are whether there is any tag, anything that
	// shows without a script, and any script.
	HasTags, HasContent, HasScript bool
	// Unclosed is the script or style element that never ends, "" if there is none.
	Unclosed   string
	UnclosedAt int
	// Base is the address of the first base element, "" if there is none.
	Base string
	// Policy is the document's own Content-Security-Policy. PolicyAt is -1 if there
	// is none.
	Policy   string
	PolicyAt int
	// SelfSubmitAt is the first form without an action that can be submitted, -1 if
	// there is none.
	SelfSubmitAt int

	Refs  []Ref
	Facts []Fact
	// Features are the browser features that a script calls, by the permission that
	// each needs, with the first place.
	Features map[string]int
	// ToolCalls are the calls of tools by literal names.
	ToolCalls []ToolCall

	imports map[string]string // of the import map
	formAt  int               // the form without an action that is open, -1
	depth   int               // of documents in srcdoc attributes around this one
	lines   []lineMark
}

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
)

// A Fact is something else that the document does. Offset is its place.
type Fact struct {
	Kind   FactKind
	What   string // by what it does it, for people
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

// The bounds of what is kept of one document, and of a script that is read.
const (
	maxRefs       = 10000
	maxScriptSize = 8 << 20
)

func (p *Page) ref(r Ref) {
	r.URL = strings.TrimSpace(r.URL)
	if r.URL != "" && len(p.Refs) < maxRefs {
		p.Refs = append(p.Refs, r)
	}
}

func (p *Page) fact(kind FactKind, offset int, what string) {
	if len(p.Facts) < maxRefs {
		p.Facts = append(p.Facts, Fact{Kind: kind, What: what, Offset: offset})
	}
}

func (p *Page) feature(name string, offset int) {
	if at, ok := p.Features[name]; !ok || offset < at {
		p.Features[name] = offset
	}
}

// Read reads a document. It takes time in proportion to its length, never fails,
// and runs nothing.
func Read(doc string) *Page {
	p := newPage(doc)
	p.read()
	return p
}

func newPage(doc string) *Page {
	return &Page{Doc: doc, PolicyAt: -1, SelfSubmitAt: -1, formAt: -1, Features: make(map[string]int)}
}

func (p *Page) read() {
	var raw string // the element whose text comes next, if it is one that is read as such
	var attrs htmlscan.Attributes
	var scripts []pendingScript
	for t := range htmlscan.Tokens(p.Doc) {
		switch t.Kind {
		case htmlscan.ByteOrderMark:
			p.ByteOrderMark = true
		case htmlscan.Doctype:
			if !p.HasTags && !p.HasContent {
				p.Doctype = isStandards(t.Inner)
			}
		case htmlscan.Text, htmlscan.CDATA:
			if t.Templates == 0 {
				p.text(raw, attrs, t.Inner, t.InnerStart, &scripts)
			}
		case htmlscan.EndTag:
			p.end(t.Name)
			raw = ""
		case htmlscan.StartTag:
			p.HasTags = true
			attrs, raw = t.Attributes, ""
			if !t.Closed() && hasOwnText(t.Name) {
				raw = t.Name
			}
			if t.RawText {
				p.Unclosed, p.UnclosedAt = t.Name, t.Start
			}
			if t.Templates == 0 {
				p.element(t.Name, t.Attributes, t.Start, &scripts)
			}
		}
	}
	switch p.Unclosed {
	case "script": // a browser does not run it
		scripts = slices.DeleteFunc(scripts, func(s pendingScript) bool { return !s.handler && s.offset > p.UnclosedAt })
	case "style":
	default:
		p.Unclosed = ""
	}
	// Scripts last: they are read with the import map in hand.
	for _, s := range scripts {
		p.readScript(s)
	}
}

// hasOwnText reports whether the text of an element is something other than text
// on the page, in HTML and, for some, in SVG.
func hasOwnText(name string) bool {
	switch name {
	case "script", "style", "title", "noscript", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

func (p *Page) end(tag string) {
	if tag == p.Unclosed {
		p.Unclosed = ""
	}
	if tag == "form" {
		p.formAt = -1
	}
}

// text takes a run of text, of an element with raw text or of the page.
func (p *Page) text(raw string, attrs htmlscan.Attributes, text string, at int, scripts *[]pendingScript) {
	if strings.TrimSpace(text) == "" {
		return
	}
	switch raw {
	case "script":
		switch {
		case attrs.ScriptType() == htmlscan.ImportMap:
			p.importMap(text, at)
		case isRun(attrs) && !attrs.Has("src"):
			p.HasScript = true
			*scripts = append(*scripts, pendingScript{text: text, offset: at})
		}
	case "style":
		p.readStyle(text, at, false)
	case "title", "noscript", "noembed", "noframes", "iframe":
	default:
		p.HasContent = p.HasContent || strings.TrimSpace(html.UnescapeString(text)) != "" // of &nbsp; nothing is left
	}
}

// isStandards reports whether a doctype is one with which browsers lay out a
// page by the standards. Those of HTML 4.01 and before them are not, but for two
// that name their definition's address.
func isStandards(doctype string) bool {
	words := strings.Fields(strings.ToLower(doctype))
	if len(words) == 0 || words[0] != "html" {
		return false
	}
	id := strings.Join(words[1:], " ")
	for _, old := range []string{"-//w3c//dtd html 3", "-//w3c//dtd html 4.0 ", "-//ietf//", "-//netscape", "-//microsoft", "-//softquad"} {
		if strings.Contains(id, old) {
			return false
		}
	}
	loose := strings.Contains(id, "-//w3c//dtd html 4.01 transitional//") || strings.Contains(id, "-//w3c//dtd html 4.01 frameset//")
	return !loose || strings.Contains(id, "http://")
}

// isRun reports whether a browser runs a script of this type.
func isRun(attrs htmlscan.Attributes) bool {
	switch attrs.ScriptType() {
	case htmlscan.ModuleScript:
		return true
	case htmlscan.ClassicScript:
		return !attrs.Has("nomodule") // which is for old browsers only
	}
	return false
}

// importMap reads the names that an import map gives addresses to.
func (p *Page) importMap(text string, at int) {
	var m struct {
		Imports map[string]string `json:"imports"`
	}
	if json.Unmarshal([]byte(text), &m) != nil || p.imports != nil {
		return
	}
	p.imports = make(map[string]string)
	for name, url := range m.Imports {
		p.imports[name] = url
	}
	for _, name := range slices.Sorted(maps.Keys(m.Imports)) {
		p.ref(Ref{URL: m.Imports[name], Use: Import, Where: "the import map", Offset: at})
	}
}
