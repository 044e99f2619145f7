package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// hostJudgements judge an app by one fact of a host each, or by a few of a kind. What
// follows where a host does not give what the app needs:
//
//	showsApps                     blocked
//	documentLimit                 blocked, where the document is larger
//	domain                        blocked, where the host checks it and the declared one has another format
//	resourceDomains               blocked for code that the document loads, else degraded
//	frameDomains                  blocked where frames are all there is, else degraded
//	connectDomains, baseUriDomains  degraded
//	result                        blocked or degraded, by what the view shows without it
//	all others                    degraded
var hostJudgements = []func(*hostApp, *compat.Profile) []Reason{
	judgeShowsApps, // the first one: it makes the others pointless
	judgeDocumentLimit,
	judgeHostDomain,
	judgeFields,
	judgeStripped,
	judgeResultLimit,
	judgeMethods,
	judgeModes,
	judgeUnread,
	judgePermissionsGranted,
	judgeHidden,
}

// factShowsApps is the key of a fact whose reason is not the app's fault.
const factShowsApps = "showsApps"

// unknownFact is what a reason says of a host where no source says more.
const unknownFact = "not known"

// A need is what an app needs of a host.
type need struct {
	fact string // its key
	app  string
	use  use
	// unless is whether the app needs it only from a bound on: if the fact is unknown,
	// it is not known to need it.
	unless bool
}

// weighed returns the reason that a fact gives, none if the host gives what the app
// needs. weigh says what follows from a value.
func weighed[T any](n need, f compat.Fact[T], weigh func(T) (Verdict, string)) []Reason {
	r := Reason{Fact: n.fact, App: n.app, Line: n.use.line, Column: n.use.column, Verdict: VerdictUnknown, Host: unknownFact}
	if len(f.Claims) == 0 {
		if n.unless {
			return nil
		}
		return []Reason{r}
	}
	says := func(c compat.Claim[T]) (Verdict, string) {
		if c.Value != nil {
			return weigh(*c.Value)
		}
		if c.Note != "" {
			return VerdictUnknown, "fits no answer: " + text.Shorten(c.Note, maxSentence)
		}
		return VerdictUnknown, "was not asked for it"
	}
	first := f.Claims[0]
	r.Verdict, r.Host = says(first)
	r.When, r.Source, r.Note = first.When, &first.Source, noteOf(first)
	for _, c := range f.Claims[1:] {
		if v, words := says(c); v != r.Verdict {
			r.Others = append(r.Others, OtherClaim{v, words, c.When, c.Source, noteOf(c)})
		}
	}
	if r.Verdict == VerdictWorks && len(r.Others) == 0 {
		return nil
	}
	return []Reason{r}
}

// noteOf returns the note of a claim, "" where it is what the host is said to do.
func noteOf[T any](c compat.Claim[T]) string {
	if c.Value == nil {
		return ""
	}
	return text.Shorten(c.Note, maxSentence)
}

func judgeShowsApps(a *hostApp, p *compat.Profile) []Reason {
	return weighed(need{fact: factShowsApps, app: "needs a host that shows apps"}, p.ShowsApps, func(shows bool) (Verdict, string) {
		if shows {
			return VerdictWorks, "shows apps"
		}
		return VerdictBlocked, "shows no apps, only the text of results"
	})
}

func judgeDocumentLimit(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil {
		return []Reason{{Fact: "documentLimit", Verdict: VerdictUnknown, App: "has a document that could not be read", Host: "not judged"}}
	}
	n := need{fact: "documentLimit", app: fmt.Sprintf("has a document of %d bytes", a.use.bytes), unless: a.use.bytes <= maxDocument}
	return weighed(n, p.DocumentLimit, func(limit int) (Verdict, string) {
		if limit <= 0 || a.use.bytes <= limit {
			return VerdictWorks, "takes it"
		}
		return VerdictBlocked, fmt.Sprintf("takes documents of at most %d bytes", limit)
	})
}

func judgeHostDomain(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil || a.use.domain == "" {
		return nil
	}
	n := need{fact: "domain", app: "declares the domain " + text.Quote(a.use.domain)}
	return weighed(n, p.Domain, func(f compat.DomainFormat) (Verdict, string) {
		switch {
		case f == compat.DomainIgnored, f == compat.DomainMicrosoft:
			return VerdictWorks, "ignores it"
		case f.Matches(a.use.domain):
			return VerdictWorks, "takes it"
		}
		return VerdictBlocked, fmt.Sprintf("takes domains of the format %q only", f)
	})
}

// judgeFields judges the fields of the CSP that the document needs.
func judgeFields(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil {
		return nil
	}
	facts := map[string]compat.Fact[compat.Support]{
		"connectDomains": p.ConnectDomains, "resourceDomains": p.ResourceDomains,
		"frameDomains": p.FrameDomains, "baseUriDomains": p.BaseURIDomains,
	}
	var list []Reason
	for _, x := range a.use.fields {
		list = append(list, weighed(need{fact: x.name, app: x.what, use: x}, facts[x.name], func(s compat.Support) (Verdict, string) {
			v, words := support(s, "ignores csp."+x.name)
			if x.essential && v == VerdictDegraded && s != compat.Restricted {
				v = VerdictBlocked
			}
			return v, words
		})...)
	}
	return list
}

