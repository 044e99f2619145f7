package hosts

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

// A matrix is what the view saw in hosts, and what package check says of it.
type matrix struct {
	profiles []*compat.Profile
	saw      map[*compat.Profile]*seen
	control  *seen
	verdicts []check.HostReport
}

const matrixHead = `# What a view sees in each host

This page is written by a test (` + "`MCPAPPS_UPDATE=1 go test ./internal/e2e/hosts`" + `). Nobody who
maintains it could run these hosts. One view that tries everything was opened in Chromium under the
emulation of each host that package ` + "`compat`" + ` knows, and this is what it saw. Each value follows
from a dated source, which [hosts.md](hosts.md) names. The test fails where the view sees something
else than the source says, or than ` + "`mcpapps check -host`" + ` says of the same view.

**?** marks what comes from no source: it is what the view sees without an emulation, as in the first
line. It does not mean that the host does the same. **\*** holds under a condition only, which the
number leads to. **restricted** means that the host decides in each case, which is not emulated.
`

// markdown returns the page.
func (m *matrix) markdown() []byte {
	var b bytes.Buffer
	b.WriteString(matrixHead)
	notes := &footnotes{}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| host |", g.title)
		for _, r := range g.rows {
			fmt.Fprintf(&b, " %s |", r.name())
		}
		fmt.Fprintf(&b, "\n| --- |%s\n| without emulation |", strings.Repeat(" --- |", len(g.rows)))
		for _, r := range g.rows {
			fmt.Fprintf(&b, " %s |", r.seen(m.control))
		}
		b.WriteString("\n")
		for _, p := range m.shown() {
			fmt.Fprintf(&b, "| %s |", link(p.Name))
			for _, r := range g.rows {
				fmt.Fprintf(&b, " %s |", m.cell(p, &r, notes))
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n" + notes.String())
	m.writeVerdicts(&b)
	m.writeRest(&b)
	return b.Bytes()
}

// shown are the hosts that show apps.
func (m *matrix) shown() (list []*compat.Profile) {
	for _, p := range m.profiles {
		if showsApps(p) {
			list = append(list, p)
		}
	}
	return list
}

// words says what the view saw by a row, or what follows from the facts where it was not
// opened.
func (m *matrix) words(p *compat.Profile, r *row) string {
	if s := m.saw[p]; s != nil {
		return r.seen(s)
	}
	return r.follows(m.control, p)
}

func (m *matrix) cell(p *compat.Profile, r *row, notes *footnotes) string {
	words, fact := m.words(p, r), factOf(p, r.key)
	switch {
	case fact.Value == "", fact.Key != r.key:
		return words + " ?"
	case slices.Contains(host.Emulate(p).NotShown, r.key):
		return inWords(fact.Value)
	case fact.When != "":
		return words + "\\* " + notes.number(fact.When)
	}
	return words
}

// footnotes numbers conditions.
type footnotes struct{ list []string }

func (n *footnotes) number(condition string) string {
	i := slices.Index(n.list, condition)
	if i < 0 {
		i, n.list = len(n.list), append(n.list, condition)
	}
	return fmt.Sprintf("(%d)", i+1)
}

func (n *footnotes) String() string {
	var b strings.Builder
	for i, condition := range n.list {
		fmt.Fprintf(&b, "- (%d) for %s\n", i+1, condition)
	}
	return b.String()
}

// writeVerdicts writes what check says of the app.
func (m *matrix) writeVerdicts(b *bytes.Buffer) {
	b.WriteString("\n## What the check says of this view\n\n| host | verdict | facts that block or degrade it | facts that are not known |\n| --- | --- | --- | --- |\n")
	for _, h := range m.verdicts {
		for _, app := range h.Apps {
			if app.URI != rowsURI {
				continue
			}
			var missing []string
			unknown := make(map[string]bool)
			for _, reason := range app.Reasons {
				title := titleOf(reason.Fact)
				switch {
				case reason.Verdict >= check.VerdictDegraded && !slices.Contains(missing, title):
					missing = append(missing, title)
				case reason.Verdict == check.VerdictUnknown:
					unknown[title] = true
				}
			}
			fmt.Fprintf(b, "| %s | %v | %s | %d |\n", link(h.Name), app.Verdict, strings.Join(missing, ", "), len(unknown))
		}
	}
}

// writeRest writes what no view sees.
func (m *matrix) writeRest(b *bytes.Buffer) {
	b.WriteString("\n## What no view sees here\n\n")
	for _, p := range m.profiles {
		if !showsApps(p) {
			fmt.Fprintf(b, "- %s shows no apps.\n", link(p.Name))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(untried), func(a, b string) int { return cmp.Compare(titleOf(a), titleOf(b)) }) {
		fmt.Fprintf(b, "- %s: %s.\n", titleOf(key), untried[key])
	}
}

// link links to what is known of a host.
func link(name string) string {
	return fmt.Sprintf("[%s](hosts.md#%s)", name, strings.NewReplacer("(", "", ")", "", " ", "-").Replace(strings.ToLower(name)))
}

// titleOf returns the title of a fact.
func titleOf(key string) string { return factOf(new(compat.Profile), key).Title }
