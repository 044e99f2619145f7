package mcpapps

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/origin"
)

// internal/e2e/sandbox shows in Chromium what the header blocks.
func TestConnectionAllowlist(t *testing.T) {
	const none = "(response-origin)"
	assert.Equal(t, none, (*CSP)(nil).ConnectionAllowlist())
	assert.Equal(t, none, (&CSP{}).ConnectionAllowlist())
	assert.Equal(t, none, (&CSP{ConnectDomains: []string{"*", "https:"}, BaseURIDomains: []string{"https://base.example"}, Extra: map[string]any{"webrtc": true}}).ConnectionAllowlist(), "a base is not a connection")
	for entry, patterns := range map[string]string{
		"https://api.example.com":       `"https://api.example.com"`,
		"HTTPS://API.example.com:443":   `"https://api.example.com"`,
		"https://*.example.com":         `"https://*.example.com"`,
		"https://example.com:8443":      `"https://example.com:8443"`,
		"https://example.com:80":        `"https://example.com:80"`,
		"wss://live.example.com":        `"https://live.example.com"`,
		"wss://live.example.com:8443":   `"https://live.example.com:8443"`,
		"http://example.com":            `"http://example.com" "https://example.com"`,
		"http://example.com:443":        `"http://example.com:443" "https://example.com"`,
		"http://localhost:3000":         `"http://localhost:3000"`,
		"ws://127.0.0.1:8080":           `"http://127.0.0.1:8080"`,
		"ws://*.example.com":            `"http://*.example.com" "https://*.example.com"`,
		"ws://example.com:443":          `"http://example.com:443"`,
		"https://xn--bcher-kva.example": `"https://xn--bcher-kva.example"`,
	} {
		for _, c := range []CSP{{ConnectDomains: []string{entry}}, {ResourceDomains: []string{entry}}, {FrameDomains: []string{entry}}} {
			assert.Equal(t, "(response-origin "+patterns+");redirects=allow", c.ConnectionAllowlist(), entry)
		}
	}
	c := &CSP{ConnectDomains: []string{"wss://b.example", "https://a.example"}, ResourceDomains: []string{"https://b.example", "https://a.example"}, FrameDomains: []string{"https://A.example"}}
	assert.Equal(t, `(response-origin "https://a.example" "https://b.example");redirects=allow`, c.ConnectionAllowlist())
	assert.Equal(t, []string{"wss://b.example", "https://a.example"}, c.ConnectDomains)
}

// The browser's work grows with the list and is shared with other pages.
func TestConnectionAllowlistIsBounded(t *testing.T) {
	var many []string
	for i := range 100_000 {
		many = append(many, fmt.Sprintf("https://h%d.example", i))
	}
	c := &CSP{ConnectDomains: append(many[:200:200], many[:200]...), ResourceDomains: many}
	got := c.ConnectionAllowlist()
	assert.Equal(t, maxConnections, strings.Count(got, "https://"))
	assert.Contains(t, got, ` "https://h0.example"`)
	assert.Contains(t, got, ` "https://h255.example"`)
	assert.Regexp(t, structured, got)
}

// The allowlist supplements the policy: it must not block what that allows.
func TestConnectionAllowlistAllowsWhatThePolicyDoes(t *testing.T) {
	data, err := os.ReadFile("testdata/csp-origins.txt")
	require.NoError(t, err)
	var c *CSP
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != '\t':
			c = &CSP{ConnectDomains: []string{line}}
			entry, _ := origin.Parse(line)
			for _, o := range coveredBy(entry) {
				covered := fmt.Sprintf("%s://%s:%d", o.Scheme, strings.Replace(o.Host, "*", "sub", 1), o.Port)
				assert.True(t, c.Allows("connect-src", covered), "%s of %s", covered, line)
			}
		default:
			word, from, _ := strings.Cut(line[1:], " ")
			if o, ok := origin.Parse(strings.TrimSpace(from)); ok && word == "yes" {
				assert.Contains(t, matching(c.ConnectionAllowlist(), pattern(o)), true, "%s of %s", from, c.ConnectDomains)
			}
		}
	}
}

// matching returns true for each pattern of an allowlist that covers an origin.
func matching(allowlist, of string) (all []bool) {
	for _, p := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(allowlist, -1) {
		expression := strings.ReplaceAll(regexp.QuoteMeta(p[1]), `\*`, ".*")
		if regexp.MustCompile("^" + expression + "$").MatchString(of) {
			all = append(all, true)
		}
	}
	return all
}

// structured is the whole grammar of the header, with no character in a string
// that has a meaning in structured fields or URL patterns.
var structured = regexp.MustCompile(`^\(response-origin( "https?://(\*\.)?[a-z0-9.-]+(:[0-9]+)?")*\)(;redirects=allow)?$`)

// FuzzConnectionAllowlist: nothing that a server declares breaks out of the
// header's strings or widens it.
func FuzzConnectionAllowlist(f *testing.F) {
	for _, seed := range []string{
		"https://a.example", "wss://*.a.example:8443", `https://a.example");webrtc=allow, ("*`, "https://a.example\\", `https://"*"`,
		"https://a.example\" \"https://*", "https://a.example\r\nSet-Cookie: a=b", "https://(.*)", "https://:host.example", "https://{a}?.example", "https://*.*.example",
		"https://a.example;redirects=allow", "https://bücher.example", "https://a。example", "https://a.example\x00", "*", "https://*", "data:*", "https://[::1]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		c := &CSP{ConnectDomains: []string{entry, "https://ok.example"}, ResourceDomains: []string{entry}, FrameDomains: []string{entry}, BaseURIDomains: []string{entry}}
		got := c.ConnectionAllowlist()
		if !structured.MatchString(got) {
			t.Fatalf("%q: %s", entry, got)
		}
		if origin.Validate(entry) != nil && got != `(response-origin "https://ok.example");redirects=allow` {
			t.Fatalf("the invalid %q changes the list: %s", entry, got)
		}
	})
}