// support says what follows from how a host treats something.
func support(s compat.Support, missing string) (Verdict, string) {
	switch s {
	case compat.Yes:
		return VerdictWorks, "has it"
	case compat.Unadvertised:
		return VerdictWorks, "has it and does not advertise it"
	case compat.No:
		return VerdictDegraded, missing
	case compat.Refused:
		return VerdictDegraded, "advertises it and answers with an error"
	case compat.Restricted:
		return VerdictDegraded, "allows it in some cases only"
	}
	return VerdictUnknown, unknownFact
}

// judgeMethods judges what the view asks the host for.
func judgeMethods(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil {
		return nil
	}
	facts := map[string]struct {
		key  string
		fact compat.Fact[compat.Support]
	}{
		"openLink":            {"openLink", p.OpenLink},
		"sendMessage":         {"message", p.Message},
		"updateModelContext":  {"updateModelContext", p.UpdateModelContext},
		"downloadFile":        {"downloadFile", p.DownloadFile},
		"requestTeardown":     {"requestTeardown", p.RequestTeardown},
		"callServerTool":      {"serverTools", p.ServerTools},
		"readServerResource":  {"serverResources", p.ServerResources},
		"listServerResources": {"serverResources", p.ServerResources},
		"registerTool":        {"appTools", p.AppTools},
	}
	var list []Reason
	for _, x := range a.use.asks {
		if f, ok := facts[x.name]; ok {
			list = append(list, weighed(need{fact: f.key, app: x.what, use: x}, f.fact, func(s compat.Support) (Verdict, string) {
				return support(s, "does not have it")
			})...)
		}
	}
	return list
}

// judgeUnread says that it is not known what a view asks for, on a host that lacks any of
// what a view can ask for, or may lack it.
func judgeUnread(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil || a.use.unread.what == "" {
		return nil
	}
	r := Reason{Fact: "script", Verdict: VerdictUnknown, App: a.use.unread.what, Line: a.use.unread.line, Column: a.use.unread.column, Host: "may lack what it asks for"}
	for _, f := range []compat.Fact[compat.Support]{
		p.OpenLink, p.Message, p.UpdateModelContext, p.DownloadFile, p.RequestTeardown, p.ServerTools, p.ServerResources, p.AppTools,
	} {
		if s, known := f.Value(); !known || s != compat.Yes && s != compat.Unadvertised {
			return []Reason{r}
		}
	}
	if modes, known := p.DisplayModes.Value(); !known || len(modes) < 3 {
		return []Reason{r}
	}
	return nil
}

func judgeModes(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil {
		return nil
	}
	var list []Reason
	for _, x := range a.use.asks {
		if x.name != "requestDisplayMode" || x.mode == "inline" {
			continue
		}
		list = append(list, weighed(need{fact: "displayModes", app: x.what, use: x}, p.DisplayModes, func(modes []string) (Verdict, string) {
			if x.mode == "" && len(modes) > 1 || slices.Contains(modes, x.mode) {
				return VerdictWorks, "has it"
			}
			return VerdictDegraded, "has " + strings.Join(modes, ", ") + " only"
		})...)
	}
	return list
}

func judgePermissionsGranted(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil {
		return nil
	}
	var list []Reason
	for _, x := range a.use.permissions {
		if _, known := p.Permissions.Value(); !known && denies(p, x.name) {
			list = append(list, weighed(need{fact: "permissionsDenied", app: x.what, use: x}, p.PermissionsDenied, func(denied []string) (Verdict, string) {
				if slices.Contains(denied, x.name) {
					return VerdictDegraded, "refuses it"
				}
				return VerdictUnknown, unknownFact
			})...)
			continue
		}
		list = append(list, weighed(need{fact: "permissions", app: x.what, use: x}, p.Permissions, func(granted []string) (Verdict, string) {
			switch {
			case slices.Contains(granted, x.name):
				return VerdictWorks, "grants it"
			case len(granted) == 0:
				return VerdictDegraded, "grants no permission"
			default:
				return VerdictDegraded, "grants " + strings.Join(granted, ", ") + " only"
			}
		})...)
	}
	return list
}

// denies reports whether a source says that the host refuses a permission, of a host of
// which it is not known what else it grants.
func denies(p *compat.Profile, permission string) bool {
	return slices.ContainsFunc(p.PermissionsDenied.Claims, func(c compat.Claim[[]string]) bool {
		return c.Value != nil && slices.Contains(*c.Value, permission)
	})
}

func judgeHidden(a *hostApp, p *compat.Profile) []Reason {
	if len(a.hidden) == 0 {
		return nil
	}
	app := "has a tool for the view alone: " + text.Quote(a.hidden[0])
	if n := len(a.hidden); n > 1 {
		app = fmt.Sprintf("has %d tools for the view alone, such as %s", n, text.Quote(a.hidden[0]))
	}
	return weighed(need{fact: "hidesAppTools", app: app}, p.HidesAppTools, func(hides bool) (Verdict, string) {
		if hides {
			return VerdictWorks, "keeps them from the model"
		}
		return VerdictDegraded, "shows them to the model"
	})
}
