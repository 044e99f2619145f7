// Package hosts opens one view, which tries every fact that a view can see, in a browser
// under the emulation of each host that package compat knows, and compares what it saw
// with the facts, and with what package check says of the same view.
package hosts

import (
	"context"
	"fmt"
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

// TestHosts opens the view in all hosts.
func TestHosts(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	server := newServer(t)
	conn, err := host.Connect(ctx, host.Target{Server: server}, nil)
	require.NoError(t, err)
	defer conn.Close()

	strict, others := strictest(), otherwise()
	profiles := slices.Concat([]*compat.Profile{nil, strict}, others, compat.Profiles())
	saw := seeAll(ctx, t, conn, profiles)
	m := &matrix{profiles: compat.Profiles(), saw: saw, control: saw[nil]}

	t.Run("without emulation", func(t *testing.T) { allWorks(t, m.control) })
	t.Run("without anything", func(t *testing.T) { nothingWorks(t, m.control, saw[strict], strict) })
	for _, p := range profiles[1:] {
		t.Run(p.ID, func(t *testing.T) { agreesWithFacts(t, m.control, saw[p], p) })
	}
	t.Run("check", func(t *testing.T) { m.verdicts = agreesWithCheck(ctx, t, server, m) })
	t.Run("matrix", func(t *testing.T) {
		assert.NoError(t, golden.Compare("../../../docs/hosts-matrix.md", m.markdown()))
	})
}

// seeAll opens the view in all hosts, of which nil is one without an emulation, up to
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
	if shows, known := p.ShowsApps.Value(); known && !shows {
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
			want, fact := r.seen(control), factOf(p, r.key)
			switch {
			case fact.Value == "": // as without the emulation
			case slices.Contains(e.NotShown, r.key):
				assert.Equal(t, string(compat.Restricted), inWords(fact.Value), "%s is not emulated", r.key)
			default:
				want = r.wants(fact)
			}
			assert.Equal(t, want, r.seen(s), "%s: the fact is %s", r.key, inWords(fact.Value))
		}
	}
}

// wants returns what a view sees where a fact is known.
func (r *row) wants(fact compat.Row) string {
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
