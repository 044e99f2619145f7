package hostnames

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
)

var (
	web   = &compat.Profile{ID: "acme-web", Host: "acme"}
	phone = &compat.Profile{ID: "acme-phone", Host: "acme"}
	other = &compat.Profile{ID: "other", Host: "other"}
	tv    = &compat.Profile{ID: "other-tv", Host: "other"}
	some  = []*compat.Profile{web, phone, other, tv}
)

func TestAmong(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  []*compat.Profile
	}{
		{nil, nil},
		{[]string{"other-tv", "acme-web", "other-tv"}, []*compat.Profile{tv, web}},
		{[]string{"acme-phone", "acme"}, []*compat.Profile{phone, web}},
		{[]string{"other"}, []*compat.Profile{other}}, // an ID comes first
		{[]string{"tv", "all"}, nil},
		{[]string{"phone", "all"}, nil},
		{[]string{"other", "all"}, []*compat.Profile{other, web, phone, tv}},
	} {
		got, err := Among(c.names, some)
		assert.Equal(t, c.want, got, "%v", c.names)
		assert.Equal(t, c.want == nil && c.names != nil, err != nil)
	}
	all, err := Named([]string{"all"})
	require.NoError(t, err)
	assert.Equal(t, compat.Profiles(), all)
}

// TestUnknown shows what is said of a name that stands for nothing.
func TestUnknown(t *testing.T) {
	_, err := Among([]string{"other", "acme-wed"}, some)
	assert.EqualError(t, err, `names "acme-wed", of which there is no profile: the nearest is "acme-web"; there are acme-web, acme-phone, other, other-tv; acme: acme-web, acme-phone; all: each of them`)
	for name, near := range map[string]string{
		"gose": "goose", "cladue": "claude", "claud": "claude", "chatgtp": "chatgpt", "claude-destop": "claude-desktop",
		"vs-code": "vscode", "al": "all", "Claude": "claude",
		"": "", "something else": "", "nothing like it" + strings.Repeat("x", 1000): "",
	} {
		_, err := Named([]string{name})
		require.Error(t, err)
		want := "profile: there are agentcore, chatgpt, "
		if near != "" {
			want = `profile: the nearest is "` + near + `"; there are `
		}
		assert.ErrorContains(t, err, want, name)
		assert.ErrorContains(t, err, "; claude: claude-android, claude-desktop, ")
		assert.Less(t, len(err.Error()), 900)
	}
}
