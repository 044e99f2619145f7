package check

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
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

	formAt, selfSubmit  int // a form without an action that we are in, and the first that can be submitted; -1
	svg, math, template int
	depth               int // of frames around it, for a document in a srcdoc attribute

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
	offset, doc := 0, p.doc
	if rest, ok := strings.CutPrefix(doc, "\ufeff"); ok {
		p.bom, offset, doc = true, len(p.doc)-len(rest), rest
	}
	z := html.NewTokenizer(strings.NewReader(doc))
	var raw string // the raw-text element that the tokenizer is in
	var attrs map[string]string
	var scripts []pendingScript
	for {
		tt := z.Next()
		at := offset
		length := len(z.Raw())
		offset += length
		if tt == html.ErrorToken {
			break
		}
		switch tt {
		case html.DoctypeToken:
			if p.tags == 0 && !p.content {
				p.doctype = isStandards(string(z.Text()))
			}
		case html.TextToken:
			p.text(raw, attrs, string(z.Raw()), at, &scripts)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(string(name))
			raw = ""
		case html.StartTagToken, html.SelfClosingTagToken:
			p.tags++
			name, more := z.TagName()
			tag := string(name)
			attrs = make(map[string]string)
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				if _, dup := attrs[string(k)]; !dup && len(attrs) < 1000 {
					attrs[string(k)] = string(v)
				}
			}
			foreign := p.svg > 0 || p.math > 0
			selfClosed := tt == html.SelfClosingTagToken && (foreign || tag == "svg" || tag == "math")
			if foreign {
				z.NextIsNotRawText()
			}
			raw = ""
			if !selfClosed {
				p.open(tag)
				if isRawText(tag) {
					raw = tag
					if !foreign {
						p.unclosed, p.unclosedAt = tag, at
					}
				}
			}
			if p.template == 0 || tag == "template" {
				p.element(tag, attrs, at, &scripts)
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

func isRawText(tag string) bool {
	switch tag {
	case "script", "style", "title", "textarea", "noscript", "iframe", "noembed", "noframes", "xmp":
		return true
	}
	return false
}

// open and end keep the state that the tokenizer does not: what is inside of
// SVG and MathML is no HTML, and what is inside of a template is inert.
func (p *page) open(tag string) {
	switch tag {
	case "svg":
		p.svg++
	case "math":
		p.math++
	case "template":
		p.template++
	}
}

func (p *page) end(tag string) {
	if tag == p.unclosed {
		p.unclosed = ""
	}
	switch tag {
	case "form":
		p.formAt = -1
	case "svg":
		p.svg = max(p.svg-1, 0)
	case "math":
		p.math = max(p.math-1, 0)
	case "template":
		p.template = max(p.template-1, 0)
	}
}

// text takes a run of text, of an element with raw text or of the page.
func (p *page) text(raw string, attrs map[string]string, text string, at int, scripts *[]pendingScript) {
	if strings.TrimSpace(text) == "" || p.template > 0 {
		return
	}
	switch raw {
	case "script":
		switch scriptKind(attrs) {
		case kindClassic, kindModule:
			if _, external := attrs["src"]; !external {
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

func scriptKind(attrs map[string]string) int {
	typ := strings.ToLower(strings.TrimSpace(attrs["type"]))
	if _, ok := attrs["nomodule"]; ok && typ != "module" && typ != "importmap" {
		return kindData // of old browsers only
	}
	switch typ {
	case "":
		return kindClassic
	case "module":
		return kindModule
	case "importmap":
		return kindImportMap
	case "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript":
		return kindClassic
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
