package compat

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The claims about the kind of a server decide for it, and never for the other kind.
func TestFor(t *testing.T) {
	claim := func(v Result, when string) Claim[Result] { return Claim[Result]{Value: &v, When: when} }
	p := &Profile{
		ID:     "h",
		Result: Fact[Result]{[]Claim[Result]{claim(ResultWhole, "Teams"), claim(ResultContentOnly, LocalServers), claim(ResultWithoutMeta, "")}},
		Engine: Fact[Engine]{[]Claim[Engine]{{Value: new(Engine), When: LocalServers}}},
	}
	whens := func(p *Profile) (list []string) {
		for _, c := range p.Result.Claims {
			list = append(list, c.When)
		}
		return list
	}
	assert.Same(t, p, p.For(""))
	local, connected := p.For(LocalServers), p.For(Connectors)
	assert.Equal(t, []string{LocalServers, "Teams", ""}, whens(local))
	assert.Equal(t, []string{"Teams", "", LocalServers}, whens(connected))
	assert.Len(t, local.Engine.Claims, 1)
	assert.Empty(t, connected.Engine.Claims)
	assert.Equal(t, []string{"Teams", LocalServers, ""}, whens(p), "the profile is shared")

	desktop, ok := Lookup("claude-desktop")
	require.True(t, ok)
	for kind, want := range map[string]Result{LocalServers: ResultContentOnly, Connectors: ResultWhole} {
		got, _ := desktop.For(kind).Result.Value()
		assert.Equal(t, want, got)
	}
}
