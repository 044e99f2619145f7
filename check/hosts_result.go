package check

import (
	"encoding/json"
	"slices"

	"github.com/mcpapps-go/mcpapps/compat"
)

// judgeStripped judges whether the view needs a part of its result that the host drops.
// A host of which it is not known what it drops may drop all but content.
func judgeStripped(a *hostApp, p *compat.Profile) []Reason {
	if a.use == nil || !a.use.hasScript { // it shows no result
		return nil
	}
	n := need{fact: "result", app: "may need a part of its result that a host drops, which was not tried: " + a.unopened}
	rest := restOf(p)
	if rest == compat.ResultWhole {
		n.app = "may need all of its result"
	} else if s, ok := a.without(rest); ok {
		if s.verdict == VerdictWorks {
			return nil
		}
		n.app = s.says
	}
	return weighed(n, p.Result, func(r compat.Result) (Verdict, string) {
		verdict := VerdictWorks
		if r != compat.ResultWhole {
			verdict = VerdictUnknown
			if s, ok := a.without(r); ok {
				verdict = s.verdict
			}
		}
		if what := dropped[r]; what != "" {
			return verdict, "drops " + what
		}
		return verdict, "passes on the whole result"
	})
}

// dropped says what hosts drop of a result, by what they leave.
var dropped = map[compat.Result]string{
	compat.ResultWithoutMeta: "_meta",
	compat.ResultContentOnly: "structuredContent and _meta",
	compat.ResultEmpty:       "content, structuredContent and _meta",
}

// restOf returns what the view gets of a result on a host, the least of it if that is
// not known.
func restOf(p *compat.Profile) compat.Result {
	if r, known := p.Result.Value(); known {
		return r
	}
	return compat.ResultContentOnly
}

// without returns what is known of the view where only a rest of its result arrives.
func (a *hostApp) without(rest compat.Result) (s shown, known bool) {
	if s, known = a.views[rest]; known {
		return s, true
	}
	if slices.ContainsFunc(a.results, func(r json.RawMessage) bool { return loses(r, rest) }) {
		return shown{}, false
	}
	return shown{verdict: VerdictWorks}, len(a.results) > 0 // nothing of it is dropped
}

// leaving is a host that leaves a rest of results and is like any other otherwise, nil
// for one that passes on the whole.
func leaving(rest compat.Result) *compat.Profile {
	if rest == compat.ResultWhole {
		return nil
	}
	p := &compat.Profile{ID: string(rest), Name: "a host that drops " + dropped[rest]}
	p.Result.Claims = []compat.Claim[compat.Result]{{Value: &rest}}
	return p
}

// loses reports whether a result has anything that a host drops.
func loses(result json.RawMessage, rest compat.Result) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(result, &keys) != nil {
		return false
	}
	has := func(key string) bool { return keys[key] != nil }
	switch rest {
	case compat.ResultWithoutMeta:
		return has("_meta")
	case compat.ResultContentOnly:
		return has("_meta") || has("structuredContent")
	case compat.ResultEmpty:
		return has("_meta") || has("structuredContent") || has("content")
	}
	return false
}

// dropsTo reports whether a source says that a rest of a result is all that arrives on a
// host, or if that is the least where no source says anything.
func dropsTo(p *compat.Profile, rest compat.Result) bool {
	if _, known := p.Result.Value(); !known && rest == compat.ResultContentOnly {
		return true
	}
	return slices.ContainsFunc(p.Result.Claims, func(c compat.Claim[compat.Result]) bool { return c.Value != nil && *c.Value == rest })
}
