package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// A hostApp is what one app needs of its host, as far as the check knows.
type hostApp struct {
	tool, uri string
	use       *docUse // nil if there is no document
	// hidden are the tools that only the view may call.
	hidden []string
	// results are those of tools that open the app. unopened says why nothing is known
	// of the view without a part of them.
	results  []json.RawMessage
	unopened string
	// views are what the view showed without a part of its result, by what is left of
	// it, as far as it was opened so.
	views map[compat.Result]shown
}

// A docUse is what a document needs of its host.
type docUse struct {
	bytes     int
	hasScript bool
	domain    string
	// asks are what its scripts ask the host for.
	asks []use
	// fields are the fields of its CSP that it needs, and permissions those that it
	// requests or uses.
	fields      []use
	permissions []use
	// unread is code of which the check does not know what it asks for. what is "" if
	// the check has read all.
	unread use
}

// A use is a place where a document needs something.
type use struct {
	what         string // for people, in the third person
	name, mode   string // of a method of the App class; name is also that of a field or a permission
	line, column int
	// essential is whether nothing is left of the view without it.
	essential bool
}

// hostApps returns the apps that tools open. live is whether the live part was asked for.
func (found *findings) hostApps(main *answers.Record, calls *unasked.Policy, live bool) []*hostApp {
	var list []*hostApp
	for _, uri := range main.AppURIs() {
		t := opener(main, uri, calls)
		if t == nil {
			t = naming(main, uri)
		}
		if t == nil {
			continue // hosts find apps by tools
		}
		a := &hostApp{tool: text.Shorten(t.Name, maxName), uri: text.Shorten(uri, maxName), use: found.uses[uri], views: found.views[uri]}
		callsTools := a.use != nil && a.use.asksFor("callServerTool")
		for _, other := range main.Tools {
			if !other.Model && other.App && (other.URI == uri || other.URI == "" && callsTools) {
				a.hidden = append(a.hidden, other.Name)
			}
		}
		a.unopened = "the tool was not called"
		for _, r := range main.Results {
			switch {
			case r.Tool.URI != uri && !slices.Contains(r.Named(), uri):
			case r.Err != nil || r.Object["isError"] == true:
				a.unopened = "the call of the tool failed"
			default:
				a.results = append(a.results, r.Raw)
				a.unopened = "only the live part opens the view without it"
				if live {
					a.unopened = "the live part could not compare the view without it"
				}
			}
		}
		list = append(list, a)
	}
	return list
}

// naming returns a tool whose result named the app, nil if none did.
func naming(main *answers.Record, uri string) *answers.Tool {
	for _, r := range main.Results {
		if r.Tool.Model && slices.Contains(r.Named(), uri) {
			return r.Tool
		}
	}
	return nil
}

func (u *docUse) asksFor(method string) bool {
	for _, a := range u.asks {
		if a.name == method {
			return true
		}
	}
	return false
}

// useOf returns what a document needs of its host.
func useOf(p *page.Page, d document) *docUse {
	u := &docUse{bytes: len(p.Doc), hasScript: p.HasScript, domain: d.ui.Domain}
	for _, a := range p.Asks {
		x := use{what: "calls " + a.Method, name: a.Method, mode: a.Mode}
		switch {
		case a.Method == "registerTool":
			x.what = "offers tools of its own"
		case a.Mode != "":
			x.what = "asks for the display mode " + a.Mode
		case a.Message != "":
			x.what = "sends " + a.Message
		}
		if a.Count > 1 {
			x.what += fmt.Sprintf(" (%d times)", a.Count)
		}
		x.line, x.column = p.Position(a.Offset)
		u.asks = append(u.asks, x)
	}
	if d.ui.CSP != nil {
		u.fields = fieldsUsed(p, d.ui.CSP)
	}
	u.unread = unreadCode(p)
	asked := requested(d.ui.Permissions)
	for _, name := range metakey.PermissionNames {
		offset, used := p.Features[name]
		switch {
		case used:
			x := use{what: "uses " + featureUse[name], name: name}
			x.line, x.column = p.Position(offset)
			u.permissions = append(u.permissions, x)
		case asked[name]:
			u.permissions = append(u.permissions, use{what: "requests the permission " + name, name: name})
		}
	}
	return u
}

// unreadCode returns the first script that can't be read, or, in a document whose own
// scripts ask for nothing, the first that comes from elsewhere.
func unreadCode(p *page.Page) use {
	place := func(what string, offset int) use {
		x := use{what: what}
		x.line, x.column = p.Position(offset)
		return x
	}
	for _, f := range p.Facts {
		if f.Kind == page.Unread {
			return place("has a script that the check can't read, see check-script-unread", f.Offset)
		}
	}
	for i := range p.Refs {
		r := &p.Refs[i]
		target, from := r.Target()
		if code := r.Use == page.Script || r.Use == page.Import; code && target == page.Origin && len(p.Asks) == 0 {
			return place("runs code from "+text.Shorten(from, maxValue)+", which the check does not read", r.Offset)
		}
	}
	return use{}
}

// fieldsUsed returns the fields of a CSP that a document needs: for an address in it, or
// for a declared origin that it names. Frames have most often addresses that come with
// the data, so that a declared origin is enough.
func fieldsUsed(p *page.Page, csp *mcpapps.CSP) []use {
	allows := csp.Matcher()
	byField := make(map[string]use)
	for i := range p.Refs {
		r := &p.Refs[i]
		directive, ok := directives[r.Use]
		target, from := r.Target()
		if !ok || target != page.Origin || !allows(directive, from) {
			continue
		}
		field := mcpapps.CSPField(directive)
		code := r.Use == page.Script || r.Use == page.Import
		if known, ok := byField[field]; ok && (known.essential || !code) {
			continue
		}
		x := use{what: fmt.Sprintf("loads %s from %s (%s)", loads[r.Use], text.Shorten(from, maxValue), r.Where), name: field}
		x.line, x.column = p.Position(r.Offset)
		x.essential = code || r.Use == page.Frame && p.HasContent && !p.HasMore
		byField[field] = x
	}
	var list []use
	declared := [][]string{csp.ConnectDomains, csp.ResourceDomains, csp.FrameDomains, csp.BaseURIDomains}
	search := maxSearch
	for i, field := range metakey.CSPFields {
		if x, ok := byField[field]; ok {
			list = append(list, x)
			continue
		}
		for _, entry := range declared[i] {
			_, host, _ := strings.Cut(entry, "://")
			host = strings.TrimPrefix(host, "*.")
			if search -= len(p.Doc); search < 0 || host == "" {
				break
			}
			if field == "frameDomains" || strings.Contains(p.Doc, host) {
				list = append(list, use{what: fmt.Sprintf("declares %s in csp.%s", text.Shorten(entry, maxValue), field), name: field})
				break
			}
		}
	}
	return list
}

// loads says what is loaded, by its use.
var loads = map[page.Use]string{
	page.Script: "code", page.Import: "code", page.Style: "a style sheet", page.Image: "an image", page.Media: "media",
	page.Font: "a font", page.Frame: "a frame", page.Connect: "data", page.Base: "what has a relative address",
}
