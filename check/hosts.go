package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// A Verdict says how an app fares on a host.
type Verdict int

const (
	// VerdictWorks means that nothing is known to be missing.
	VerdictWorks Verdict = iota
	// VerdictUnknown means that the app needs something of which no source says
	// whether the host has it.
	VerdictUnknown
	// VerdictDegraded means that a part of the app does not work.
	VerdictDegraded
	// VerdictBlocked means that the app is not shown, or shows nothing of use.
	VerdictBlocked
)

// String returns "works", "unknown", "degraded" or "blocked".
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdicts) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdicts[v]
}

var verdicts = []string{"works", "unknown", "degraded", "blocked"}

// MarshalText encodes the verdict as its word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText decodes one of the words.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts, string(text))
	if i < 0 {
		return fmt.Errorf("verdict %q: it must be one of %s", text, strings.Join(verdicts, ", "))
	}
	*v = Verdict(i)
	return nil
}

// A HostReport says how the apps of a server fare on one host, as far as its profile
// in package compat is known.
type HostReport struct {
	// ID and Name are those of the [compat.Profile].
	ID   string `json:"id"`
	Name string `json:"name"`
	// Apps has each app that a tool opens, in the order of the tools.
	Apps []AppVerdict `json:"apps"`
}

// An AppVerdict says how one app fares on a host.
type AppVerdict struct {
	// Tool is a tool that opens the app. It is "" for [Document].
	Tool string `json:"tool,omitempty"`
	URI  string `json:"uri"`
	// Verdict is the worst one of Reasons, and VerdictWorks if Reasons is empty. From the
	// worst down they are blocked, degraded, unknown, works.
	Verdict Verdict `json:"verdict"`
	// Reasons are sorted: those of the worst verdict first.
	Reasons []Reason `json:"reasons,omitempty"`
}

// A Reason is something that the app needs and that the host does not give, or of which
// it is not known whether it does.
type Reason struct {
	// Fact is the key of the fact in the profile, such as "downloadFile". It is "script"
	// where a script can't be read, so that it is not known what the app needs.
	Fact string `json:"fact"`
	// Verdict is what follows from this reason alone. It is VerdictWorks if other
	// sources contradict the first one, which says that the host gives it.
	Verdict Verdict `json:"verdict"`
	// App says what the app does. Line and Column are the first place in its document
	// where it does so, counted from 1, the column in bytes; 0 where the app has no such place.
	App    string `json:"app"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Host says what the host does, When the condition under which it does so, "" if
	// it always does, and Source who says so, with a Note on it, "" if the source needs no note.
	// Source is nil where nobody does.
	Host   string         `json:"host"`
	When   string         `json:"when,omitempty"`
	Source *compat.Source `json:"source,omitempty"`
	Note   string         `json:"note,omitempty"`
	// Others are what other sources say, as far as another verdict follows from it.
	Others []OtherClaim `json:"others,omitempty"`
}

// An OtherClaim is what a further source says of the host.
type OtherClaim struct {
	Verdict Verdict       `json:"verdict"`
	Host    string        `json:"host"`
	When    string        `json:"when,omitempty"`
	Source  compat.Source `json:"source"`
	Note    string        `json:"note,omitempty"`
}

// maxJudged bounds how many apps are judged for hosts.
const maxJudged = 200

// judgeHosts judges the apps that tools open for the hosts that the options name, and
// adds what it finds to the report.
func (found *findings) judgeHosts(r *Report, o *Options, main *answers.Record, calls *unasked.Policy) {
	if len(o.hosts) == 0 {
		return
	}
	apps := found.hostApps(main, calls, o.Live)
	if n := len(apps); n > maxJudged {
		r.Unchecked = append(r.Unchecked, Unchecked{Part: "hosts", Reason: fmt.Sprintf("of %d apps, the first %d are judged for hosts", n, maxJudged)})
		apps = apps[:maxJudged]
	}
	r.Hosts = judgeApps(apps, o.hosts)
}

func judgeApps(apps []*hostApp, profiles []*compat.Profile) []HostReport {
	list := make([]HostReport, len(profiles))
	for i, p := range profiles {
		list[i] = HostReport{ID: p.ID, Name: p.Name, Apps: []AppVerdict{}}
		for _, a := range apps {
			list[i].Apps = append(list[i].Apps, a.judge(p))
		}
	}
	return list
}

// judge returns how the app fares on a host.
func (a *hostApp) judge(p *compat.Profile) AppVerdict {
	v := AppVerdict{Tool: a.tool, URI: a.uri}
	for _, judge := range hostJudgements {
		v.Reasons = append(v.Reasons, judge(a, p)...)
	}
	if shows, known := p.ShowsApps.Value(); known && !shows { // nothing else matters
		v.Reasons = v.Reasons[:1]
	}
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return cmp.Compare(b.Verdict, a.Verdict) })
	if len(v.Reasons) > 0 {
		v.Verdict = v.Reasons[0].Verdict
	}
	return v
}

// Blocked reports whether the app is blocked on a host that shows apps. A host that shows
// none shows the text of results, and no app can do anything about it.
func (v *AppVerdict) Blocked() bool {
	return v.Verdict == VerdictBlocked && v.Reasons[0].Fact != factShowsApps
}

// blocks reports whether any app is blocked on the host, see [AppVerdict.Blocked].
func (h *HostReport) blocks() bool {
	return slices.ContainsFunc(h.Apps, func(v AppVerdict) bool { return v.Blocked() })
}

// Count returns how many of the host's apps have the verdict.
func (h *HostReport) Count(v Verdict) int {
	n := 0
	for i := range h.Apps {
		if h.Apps[i].Verdict == v {
			n++
		}
	}
	return n
}
