package check

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// A judgedApp is an app that is judged for each host.
type judgedApp struct {
	name      string
	published bool
	command   func(testing.TB) []string
	calls     []check.Call
	// live is whether it draws in a browser without a network. Of the others it is not
	// known what carries their data.
	live bool
}

// judgedApps returns the published apps and this module's examples.
func judgedApps(t *testing.T) []judgedApp {
	dir := filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var list []judgedApp
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), "server-")
		if !ok {
			continue
		}
		a := judgedApp{name: name, published: true, live: drawing[name] != nil, command: func(testing.TB) []string {
			return []string{"node", filepath.Join(dir, "server-"+name, "dist", "index.js"), "--stdio"}
		}}
		for _, tool := range drawing[name] {
			a.calls = append(a.calls, check.Call{Tool: tool})
		}
		list = append(list, a)
	}
	example := func(name string, args []string, calls ...check.Call) {
		list = append(list, judgedApp{name: "examples/" + name, live: true, calls: calls, command: func(t testing.TB) []string {
			return append([]string{e2e.Build(t, "examples/"+name)}, args...)
		}})
	}
	example("hello", nil, check.Call{Tool: "hello", Arguments: map[string]any{"name": "Ada"}})
	example("monitor", []string{"-stdio"}, check.Call{Tool: "show_monitor"}, check.Call{Tool: "sample_metrics"})
	return list
}

// unsteady are the apps whose data differ in each call or change while they are open, so
// that two openings are alike by chance only.
var unsteady = []string{"cohort-heatmap", "customer-segmentation", "system-monitor", "examples/monitor"}

// all is whether all apps are checked, and opened if they are live.
var all = golden.Updating() || testenv.Full()

// checked reports whether the app is checked, and opened whether a browser opens it too.
func (a *judgedApp) checked() bool { return all || !a.published || slices.Contains(inCI, a.name) }
func (a *judgedApp) opened() bool  { return a.live && (all || a.name == inBrowser) }

// reports are those of apps that were judged, by name. Two tests look at them.
var reports sync.Map // of func() (*check.Report, error)

// judged returns the report about the app.
func (a *judgedApp) judged(t *testing.T) *check.Report {
	once, _ := reports.LoadOrStore(a.name, sync.OnceValues(func() (*check.Report, error) {
		target := host.Target{Command: a.command(t)}
		opts := &check.Options{Timeout: patience, Hosts: hostIDs()}
		if !a.opened() {
			return check.Target(t.Context(), target, opts)
		}
		e2e.SharedBrowser(t)
		live := *opts
		live.Live, live.Calls = true, a.calls
		if !slices.Contains(unsteady, a.name) {
			return check.Target(t.Context(), target, &live)
		}
		live.Hosts = nil // nothing follows from more openings
		r, err := check.Target(t.Context(), target, &live)
		if err != nil {
			return nil, err
		}
		opts.Calls = a.calls
		judged, err := check.Target(t.Context(), target, opts)
		if err == nil {
			r.Hosts = judged.Hosts
		}
		return r, err
	}))
	r, err := once.(func() (*check.Report, error))()
	require.NoError(t, err)
	return r
}

// A confirmation is a judgement that a public report confirms.
type confirmation struct {
	app, host, fact string
	verdict         check.Verdict
	report, date    string
	says            string
}

// confirmations are reports that say of a host, or of a view like the app, what the
// judgement says.
var confirmations = []confirmation{
	{"map", "vscode", "displayModes", check.VerdictDegraded, "microsoft/vscode #290483", "2026-01-26",
		"its author writes that VS Code supports only the mode inline, and answers a request for another with it"},
	{"basic-vanillajs", "vscode", "message", check.VerdictDegraded, "microsoft/vscode #317519", "2026-05-20",
		"a message of a view is put into the input field at most, and rejected where the user has typed something; closed as designed"},
	{"map", "goose", "updateModelContext", check.VerdictDegraded, "aaif-goose/goose #8044", "2026-03-20",
		"a change that would add the request was closed"},
	{"budget-allocator", "claude-desktop", "result", check.VerdictBlocked, "modelcontextprotocol/ext-apps #696", "2026-07-07",
		"views built as the examples are get no structuredContent from local servers, and stay blank"},
}

// mark returns a mark for a report that is the source from which the judgement follows.
func (c *confirmation) mark(p *compat.Profile) string {
	for _, row := range p.Rows() {
		if row.Key == c.fact && len(row.Claims) > 0 && strings.Contains(row.Claims[0].Source.Ref, c.report) {
			return " \\*"
		}
	}
	return ""
}

