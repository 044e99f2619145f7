package mcpapps

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The two tables of the specification, word for word; form-action is this
// package's addition to both.
func TestPolicy(t *testing.T) {
	const restrictive = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'"
	const nothingDeclared = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'"
	assert.Equal(t, restrictive, (*CSP)(nil).Policy())
	assert.Equal(t, nothingDeclared, (&CSP{}).Policy())
	assert.Equal(t, nothingDeclared, (&CSP{ConnectDomains: []string{}, ResourceDomains: []string{"*"}, FrameDomains: []string{"data:"}, BaseURIDomains: []string{"'none'"}, Extra: map[string]any{"wasmUnsafeEval": true}}).Policy(), "what is dropped leaves nothing behind")
	full := &CSP{
		ConnectDomains:  []string{"https://api.example.com", "wss://live.example.com:8443", "HTTPS://API.example.com"},
		ResourceDomains: []string{"https://*.cdn.example"},
		FrameDomains:    []string{"https://video.example"},
		BaseURIDomains:  []string{"http://localhost:3000"},
	}
	assert.Equal(t, "default-src 'none'; script-src 'self' 'unsafe-inline' https://*.cdn.example; style-src 'self' 'unsafe-inline' https://*.cdn.example; img-src 'self' data: https://*.cdn.example; media-src 'self' data: https://*.cdn.example; font-src 'self' https://*.cdn.example; connect-src 'self' https://api.example.com wss://live.example.com:8443; frame-src https://video.example; object-src 'none'; base-uri http://localhost:3000; form-action 'none'", full.Policy())
	assert.Nil(t, full.Dropped())
	assert.Nil(t, (*CSP)(nil).Dropped())
}

// Each entry is kept or dropped whole. What Chromium makes of those that are
// kept is tested in internal/e2e.
func TestOrigins(t *testing.T) {
	for _, entry := range []string{
		"https://example.com", "http://example.com", "wss://live.example.com", "ws://127.0.0.1:21783",
		"https://example.com:1", "https://example.com:65535", "https://*.example.com", "https://*.example.com:8443",
		"http://localhost", "http://localhost:3000", "http://*.localhost:3000", "http://intranet", "http://127.0.0.1", "http://255.255.255.255",
		"https://xn--bcher-kva.example", "HTTPS://Example.COM", "https://1.example.com", "https://example.1x", "http://127.example.com",
		"https://a-b.example", "https://" + strings.Repeat("a", 63) + ".example",
	} {
		assert.NoError(t, origin.Validate(entry), entry)
		c := CSP{ConnectDomains: []string{entry}}
		assert.Contains(t, c.Policy(), "connect-src 'self' "+strings.ToLower(entry)+";")
	}
	for entry, reason := range map[string]string{
		"": "it is empty", "*": "allows every host", "https:": "it is a scheme", "data:": "it is a scheme", "blob:": "it is a scheme",
		"https://*": "allows every host", "https://*:443": "allows every host", "https://*.com": "every host under", "http://*.internal": "every host under",
		"'self'": "character '\\''", "'unsafe-eval'": "character '\\''", "'wasm-unsafe-eval'": "character '\\''", "wasm-unsafe-eval": "no scheme", "'nonce-a'": "character",
		"example.com": "no scheme", "cdn.example.com:443": "no scheme", "//example.com": "no scheme", "localhost:3000": "no scheme",
		"https://example.com/": "ends in a slash", "https://*.com/": "a path", "https:///": "a path", "https://example.com/v1": "a path", "https://example.com?x": "a query", "https://example.com#x": "a fragment",
		"https://user@example.com": "user information", "https://user:pw@example.com": "user information", "https://example.com:80@evil.example": "user information",
		"https://example.com:": "its port is", "https://example.com:0": "its port is", "https://example.com:080": "its port is", "https://example.com:65536": "its port is", "https://example.com:*": "its port is", "https://example.com:8 0": "character",
		"https://": "no host", "https://:443": "no host", "https://*.": "no host", "https://.example.com": "empty label", "https://a..example": "empty label",
		"https://example.com.": "ends with a dot", "https://localhost.": "ends with a dot",
		"https://a.*.example": "whole first label", "https://*a.example": "whole first label", "https://*.*.example": "whole first label",
		"http://[::1]:3000": "IPv6", "http://*.127.0.0.1": "before an address", "http://127.0.0.0x1": "IPv4", "http://0x7f000001": "IPv4", "http://2130706433": "IPv4", "http://127.1": "IPv4", "http://127.0.0.01": "IPv4", "http://127.0.0.256": "IPv4", "http://example.0x": "IPv4",
		"ftp://example.com": "its scheme", "ui://x": "its scheme", "javascript://x": "its scheme", "httpss://x.example": "its scheme", "://example.com": "its scheme",
		"https://bücher.example": "non-ASCII", "https://example。com": "non-ASCII", "https://ex\u00adample.com": "non-ASCII",
		"https://my_bucket.example": "character '_'", "https://-a.example": "hyphen", "https://a-.example": "hyphen", "https://a%2eexample": "character '%'", "https://a&b.example": "character '&'",
		"https://" + strings.Repeat("a", 64) + ".example": "label of 64", "https://" + strings.Repeat("a.", 127) + "a": "at most 253",
		"https://api.example.test; script-src-elem https://attacker.example": "character ';'", "https://a.example,https://b.example": "character ','",
		"https://a.example https://b.example": "character ' '", "https://a.example\thttps://b.example": "character '\\t'", "https://a.example\r\nX-Injected: 1": "character '\\r'", "https://a.example\n": "character '\\n'",
		"https://a.example\x00": "character", "https://a.example\x7f": "character", " https://a.example": "character ' '", "https://a.example\"": "character", "https://a.example<": "character", "https://a.example>": "character", "https://a.example\\": "character", "https://\xff.example": "non-ASCII",
	} {
		assert.ErrorContains(t, origin.Validate(entry), reason, "%q", entry)
		c := CSP{ConnectDomains: []string{"https://kept.example", entry}, FrameDomains: []string{entry}, ResourceDomains: []string{entry}, BaseURIDomains: []string{entry}}
		assert.Equal(t, (&CSP{ConnectDomains: []string{"https://kept.example"}}).Policy(), c.Policy(), "%q", entry)
		dropped := c.Dropped()
		require.Len(t, dropped, 4, "%q", entry)
		assert.ErrorContains(t, dropped[0], "csp.connectDomains[1] is ")
		assert.ErrorContains(t, dropped[3], "csp.baseUriDomains[0] is ")
		assert.Error(t, c.validate(), "registration refuses what a policy drops")
	}
}

