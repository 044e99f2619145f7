package check

import (
	"regexp"
	"slices"
	"strings"
)

// speaks matches what scripts write who speak to the window around them, or
// listen to it: workers, sockets and channels have methods of the same names.
var (
	ofParent = regexp.MustCompile(`\bparent\s*\??\.\s*$`)
	ofWindow = regexp.MustCompile(`(?:^|[^.?\w$])(?:window\.|globalThis\.)?$`)
	posts    = regexp.MustCompile(`^postMessage\b`)
	listens  = regexp.MustCompile(`^(?:addEventListener\(\s*["'\x60]message["'\x60]|onmessage\s*=[^=])`)
)

// speaks reports whether a document posts to its parent or listens for
// messages. The expressions see no more than the words around a name: on the
// whole of a document they would take longer than all else that is done with it.
func speaks(doc string) bool {
	for _, s := range []struct {
		name          string
		before, after *regexp.Regexp
	}{{"postMessage", ofParent, posts}, {"addEventListener", ofWindow, listens}, {"onmessage", ofWindow, listens}} {
		for i := 0; ; i += len(s.name) {
			next := strings.Index(doc[i:], s.name)
			if next < 0 {
				break
			}
			i += next
			if s.after.MatchString(doc[i:min(len(doc), i+60)]) && s.before.MatchString(doc[max(0, i-40):i]) {
				return true
			}
		}
	}
	return false
}

// notReady finds documents that mean to speak to a host and can't say that they
// are initialized: the word is nowhere in them. It is silent where a script may
// come from elsewhere.
func (c *collector) notReady(p *page, d document) {
	if p.scriptAt < 0 || p.unclosed == "script" || slices.ContainsFunc(p.faults, func(f fault) bool { return f.code == "check-script-unread" }) {
		return
	}
	switch {
	case p.handshakeAt >= 0: // where a script has begun, it is the one to go on
		if !strings.Contains(p.doc, "initialized") {
			c.addAt(p, d.at, "doc-not-ready", p.handshakeAt, "the view sends ui/initialize, and nowhere ui/notifications/initialized").
				Remedy = "send ui/notifications/initialized when the answer to ui/initialize is there"
		}
	case p.loadsMore() || strings.Contains(p.doc, "nitialize"):
	case strings.Contains(p.doc, "window.openai"):
		c.addAt(p, d.at, "doc-not-ready", p.scriptAt, "no script sends ui/initialize, and window.openai is ChatGPT's alone")
	case speaks(p.doc):
		c.addAt(p, d.at, "doc-not-ready", p.scriptAt, "the view speaks to its host, and no script sends ui/initialize")
	}
}

// loadsMore reports whether the document runs scripts that are not in it.
func (p *page) loadsMore() bool {
	for _, r := range p.refs {
		if r.use == useScript || r.use == useImport {
			return true
		}
	}
	for _, f := range p.faults {
		if f.code == "doc-bare-import" || f.code == "doc-eval" {
			return true
		}
	}
	for _, s := range []string{"import(", "'script'", `"script"`, "`script`"} {
		if strings.Contains(p.doc, s) {
			return true
		}
	}
	return false
}
