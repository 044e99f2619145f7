// Package page reads what an HTML document holds: its structure, the addresses that it
// uses, and what its scripts and styles do as far as that is literal, each with its
// place in the text. It judges none of it.
package page

import (
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/mcpapps-go/mcpapps/internal/lines"
)

// A Page is what a document holds.
type Page struct {
	Doc string

	// Doctype is whether the document begins with one that browsers follow the
	// standards for, and ByteOrderMark whether that character comes first.
	Doctype, ByteOrderMark bool
	// HasTags, HasContent and HasScript are whether there is any tag, anything that
	// shows without a script, and any script.
	HasTags, HasContent, HasScript bool
	// HasMore is whether anything other than frames shows without a script.
	HasMore bool
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
	// Asks are what the scripts ask the host for, in the order of the document.
	Asks []Ask

	sent    []Ask             // messages that may be the view library's
	defined map[string]bool   // the methods of the App class that a script defines
	imports map[string]string // of the import map
	formAt  int               // the form without an action that is open, -1
	depth   int               // of documents in srcdoc attributes around this one
	lines   *lines.Index
	// searched are the results of contains.
	searched map[string]bool
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

// shows notes that something other than a frame shows without a script.
func (p *Page) shows() { p.HasContent, p.HasMore = true, true }

// Read reads a document. It takes time in proportion to its length, never fails,
// and runs nothing.
func Read(doc string) *Page {
	p := newPage(doc)
	p.read()
	return p
}

// Position returns the line and the column of an offset, counted from 1, the column
// in bytes.
func (p *Page) Position(offset int) (line, column int) {
	if p.lines == nil {
		p.lines = lines.New(p.Doc)
	}
	return p.lines.Position(offset)
}

func newPage(doc string) *Page {
	return &Page{Doc: doc, PolicyAt: -1, SelfSubmitAt: -1, formAt: -1, Features: make(map[string]int), searched: make(map[string]bool)}
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
	// Scripts are read last, because an import map may come after them.
	for _, s := range scripts {
		p.readScript(s)
	}
	p.finishAsks()
}

// hasOwnText reports whether the text of an element is not text on the page.
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

// text takes a run of text: of the element raw, or of the page if raw is "".
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
		if strings.TrimSpace(html.UnescapeString(text)) != "" { // of &nbsp; nothing is left
			p.shows()
		}
	}
}

// isStandards reports whether browsers lay out a page with this doctype by the
// standards. Doctypes of HTML 4.01 and older are not standard, except two that contain
// the address of their definition.
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

// importMap reads an import map. Of several only the first counts.
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
