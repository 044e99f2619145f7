// Package hosts opens one view, which tries every fact that a view can see, in a browser
// under the emulation of each host that package compat knows, and compares what it saw
// with the facts, and with what package check says of the same view.
package hosts

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// patience bounds the tests, also on a machine that does other things too.
const patience = 5 * time.Minute

// TestRowsAreComplete shows that each fact is tried, or has a reason why not.
func TestRowsAreComplete(t *testing.T) {
	var got, want []string
	for _, g := range groups {
		for _, r := range g.rows {
			got = append(got, r.key)
		}
	}
	for key := range untried {
		got = append(got, key)
	}
	got = append(got, "showsApps") // decides whether there is a view at all
	for _, r := range new(compat.Profile).Rows() {
		want = append(want, r.Key)
	}
	assert.ElementsMatch(t, want, got)
}

// TestHosts opens the view in hosts. CI opens it in as few as have each value of each fact, and
// takes what it sees in the others from their facts; ci/full opens it in all. Outside of CI
// it is opened in a host that has everything and in one that has nothing.
func TestHosts(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	server := newServer(t)
	conn, err := host.Connect(ctx, host.Target{Server: server}, nil)
	require.NoError(t, err)
	defer conn.Close()

	strict, chosen := strictest(), compat.Profiles()
	saw := seeAll(ctx, t, conn, []*compat.Profile{nil, strict})
	m := &matrix{profiles: compat.Profiles(), saw: saw, control: saw[nil]}
	t.Run("without emulation", func(t *testing.T) { allWorks(t, m.control) })
	t.Run("without anything", func(t *testing.T) {
		nothingWorks(t, m.control, saw[strict], strict)
		agreesWithFacts(t, m.control, saw[strict], strict)
	})

	if !golden.Updating() {
		e2e.Need(t, e2e.Patience)
		if !testenv.Full() {
			chosen = fewest(append(otherwise(), strict), chosen)
		}
	}
	chosen = append(otherwise(), chosen...)
	maps.Copy(saw, seeAll(ctx, t, conn, chosen))
	for _, p := range chosen {
		t.Run(p.ID, func(t *testing.T) { agreesWithFacts(t, m.control, saw[p], p) })
	}
	t.Run("check", func(t *testing.T) { m.verdicts = agreesWithCheck(ctx, t, server, m) })
	t.Run("matrix", func(t *testing.T) {
		assert.NoError(t, golden.Compare("../../../docs/hosts-matrix.md", m.markdown()))
	})
}

// fewest returns as few of the hosts as have, together with others, each value of each fact
// that a view sees. All sizes of one kind are one value.
func fewest(others, hosts []*compat.Profile) (chosen []*compat.Profile) {
	seen := make(map[string]bool)
	mark := func(p *compat.Profile) {
		for _, v := range values(p) {
			seen[v] = true
		}
	}
	for _, p := range others {
		mark(p)
	}
	for {
		var best *compat.Profile
		most := 0
		for _, p := range hosts {
			if n := len(slices.DeleteFunc(values(p), func(v string) bool { return seen[v] })); n > most {
				best, most = p, n
			}
		}
		if best == nil {
			return chosen
		}
		mark(best)
		chosen = append(chosen, best)
	}
}

var digits = regexp.MustCompile(`\d+`)

// values returns the values of a host's facts that a view sees, by row.
func values(p *compat.Profile) (list []string) {
	if !showsApps(p) {
		return []string{"no apps"}
	}
	notShown := host.Emulate(p).NotShown
	for _, g := range groups {
		for _, r := range g.rows {
			if fact := factOf(p, r.key); fact.Value != "" {
				list = append(list, fmt.Sprint(r.key, digits.ReplaceAllString(inWords(fact.Value), "n"), slices.Contains(notShown, r.key)))
			}
		}
	}
	return list
}