func TestAllow(t *testing.T) {
	assert.Equal(t, "", (*Permissions)(nil).Allow())
	assert.Equal(t, "", (&Permissions{}).Allow())
	assert.Equal(t, "camera; microphone; geolocation; clipboard-write", (&Permissions{Camera: true, Microphone: true, Geolocation: true, ClipboardWrite: true}).Allow())
	assert.Equal(t, "clipboard-write", (&Permissions{ClipboardWrite: true, Extra: map[string]any{"midi": map[string]any{}}}).Allow())
}

// checkPolicy checks the policy of c against a second, coarser implementation.
func checkPolicy(t *testing.T, c *CSP) {
	t.Helper()
	want := map[string][]string{
		"default-src": {}, "script-src": {"'self'", "'unsafe-inline'"}, "style-src": {"'self'", "'unsafe-inline'"},
		"img-src": {"'self'", "data:"}, "media-src": {"'self'", "data:"}, "connect-src": {}, "frame-src": {},
		"object-src": {}, "base-uri": {"'self'"}, "form-action": {},
	}
	if c != nil {
		declared := func(list []string) (out []string) {
			for _, s := range list {
				if looksLikeOrigin.MatchString(s) {
					out = append(out, strings.ToLower(s))
				}
			}
			return out
		}
		for _, d := range []string{"script-src", "style-src", "img-src", "media-src"} {
			want[d] = append(want[d], declared(c.ResourceDomains)...)
		}
		want["font-src"] = append([]string{"'self'"}, declared(c.ResourceDomains)...)
		want["connect-src"] = append([]string{"'self'"}, declared(c.ConnectDomains)...)
		want["frame-src"] = declared(c.FrameDomains)
		want["base-uri"] = append(want["base-uri"], declared(c.BaseURIDomains)...) // 'self' where all are dropped
	}
	seen := map[string]bool{}
	for directive := range strings.SplitSeq(c.Policy(), ";") {
		words := strings.Fields(directive)
		name, sources := words[0], words[1:]
		allowed, ok := want[name]
		switch {
		case !ok || seen[name]:
			t.Errorf("directive %q is unknown or comes twice", name)
		case len(sources) == 0:
			t.Errorf("directive %q is empty", name)
		case slices.Equal(sources, []string{"'none'"}):
		default:
			for _, s := range sources {
				if !slices.Contains(allowed, s) {
					t.Errorf("%s allows %q, which nothing declares", name, s)
				}
			}
		}
		seen[name] = true
	}
	if len(seen) != len(want) {
		t.Errorf("%d directives, not %d", len(seen), len(want))
	}
	if strings.ContainsFunc(c.Policy(), func(r rune) bool { return r < ' ' || r > '~' || r == ',' || r == '"' || r == '<' }) {
		t.Errorf("the policy %q can't be sent", c.Policy())
	}
}

// looksLikeOrigin is coarser than the grammar: what does not match it must never
// get through.
var looksLikeOrigin = regexp.MustCompile(`(?i)^(https?|wss?)://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?$`)

func FuzzCSP(f *testing.F) {
	f.Fuzz(func(t *testing.T, entry string) {
		for _, c := range []*CSP{
			{ConnectDomains: []string{entry}}, {ResourceDomains: []string{entry}}, {FrameDomains: []string{entry}}, {BaseURIDomains: []string{entry}},
			{ConnectDomains: []string{"https://kept.example", entry, entry}, ResourceDomains: []string{entry}, FrameDomains: []string{entry, "https://kept.example"}, BaseURIDomains: []string{entry}},
		} {
			checkPolicy(t, c)
			if kept := len(c.Dropped()) == 0; kept != strings.Contains(c.Policy(), strings.ToLower(entry)) && entry != "" && looksLikeOrigin.MatchString(entry) {
				t.Errorf("%q: kept is %v, and the policy is %s", entry, kept, c.Policy())
			}
			if utf8.ValidString(entry) { // JSON holds nothing else
				fixedPoint(t, *c)
			}
		}
	})
}
