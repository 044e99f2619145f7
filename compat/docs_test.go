package compat

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocs keeps docs/hosts.md in step with the profiles; MCPAPPS_UPDATE=1 rewrites it.
func TestDocs(t *testing.T) {
	assert.NoError(t, golden.Compare(filepath.Join("..", "docs", "hosts.md"), hostsPage(t)))
}

// TestOldSources warns of each file whose sources are old today. It does not fail: who
// maintains the files can't measure most hosts.
func TestOldSources(t *testing.T) {
	for _, p := range Profiles() {
		if p.Source.Old(time.Now()) {
			t.Logf("warning: profiles/%s.json: its source is of %s, and counts as old since %s",
				p.ID, p.Source.Date, p.Source.OldFrom().Format(time.DateOnly))
		}
	}
}

// groups are the tables of the page, each with the key of its first fact.
var groups = []struct{ title, first string }{
	{"What the host is", "clientNames"},
	{"What it shows of a view", "displayModes"},
	{"What a view receives", "partialInput"},
	{"What a view can ask for", "openLink"},
	{"What it honours of a declaration", "connectDomains"},
	{"What it keeps, and what its model reads", "listsKept"},
}

func hostsPage(t *testing.T) []byte {
	intro, err := os.ReadFile("testdata/hosts.md")
	require.NoError(t, err)
	page := newPage()
	page.Write(intro)

	var shows, none []*Profile
	for _, p := range Profiles() {
		if v, known := p.ShowsApps.Value(); v && known {
			shows = append(shows, p)
		} else {
			none = append(none, p)
		}
	}
	titles := tables(t)
	for _, g := range groups {
		page.table(g.title, titles[g.title], shows)
	}
	page.table("Hosts without apps", titles[groups[0].title], none)
	for _, p := range append(shows, none...) {
		page.host(p)
	}
	page.sources()
	return page.Bytes()
}

// tables returns the keys of the facts of each group.
func tables(t *testing.T) map[string][]string {
	keys := make(map[string][]string)
	next := 0
	for _, f := range facts(new(Profile)) {
		if next < len(groups) && groups[next].first == f.key {
			next++
		}
		require.NotZero(t, next, "the first group begins with the first fact")
		title := groups[next-1].title
		keys[title] = append(keys[title], f.key)
	}
	require.Equal(t, len(groups), next, "each group begins with a fact, in the order of the facts")
	return keys
}

// TestLegend shows that the page says what the words of its tables mean.
func TestLegend(t *testing.T) {
	page := string(hostsPage(t))
	for _, v := range []any{Support(""), Result(""), Reload(""), DomainFormat(""), Reading("")} {
		for _, word := range words("", v) {
			if word != string(Yes) {
				assert.Contains(t, page, "**"+word+"**", "%T", v)
			}
		}
	}
}