// TestHostsPage judges the published apps and the examples for each host, and keeps
// docs/apps.md in step with the outcome; MCPAPPS_UPDATE=1 rewrites it. The browser is
// needed for what carries the data of a view. Without MCPAPPS_FULL=1, and unless the
// page is rewritten, only [inBrowser] is opened in it, and of the others this one fact is
// taken from the page, unless they are [unsteady]; of published apps that are not in
// [inCI], all are.
func TestHostsPage(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Apps, e2e.Browser)
	file := filepath.Join(root(), "docs", "apps.md")
	old, err := os.ReadFile(file)
	if !golden.Updating() {
		require.NoError(t, err)
	}
	var mu sync.Mutex
	judged, before := make(judgements), parse(old)
	apps := judgedApps(t)
	t.Run("apps", func(t *testing.T) {
		for _, a := range apps {
			if !a.checked() {
				for host, verdicts := range before {
					judged.set(a.name, host, verdicts[a.name])
				}
				continue
			}
			t.Run(a.name, func(t *testing.T) {
				t.Parallel()
				r := a.judged(t)
				mu.Lock()
				defer mu.Unlock()
				for _, h := range r.Hosts {
					require.Len(t, h.Apps, 1)
					facts := judge(a.name, h.ID, h.Apps[0])
					if a.live && !a.opened() && !slices.Contains(unsteady, a.name) {
						facts["result"] = before[h.ID][a.name]["result"]
					}
					judged.set(a.name, h.ID, facts)
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, c := range confirmations {
		verdict, judgedBy := judged[c.host][c.app][c.fact]
		assert.True(t, judgedBy, "%s on %s is not judged by %s", c.app, c.host, c.fact)
		assert.Equal(t, c.verdict, verdict, "%s on %s, by %s", c.app, c.host, c.fact)
	}
	assert.NoError(t, golden.Compare(file, judged.page(t, apps)))
}

func hostIDs() (ids []string) {
	for _, p := range compat.Profiles() {
		ids = append(ids, p.ID)
	}
	return ids
}

// judgements are the verdicts of facts, by host and app.
type judgements map[string]map[string]map[string]check.Verdict

func (j judgements) set(app, host string, facts map[string]check.Verdict) {
	if j[host] == nil {
		j[host] = make(map[string]map[string]check.Verdict)
	}
	j[host][app] = facts
}

// judge returns the verdicts of facts about an app, but those that work.
func judge(app, host string, v check.AppVerdict) map[string]check.Verdict {
	facts := make(map[string]check.Verdict)
	for _, r := range v.Reasons {
		if r.Verdict != check.VerdictWorks {
			facts[r.Fact] = max(facts[r.Fact], r.Verdict)
		}
	}
	if slices.Contains(unsteady, app) {
		delete(facts, "result")
		p, _ := compat.Lookup(host)
		if part, _ := p.For(compat.LocalServers).Result.Value(); part != compat.ResultWhole {
			facts["result"] = check.VerdictUnknown
		}
	}
	return facts
}

// judgement is a host's title on the page, or what one fact does to some apps.
var judgement = regexp.MustCompile("(?m)^### `([^`]+)`|^- (\\w+) by `(\\w+)`: (.+)$")

// parse returns the judgements of a page.
func parse(page []byte) judgements {
	j, host := make(judgements), ""
	for _, m := range judgement.FindAllSubmatch(page, -1) {
		var v check.Verdict
		if len(m[1]) > 0 {
			host = string(m[1])
			j[host] = make(map[string]map[string]check.Verdict)
		} else if v.UnmarshalText(m[2]) == nil {
			for app := range strings.SplitSeq(string(m[4]), ", ") {
				if j[host][app] == nil {
					j[host][app] = make(map[string]check.Verdict)
				}
				j[host][app][string(m[3])] = v
			}
		}
	}
	return j
}

func (j judgements) verdict(host, app string) check.Verdict {
	worst := check.VerdictWorks
	for _, v := range j[host][app] {
		worst = max(worst, v)
	}
	return worst
}

// marks are the verdicts in the table.
var marks = map[check.Verdict]string{
	check.VerdictWorks: "●", check.VerdictDegraded: "◐", check.VerdictBlocked: "○", check.VerdictUnknown: "?",
}

// page returns docs/apps.md.
func (j judgements) page(t *testing.T, apps []judgedApp) []byte {
	intro, err := os.ReadFile(filepath.Join("testdata", "apps.md"))
	require.NoError(t, err)
	var b bytes.Buffer
	b.Write(intro)
	var shown, others []*compat.Profile
	for _, p := range compat.Profiles() {
		if shows, known := p.ShowsApps.Value(); known && !shows {
			others = append(others, p)
		} else {
			shown = append(shown, p)
		}
	}
	b.WriteString("\n## The table\n\n| app |")
	for _, p := range shown {
		fmt.Fprintf(&b, " %s |", p.Name)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(shown)) + "\n")
	for _, a := range apps {
		fmt.Fprintf(&b, "| %s |", a.name)
		for _, p := range shown {
			fmt.Fprintf(&b, " %s |", marks[j.verdict(p.ID, a.name)])
		}
		b.WriteString("\n")
	}
	b.WriteString("\nNo apps are shown by")
	for i, p := range others {
		fmt.Fprintf(&b, "%s %s", map[bool]string{true: ",", false: ""}[i > 0], p.Name)
	}
	b.WriteString(".\n\n## Confirmed by reports\n\nThose with \\* are themselves the source from which the judgement follows.\n\n| app | host | judgement | report | date | what it says |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range confirmations {
		p, ok := compat.Lookup(c.host)
		require.True(t, ok)
		fmt.Fprintf(&b, "| %s | %s | %v by `%s` | %s%s | %s | %s |\n", c.app, p.Name, c.verdict, c.fact, c.report, c.mark(p), c.date, c.says)
	}
	b.WriteString("\n## By what\n")
	for _, p := range shown {
		fmt.Fprintf(&b, "\n### `%s`: %s\n\n", p.ID, p.Name)
		for v := check.VerdictBlocked; v > check.VerdictWorks; v-- {
			byFact := make(map[string][]string)
			for _, a := range apps {
				for fact, verdict := range j[p.ID][a.name] {
					if verdict == v {
						byFact[fact] = append(byFact[fact], a.name)
					}
				}
			}
			for _, fact := range slices.Sorted(maps.Keys(byFact)) {
				fmt.Fprintf(&b, "- %v by `%s`: %s\n", v, fact, strings.Join(byFact[fact], ", "))
			}
		}
	}
	return b.Bytes()
}
