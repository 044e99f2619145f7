package check

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// element notes what a start tag uses and shows.
func (p *page) element(tag string, attrs htmlscan.Attributes, at int, scripts *[]pendingScript) {
	add := func(attr string, u use) {
		if v, ok := attrs.Lookup(attr); ok {
			p.ref(ref{url: v, use: u, where: "<" + tag + " " + attr + ">", offset: at})
		}
	}
	switch tag {
	case "script":
		switch scriptKind(attrs) {
		case kindClassic, kindModule:
			if attrs.Has("src") {
				p.script = true
			}
			add("src", useScript)
			add("href", useScript) // in SVG
		}
	case "link":
		p.link(attrs, at)
	case "meta":
		p.meta(attrs, at)
	case "base":
		if v := strings.TrimSpace(attrs.Get("href")); v != "" && p.base == "" {
			p.base = v
			p.ref(ref{url: v, use: useBase, where: "<base href>", offset: at})
		}
	case "img":
		p.content = true
		add("src", useImage)
		p.srcset(tag, attrs, at)
	case "source":
		add("src", useMedia)
		p.srcset(tag, attrs, at)
	case "image", "use", "feimage":
		add("href", useImage)
		add("xlink:href", useImage)
	case "video", "audio", "track":
		p.content = p.content || tag != "track"
		add("src", useMedia)
		add("poster", useImage)
	case "iframe", "frame":
		p.content = true
		if doc, ok := attrs.Lookup("srcdoc"); ok && tag == "iframe" {
			p.inner(doc, at)
		} else {
			add("src", useFrame)
		}
	case "embed", "object":
		p.content = true
		add("src", usePlugin)
		add("data", usePlugin)
	case "form":
		add("action", useNavigation)
		p.form(attrs, at)
	case "button", "input":
		p.content = true
		add("formaction", useNavigation)
		p.submits(tag, attrs)
		if strings.EqualFold(attrs.Get("type"), "image") {
			add("src", useImage)
		}
	case "a", "area":
		if attrs.Has("download") && attrs.Get("href") != "" {
			p.download("<"+tag+" download>", at)
		} else {
			add("href", useNavigation)
		}
	case "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th":
		add("background", useImage)
	case "svg", "canvas", "textarea", "select", "hr", "progress", "meter", "math":
		p.content = true
	}
	for _, a := range attrs {
		if strings.HasPrefix(a.Key, "on") && len(a.Key) > 2 && strings.TrimSpace(a.Value) != "" {
			p.script = true
			*scripts = append(*scripts, pendingScript{text: a.Value, offset: at, handler: true})
		}
	}
	if style := attrs.Get("style"); style != "" {
		p.readStyle(style, at, true)
	}
}

// inner takes the addresses of a document inside of the document, which is under
// the same policy. What its scripts do otherwise is its own affair.
func (p *page) inner(doc string, at int) {
	if p.depth >= 3 {
		return
	}
	in := newPage(doc)
	in.depth = p.depth + 1
	in.read()
	for _, r := range in.refs {
		r.offset = at
		if r.use != useNavigation {
			p.ref(r)
		}
	}
}

// download notes what asks the browser to save a file, unless the document asks
// its host too.
func (p *page) download(what string, at int) {
	if strings.Contains(p.doc, ".downloadFile(") ||
		strings.Contains(p.doc, "ui/download-file") && !strings.Contains(p.doc, "downloadFile") {
		return
	}
	p.fault(docDownload, at, what+" asks the browser to save a file", "")
}

func (p *page) link(attrs htmlscan.Attributes, at int) {
	href := attrs.Get("href")
	for rel := range strings.FieldsSeq(strings.ToLower(attrs.Get("rel"))) {
		u := useStyle
		switch rel {
		case "stylesheet":
		case "modulepreload":
			u = useScript
		case "preload":
			switch strings.ToLower(attrs.Get("as")) {
			case "script":
				u = useScript
			case "style":
			case "font":
				u = useFont
			case "image":
				u = useImage
			case "fetch":
				u = useConnect
			default:
				continue
			}
		default:
			continue
		}
		p.ref(ref{url: href, use: u, where: "<link rel=" + rel + ">", offset: at})
		return
	}
}

func (p *page) meta(attrs htmlscan.Attributes, at int) {
	switch strings.ToLower(attrs.Get("http-equiv")) {
	case "content-security-policy":
		if p.policyAt < 0 {
			p.policyAt, p.policy = at, attrs.Get("content")
		}
	case "refresh":
		if url := refreshURL(attrs.Get("content")); url != "" {
			p.ref(ref{url: url, use: useNavigation, where: "<meta http-equiv=refresh>", offset: at})
		} else {
			p.fault(docNavigation, at, "<meta http-equiv=refresh> loads the document again", "ask for new data with a tool")
		}
	}
}

// refreshURL returns the address in "5; url=…", whose separator may be a comma
// or a space, and whose name may be missing.
func refreshURL(content string) string {
	const space = " \t\n\f\r"
	s := strings.TrimLeft(strings.TrimLeft(strings.TrimSpace(content), "0123456789."), space)
	s = strings.TrimLeft(s, ";,"+space)
	if len(s) > 3 && strings.EqualFold(s[:3], "url") {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(s[3:], space), "="); ok {
			s = rest
		}
	}
	return strings.Trim(s, `"'`+space)
}

// form and submits find a form that goes to its own page when it is submitted.
func (p *page) form(attrs htmlscan.Attributes, at int) {
	p.formAt = at
	if strings.TrimSpace(attrs.Get("action")) != "" || attrs.Get("onsubmit") != "" || strings.EqualFold(attrs.Get("method"), "dialog") {
		p.formAt = -1
	}
}

func (p *page) submits(tag string, attrs htmlscan.Attributes) {
	typ := strings.ToLower(attrs.Get("type"))
	if tag == "button" && typ != "button" && typ != "reset" || tag == "input" && (typ == "submit" || typ == "image") {
		if !attrs.Has("form") && p.formAt >= 0 && p.selfSubmit < 0 && attrs.Get("formaction") == "" && attrs.Get("onclick") == "" {
			p.selfSubmit = p.formAt
		}
	}
}

// preventsSubmit reports whether a script of the document may well keep a form
// from being submitted.
func (p *page) preventsSubmit() bool {
	return strings.Contains(p.doc, "preventDefault") || strings.Contains(p.doc, "returnValue") ||
		strings.Contains(p.doc, "return false") || strings.Contains(p.doc, "return!1")
}

// srcset notes the candidates of a srcset attribute.
func (p *page) srcset(tag string, attrs htmlscan.Attributes, at int) {
	for c := range htmlscan.Srcset(attrs.Get("srcset")) {
		p.ref(ref{url: c.URL, use: useImage, where: "<" + tag + " srcset>", offset: at})
	}
}