// seeAll opens the view in hosts, of which nil is one without an emulation, up to
// four at a time.
func seeAll(ctx context.Context, t *testing.T, conn *host.Connection, profiles []*compat.Profile) map[*compat.Profile]*seen {
	browser := e2e.SharedBrowser(t)
	saw := make(map[*compat.Profile]*seen)
	var wg sync.WaitGroup
	var mu sync.Mutex
	tabs := make(chan struct{}, 4)
	for _, p := range profiles {
		h := newProgram(t, conn, p)
		wg.Go(func() {
			tabs <- struct{}{}
			defer func() { <-tabs }()
			s, err := h.show(ctx, browser)
			mu.Lock()
			defer mu.Unlock()
			saw[p] = s
			assert.NoError(t, err, "%s", h.name)
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return saw
}

// allWorks holds the rows to a host that has everything: a probe that does not work
// there would find the same as in a host without.
func allWorks(t *testing.T, s *seen) {
	want := map[string]string{
		"displayModes": "fullscreen, inline, pip", "size": "800 wide, at most 600 high", "platform": "none", "partialInput": "no",
		"result": "whole", "resultLimit": "whole", "reload": "whole", "documentLimit": "read",
		"permissions": "camera, clipboardWrite, geolocation, microphone",
	}
	for _, g := range groups {
		for _, r := range g.rows {
			w, ok := want[r.key]
			assert.Equal(t, choose(ok, w, "yes"), r.seen(s), "%s", r.key)
		}
	}
}

// nothingWorks shows that each row sees something else in a host that has nothing.
func nothingWorks(t *testing.T, control, s *seen, p *compat.Profile) {
	known := make(map[string]bool)
	for _, r := range p.Rows() {
		known[r.Key] = r.Value != ""
	}
	for _, g := range groups {
		for _, r := range g.rows {
			assert.True(t, known[r.key], "%s", r.key)
			assert.NotEqual(t, r.seen(control), r.seen(s), "%s", r.key)
		}
	}
}

// agreesWithFacts compares what the view saw with what is known of the host.
func agreesWithFacts(t *testing.T, control, s *seen, p *compat.Profile) {
	e := host.Emulate(p)
	if !showsApps(p) {
		assert.True(t, s.noApps, "the host shows no apps")
		return
	}
	require.False(t, s.noApps, "the host shows apps")
	for name, r := range map[string]report{"first": s.first, "again": s.again, "long": s.long, "slow": s.slow} {
		assert.Empty(t, r.Problem, name)
		assert.Equal(t, p.ID, r.Host.HostInfo.Name, name)
	}
	assert.JSONEq(t, `{"arguments":`+mustJSON(tryArgs)+`}`, string(s.first.params("ui/notifications/tool-input")), "no host changes the input")
	order := []string{"input-partial", "input", "result"}
	if partial, _ := p.PartialInput.Value(); !partial {
		order = order[1:]
	}
	assert.Equal(t, order, s.first.ofTheCall())
	for _, g := range groups {
		for _, r := range g.rows {
			fact := factOf(p, r.key)
			if slices.Contains(e.NotShown, r.key) {
				assert.Equal(t, string(compat.Restricted), inWords(fact.Value), "%s is not emulated", r.key)
			}
			assert.Equal(t, r.follows(control, p), r.seen(s), "%s: the fact is %s", r.key, inWords(fact.Value))
		}
	}
}

func showsApps(p *compat.Profile) bool {
	shows, known := p.ShowsApps.Value()
	return shows || !known
}

// follows returns what a view sees in a host by its facts: the same as without an emulation
// where the fact is not known or not emulated.
func (r *row) follows(control *seen, p *compat.Profile) string {
	fact := factOf(p, r.key)
	if fact.Value == "" || slices.Contains(host.Emulate(p).NotShown, r.key) {
		return r.seen(control)
	}
	words := inWords(fact.Value)
	if r.shows != nil {
		return r.shows(words)
	}
	return words
}

// factOf returns the fact of a profile with a key. Permissions of which only refused ones
// are known are all others, with the key of the refused ones.
func factOf(p *compat.Profile, key string) compat.Row {
	rows := p.Rows()
	if denied, known := p.PermissionsDenied.Value(); known && key == "permissions" && len(p.Permissions.Claims) == 0 {
		fact := factOf(p, "permissionsDenied")
		fact.Value = mustJSON(slices.DeleteFunc(slices.Clone(metakey.PermissionNames), func(name string) bool { return slices.Contains(denied, name) }))
		return fact
	}
	i := slices.IndexFunc(rows, func(r compat.Row) bool { return r.Key == key })
	if i < 0 {
		panic(fmt.Sprintf("no fact %q", key))
	}
	return rows[i]
}
