package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
)

// profiled are the hosts in rules that have profiles, by their IDs there.
var profiled = map[string]string{
	hostClaude: "claude", hostChatGPT: "chatgpt", hostVSCode: "vscode", hostGoose: "goose", hostLibreChat: "librechat",
}

// TestRulesAgreeWithProfiles shows that what rules say of hosts agrees with package
// compat: where a rule rests on a fact, the profiles of the named hosts that know the
// fact say the same, and at least one does.
func TestRulesAgreeWithProfiles(t *testing.T) {
	for code, c := range map[string]struct {
		host string
		fact func(p *compat.Profile) (agrees, known bool)
	}{
		domainFormat.Code: {hostClaude, func(p *compat.Profile) (bool, bool) {
			f, ok := p.Domain.Value()
			return f == compat.DomainClaude, ok
		}},
		domainHost.Code: {hostClaude, func(p *compat.Profile) (bool, bool) {
			f, ok := p.Domain.Value()
			return f == compat.DomainClaude, ok
		}},
		resultSize.Code: {hostClaude, func(p *compat.Profile) (bool, bool) {
			n, ok := p.ResultLimit.Value()
			return n == maxResult, ok
		}},
		resourceSize.Code: {hostLibreChat, func(p *compat.Profile) (bool, bool) {
			n, ok := p.DocumentLimit.Value()
			return n == maxDocument, ok
		}},
	} {
		assert.Contains(t, catalogue[code].Hosts, c.host, code)
		known := 0
		for _, p := range compat.Profiles() {
			if p.Host != profiled[c.host] {
				continue
			}
			if agrees, ok := c.fact(p); ok {
				known++
				assert.True(t, agrees, "%s and the profile %s", code, p.ID)
			}
		}
		assert.Positive(t, known, "%s: no profile of %s knows it", code, c.host)
	}
}

// TestRuleHosts shows that each host that rules name is one with profiles, or has none.
func TestRuleHosts(t *testing.T) {
	byName := make(map[string]string)
	hosts := make(map[string]bool)
	for _, p := range compat.Profiles() {
		byName[p.Name] = p.Host
		hosts[p.Host] = true
	}
	for name, id := range profiled {
		require.True(t, hosts[id], "%s: no profile is of the host %q", name, id)
	}
	for _, r := range Rules() {
		for _, name := range r.Hosts {
			if id, ok := byName[name]; ok {
				assert.Equal(t, id, profiled[name], "%s names %q, which has a profile", r.Code, name)
			}
		}
	}
}
