package mcpapps

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// internal/e2e/client checks the same table in Chromium.
func TestAllows(t *testing.T) {
	data, err := os.ReadFile("testdata/csp-origins.txt")
	require.NoError(t, err)
	var c *CSP
	cases := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != '\t':
			c = &CSP{ConnectDomains: []string{line}}
			require.Empty(t, c.Dropped())
		default:
			word, origin, ok := strings.Cut(line[1:], " ")
			require.True(t, ok && (word == "yes" || word == "no"), line)
			origin = strings.TrimSpace(origin)
			assert.Equal(t, word == "yes", c.Allows("connect-src", origin), "%s of %s", origin, c.ConnectDomains)
			cases++
		}
	}
	assert.Greater(t, cases, 70)
}

func TestAllowsByDirective(t *testing.T) {
	c := &CSP{
		ConnectDomains: []string{"https://connect.test"}, ResourceDomains: []string{"https://resource.test"},
		FrameDomains: []string{"https://frame.test"}, BaseURIDomains: []string{"https://base.test"},
	}
	for directive, field := range map[string]string{
		"connect-src": "connect", "script-src": "resource", "script-src-elem": "resource", "script-src-attr": "resource",
		"style-src": "resource", "style-src-elem": "resource", "style-src-attr": "resource", "img-src": "resource", "font-src": "resource", "media-src": "resource",
		"frame-src": "frame", "child-src": "frame", "base-uri": "base",
		"object-src": "", "form-action": "", "default-src": "", "worker-src": "", "img-src-elem": "", "": "", "frame-ancestors": "",
	} {
		for _, f := range []string{"connect", "resource", "frame", "base"} {
			assert.Equal(t, f == field, c.Allows(directive, "https://"+f+".test"), "%s: %s", directive, f)
		}
		assert.False(t, (*CSP)(nil).Allows(directive, "https://connect.test"))
		assert.False(t, (&CSP{}).Allows(directive, "https://connect.test"))
		want := map[string]string{"connect": "connectDomains", "resource": "resourceDomains", "frame": "frameDomains", "base": "baseUriDomains"}[field]
		assert.Equal(t, want, CSPField(directive), directive)
	}
}

// Allows and Policy agree on the origins of each directive.
func TestPolicyAndAllowsAgree(t *testing.T) {
	c := &CSP{
		ConnectDomains: []string{"https://connect.test"}, ResourceDomains: []string{"https://resource.test"},
		FrameDomains: []string{"https://frame.test"}, BaseURIDomains: []string{"https://base.test"},
	}
	for directive := range strings.SplitSeq(c.Policy(), "; ") {
		words := strings.Fields(directive)
		for _, f := range []string{"connect", "resource", "frame", "base"} {
			origin := "https://" + f + ".test"
			assert.Equal(t, slices.Contains(words, origin), c.Allows(words[0], origin), directive)
		}
	}
}

func TestAllowsOddOrigins(t *testing.T) {
	c := &CSP{ConnectDomains: []string{"https://*.example.test", "https://dropped.test/", "*", "https://*"}}
	for _, origin := range []string{
		"", "https://", "https://*.example.test", "https://a.*.example.test", "https://.example.test.", "a.example.test",
		"https://dropped.test", "https://dropped.test/", "https://a.example.test/", "https://a.example.test?", "https://u@a.example.test",
		"https://a.example.test:", "https://a.example.test:x", "https://a.example.test:65536", "https://[a.example.test", "data:", "blob:https://a.example.test", "*",
		"ftp://a.example.test", "file://a.example.test",
		"https://\u212a.example.test", // which is k in lower case, and not ASCII
		"https://" + strings.Repeat("a.", 121) + "example.test",
	} {
		assert.False(t, c.Allows("connect-src", origin), "%q", origin)
	}
	assert.True(t, c.Allows("connect-src", "https://a.example.test:0443"), "a port is a number")
}

// A hostile server chooses both the entries and the origins.
func TestMatcherIsQuickForManyEntries(t *testing.T) {
	c := &CSP{}
	for i := range 100_000 {
		c.ConnectDomains = append(c.ConnectDomains, fmt.Sprintf("http://example.test:%d", i%65535+1), fmt.Sprintf("https://*.a%d.test", i))
	}
	allows := c.Matcher()
	long := "https://" + strings.Repeat("a.", 100_000) + "test"
	start := time.Now()
	for range 10_000 {
		allows("connect-src", long[:400])
		allows("connect-src", "http://example.test:7")
	}
	allows("connect-src", long)
	assert.Less(t, time.Since(start), 20*time.Second) // 0.1 s on a quiet machine
}

func FuzzAllows(f *testing.F) {
	f.Add("https://*.example.test:8443", "https://a.example.test:8443")
	f.Add("http://example.test", "https://example.test")
	f.Fuzz(func(t *testing.T, entry, origin string) {
		c := &CSP{ConnectDomains: []string{entry}}
		got := c.Allows("connect-src", origin)
		if got && len(c.Dropped()) > 0 {
			t.Errorf("%q is not in the policy and allows %q", entry, origin)
		}
		if got && !(&CSP{ConnectDomains: []string{"https://other.test", entry}}).Allows("connect-src", origin) {
			t.Errorf("another entry takes away what %q allows", entry)
		}
		if host := strings.TrimPrefix(entry, "https://"); len(c.Dropped()) == 0 && host != entry && !strings.Contains(host, "*") && !c.Allows("connect-src", entry) {
			t.Errorf("%q does not allow itself", entry)
		}
		if got && c.Allows("img-src", origin) {
			t.Errorf("%q of connectDomains allows images", entry)
		}
	})
}
