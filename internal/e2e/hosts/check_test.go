package hosts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

// agreesWithCheck compares what the view saw in each host with what package check says
// of the same app, which it judges by the facts: what check says is missing failed in
// the browser, and nothing else did. It returns what check says.
func agreesWithCheck(ctx context.Context, t *testing.T, server *mcp.Server, m *matrix) []check.HostReport {
	opts := &check.Options{Live: true, Timeout: patience}
	for _, p := range m.profiles {
		opts.Hosts = append(opts.Hosts, p.ID)
	}
	r, err := check.Server(ctx, server, opts)
	require.NoError(t, err)
	require.Len(t, r.Hosts, len(m.profiles))
	for i, p := range m.profiles {
		says := r.Hosts[i]
		require.Equal(t, p.ID, says.ID)
		if !showsApps(p) {
			for _, app := range says.Apps {
				assert.Equal(t, check.VerdictBlocked, app.Verdict, "%s, %s: the view was not shown", p.ID, app.URI)
			}
			continue
		}
		e := host.Emulate(p)
		for _, g := range groups {
			for _, row := range g.rows {
				if row.app == "" {
					continue
				}
				missing, unknown, words := saysOf(says, row.app, row.key)
				now, without := m.words(p, &row), row.seen(m.control)
				failed := lost(now, without)
				where := []any{"%s, %s: check says %s; the view saw %q, and %q without emulation", p.ID, row.key, words, now, without}
				switch {
				case factOf(p, row.key).Value == "":
					assert.Positive(t, unknown, where...)
					assert.Zero(t, missing, where...)
					assert.Zero(t, failed, where...)
				case slices.Contains(e.NotShown, row.key): // the host gives it in some cases only
					assert.Positive(t, missing, where...)
					assert.Zero(t, failed, where...)
				default:
					assert.Equal(t, missing, failed, where...)
				}
			}
		}
	}
	return r.Hosts
}

// saysOf returns how often check says that an app misses something by one fact, how
// often that this is unknown, and its words.
func saysOf(h check.HostReport, uri, fact string) (missing, unknown int, words string) {
	var all []string
	for _, app := range h.Apps {
		for _, reason := range app.Reasons {
			if app.URI != uri || reason.Fact != fact && (reason.Fact != "permissionsDenied" || fact != "permissions") {
				continue
			}
			all = append(all, fmt.Sprintf("%v: %v", reason.Verdict, reason))
			switch {
			case reason.Verdict >= check.VerdictDegraded:
				missing++
			case reason.Verdict == check.VerdictUnknown:
				unknown++
			}
		}
	}
	return missing, unknown, cmp.Or(strings.Join(all, "; "), "nothing")
}

// lost returns how many of the things that the view has without an emulation it has not
// now. What works and is not advertised is not lost.
func lost(now, without string) (n int) {
	if now == string(compat.Unadvertised) {
		return 0
	}
	has := strings.Split(now, ", ")
	for _, one := range strings.Split(without, ", ") {
		if !slices.Contains(has, one) {
			n++
		}
	}
	return n
}
