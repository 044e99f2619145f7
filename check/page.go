package check

import (
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// A page is what a document says of itself, without a judgment.
type page struct {
	doc string
	// The structure.
	doctype, bom bool
	tags         int
	content      bool // something to show without a script
	script       bool // something to run
	unclosed     string
	unclosedAt   int
	base         string
	policyAt     int // of a Content-Security-Policy of the document's own, -1
	policy       string
	imports      map[string]string // the import map's

	refs     []ref
	faults   []fault
	features map[string]int // permission: first place
	calls    []toolCall

	formAt, selfSubmit int // a form without an action that we are in, and the first that can be submitted; -1
	depth              int // of frames around it, for a document in a srcdoc attribute

	lines []lineMark
	links *bool // what opensLinks found
}

// A ref is an address that the document uses.
type ref struct {
	url     string
	prefix  bool // only the beginning of the address is known
	use     use
	where   string // for people: "<img src>", "fetch"
	offset  int
	dynamic bool // from a script, which may run or not
}

// A use is what an address is used for.
type use int

const (
	useScript use = iota
	useImport
	useStyle
	useImage
	useMedia
	useFont
	useFrame
	useConnect
	useBase
	useWorker
	usePlugin
	useNavigation
)

// A fault is what the reader sees without knowing anything but the document.
type fault struct {
	rule            *Rule
	message, remedy string
	offset          int
}

// A toolCall is a literal call of a tool.
type toolCall struct {
	name   string
	offset int
}

// Bounds on what one document may make the reader keep.
const (
	maxRefs       = 10000
	maxScriptSize = 8 << 20
)

func (p *page) ref(r ref) {
	r.url = strings.TrimSpace(r.url)
	if r.url != "" && len(p.refs) < maxRefs {
		p.refs = append(p.refs, r)
	}
}

func (p *page) fault(r *Rule, offset int, message, remedy string) {
	if len(p.faults) < maxRefs {
		p.faults = append(p.faults, fault{r, message, remedy, offset})
	}
}

func (p *page) feature(name string, offset int) {
	if at, ok := p.features[name]; !ok || offset < at {
		p.features[name] = offset
	}
}

// readPage reads a document. It takes time in proportion to its length, never
// fails, and runs nothing.
func readPage(doc string) *page {
	p := newPage(doc)
	p.read()
	return p
}

func newPage(doc string) *page {
	return &page{doc: doc, policyAt: -1, formAt: -1, selfSubmit: -1, features: make(map[string]int)}
}

func (p *page) read() {
	var raw string // the element whose text comes next, if it is one that is read as such
	var attrs htmlscan.Attributes
	var scripts []pendingScript
	for t := range htmlscan.Tokens(p.doc) {
		switch t.Kind {
		case htmlscan.ByteOrderMark:
			p.bom = true
		case htmlscan.Doctype:
			if p.tags == 0 && !p.content {
				p.doctype = isStandards(t.Inner)
			}
		case htmlscan.Text, htmlscan.CDATA:
			if t.Templates == 0 {
				p.text(raw, attrs, t.Inner, t.InnerStart, &scripts)
			}
		case htmlscan.EndTag:
			p.end(t.Name)
			raw = ""
		case htmlscan.StartTag:
			p.tags++
			attrs, raw = t.Attributes, ""
			if !t.Closed() && hasOwnText(t.Name) {
				raw = t.Name
			}
			if t.RawText {
				p.unclosed, p.unclosedAt = t.Name, t.Start
			}
			if t.Templates == 0 {
				p.element(t.Name, t.Attributes, t.Start, &scripts)
			}
		}
	}
	switch p.unclosed {
	case "script": // a browser does not run it
		scripts = slices.DeleteFunc(scripts, func(s pendingScript) bool { return !s.handler && s.offset > p.unclosedAt })
	case "style":
	default:
		p.unclosed = ""
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

func (p *page) end(tag string) {
	if tag == p.unclosed {
		p.unclosed = ""
	}
	if tag == "form" {
		p.formAt = -1
	}
}

// text takes a run of text, of an element with raw text or of the page.
func (p *page) text(raw string, attrs htmlscan.Attributes, text string, at int, scripts *[]pendingScript) {
	if strings.TrimSpace(text) == "" {
		return
	}
	switch raw {
	case "script":
		switch scriptKind(attrs) {
		case kindClassic, kindModule:
			if !attrs.Has("src") {
				p.script = true
				*scripts = append(*scripts, pendingScript{text: text, offset: at})
			}
		case kindImportMap:
			p.importMap(text, at)
		}
	case "style":
		p.readStyle(text, at, false)
	case "title", "noscript", "noembed", "noframes", "iframe":
	default:
		p.content = p.content || strings.TrimSpace(html.UnescapeString(text)) != "" // of &nbsp; nothing is left
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

const (
	kindData = iota
	kindClassic
	kindModule
	kindImportMap
)

func scriptKind(attrs htmlscan.Attributes) int {
	switch attrs.ScriptType() {
	case htmlscan.ModuleScript:
		return kindModule
	case htmlscan.ImportMap:
		return kindImportMap
	case htmlscan.ClassicScript:
		if !attrs.Has("nomodule") { // else of old browsers only
			return kindClassic
		}
	}
	return kindData
}

// importMap reads the names that an import map gives addresses to.
func (p *page) importMap(text string, at int) {
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
		p.ref(ref{url: m.Imports[name], use: useImport, where: "the import map", offset: at})
	}
}

// A lineMark is what is known of the document before a multiple of markEvery
// bytes: its line breaks, and the offset of the last one, or -1.
type lineMark struct{ breaks, last int }

const markEvery = 32 << 10

// line returns the line and the column of an offset, from 1.
func (p *page) line(offset int) (line, column int) {
	if p.lines == nil {
		mark := lineMark{0, -1}
		for at := 0; ; at += markEvery {
			p.lines = append(p.lines, mark)
			if at+markEvery > len(p.doc) {
				break
			}
			mark = mark.after(p.doc[at:at+markEvery], at)
		}
	}
	offset = min(max(offset, 0), len(p.doc))
	i := offset / markEvery
	mark := p.lines[i].after(p.doc[i*markEvery:offset], i*markEvery)
	return mark.breaks + 1, offset - mark.last
}

// after returns the mark at the end of a text that stands at an offset.
func (m lineMark) after(text string, at int) lineMark {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		m.last = at + i
	}
	m.breaks += strings.Count(text, "\n")
	return m
}
