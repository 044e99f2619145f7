package page

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

// element notes what a start tag loads, shows and runs.
func (p *Page) element(tag string, attrs htmlscan.Attributes, at int, scripts *[]pendingScript) {
	add := func(attr string, u Use) {
		if v, ok := attrs.Lookup(attr); ok {
			p.ref(Ref{URL: v, Use: u, Where: "<" + tag + " " + attr + ">", Offset: at})
		}
	}
	switch tag {
	case "script":
		if isRun(attrs) {
			p.HasScript = p.HasScript || attrs.Has("src")
			add("src", Script)
			add("href", Script) // in SVG
		}
	case "link":
		p.link(attrs, at)
	case "meta":
		p.meta(attrs, at)
	case "base":
		if v := strings.TrimSpace(attrs.Get("href")); v != "" && p.Base == "" {
			p.Base = v
			p.ref(Ref{URL: v, Use: Base, Where: "<base href>", Offset: at})
		}
	case "img":
		p.shows()
		add("src", Image)
		p.srcset(tag, attrs, at)
	case "source":
		add("src", Media)
		p.srcset(tag, attrs, at)
	case "image", "use", "feimage":
		add("href", Image)
		add("xlink:href", Image)
	case "video", "audio", "track":
		if tag != "track" {
			p.shows()
		}
		add("src", Media)
		add("poster", Image)
	case "iframe", "frame":
		p.HasContent = true
		if doc, ok := attrs.Lookup("srcdoc"); ok && tag == "iframe" {
			p.inner(doc, at)
		} else {
			add("src", Frame)
		}
	case "embed", "object":
		p.shows()
		add("src", Plugin)
		add("data", Plugin)
	case "form":
		add("action", Navigation)
		p.form(attrs, at)
	case "button", "input":
		p.shows()
		add("formaction", Navigation)
		p.submits(tag, attrs)
		if strings.EqualFold(attrs.Get("type"), "image") {
			add("src", Image)
		}
	case "a", "area":
		if attrs.Has("download") && attrs.Get("href") != "" {
			p.fact(Download, at, "<"+tag+" download>")
		} else {
			add("href", Navigation)
		}
	case "body", "table", "thead", "tbody", "tfoot", "tr", "td", "th":
		add("background", Image)
	case "svg", "canvas", "textarea", "select", "hr", "progress", "meter", "math":
		p.shows()
	}
	for _, a := range attrs {
		if strings.HasPrefix(a.Key, "on") && len(a.Key) > 2 && strings.TrimSpace(a.Value) != "" {
			p.HasScript = true
			*scripts = append(*scripts, pendingScript{text: a.Value, offset: at, handler: true})
		}
	}
	if style := attrs.Get("style"); style != "" {
		p.readStyle(style, at, true)
	}
}

// inner adds the references of a document in a srcdoc attribute, which has the same
// policy. Its other facts are not noted.
func (p *Page) inner(doc string, at int) {
	if p.depth >= 3 {
		return
	}
	in := newPage(doc)
	in.depth = p.depth + 1
	in.read()
	for _, r := range in.Refs {
		r.Offset = at
		if r.Use != Navigation {
			p.ref(r)
		}
	}
}

func (p *Page) link(attrs htmlscan.Attributes, at int) {
	href := attrs.Get("href")
	for rel := range strings.FieldsSeq(strings.ToLower(attrs.Get("rel"))) {
		u := Style
		switch rel {
		case "stylesheet":
		case "modulepreload":
			u = Script
		case "preconnect", "dns-prefetch":
			u = Hint
		case "preload":
			switch strings.ToLower(attrs.Get("as")) {
			case "script":
				u = Script
			case "style":
			case "font":
				u = Font
			case "image":
				u = Image
			case "fetch":
				u = Connect
			default:
				continue
			}
		default:
			continue
		}
		p.ref(Ref{URL: href, Use: u, Where: "<link rel=" + rel + ">", Offset: at})
		return
	}
}

func (p *Page) meta(attrs htmlscan.Attributes, at int) {
	switch strings.ToLower(attrs.Get("http-equiv")) {
	case "content-security-policy":
		if p.PolicyAt < 0 {
			p.PolicyAt, p.Policy = at, attrs.Get("content")
		}
	case "refresh":
		if url := refreshURL(attrs.Get("content")); url != "" {
			p.ref(Ref{URL: url, Use: Navigation, Where: "<meta http-equiv=refresh>", Offset: at})
		} else {
			p.fact(Reload, at, "<meta http-equiv=refresh>")
		}
	}
}

// refreshURL returns the address in "5; url=…". The separator may be a comma or a
// space, and "url=" may be missing.
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

// form and submits find a form that loads its own page when it is submitted.
func (p *Page) form(attrs htmlscan.Attributes, at int) {
	p.formAt = at
	if strings.TrimSpace(attrs.Get("action")) != "" || attrs.Get("onsubmit") != "" || strings.EqualFold(attrs.Get("method"), "dialog") {
		p.formAt = -1
	}
}

func (p *Page) submits(tag string, attrs htmlscan.Attributes) {
	typ := strings.ToLower(attrs.Get("type"))
	if tag == "button" && typ != "button" && typ != "reset" || tag == "input" && (typ == "submit" || typ == "image") {
		if !attrs.Has("form") && p.formAt >= 0 && p.SelfSubmitAt < 0 && attrs.Get("formaction") == "" && attrs.Get("onclick") == "" {
			p.SelfSubmitAt = p.formAt
		}
	}
}

// srcset notes the candidates of a srcset attribute.
func (p *Page) srcset(tag string, attrs htmlscan.Attributes, at int) {
	for c := range htmlscan.Srcset(attrs.Get("srcset")) {
		p.ref(Ref{URL: c.URL, Use: Image, Where: "<" + tag + " srcset>", Offset: at})
	}
}
