package host

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/compat"
)

func TestRemedies(t *testing.T) {
	for _, tc := range []struct {
		v     Violation
		level Level
		want  string
	}{
		{Violation{Directive: "script-src-elem", Blocked: "https://cdn.example/x.js"}, LevelError, `Declare {"resourceDomains": ["https://cdn.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`},
		{Violation{Directive: "frame-src", Blocked: "https://f.example"}, LevelError, `Declare {"frameDomains": ["https://f.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`},
		{Violation{Directive: "base-uri", Blocked: "https://b.example/a"}, LevelError, `Declare {"baseUriDomains": ["https://b.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`},
		{Violation{Directive: "img-src", Blocked: "https://" + strings.Repeat("a", 60) + ".long.example/x"}, LevelError, `"https://` + strings.Repeat("a", 60) + `.long.example"`},
		{Violation{Directive: "img-src", Blocked: "https://q.example?x=1"}, LevelError, `["https://q.example"]`},
		{Violation{Directive: "img-src", Blocked: "https://[::1]:80/x"}, LevelError, "No metadata can allow the origin \"https://[::1]:80\": browsers do not match IPv6"},
		{Violation{Directive: "img-src", Blocked: "https://a_b.example/x"}, LevelError, "No metadata can allow the origin"},
		{Violation{Directive: "script-src", Blocked: "eval"}, LevelInfo, "probes for it"},
		{Violation{Directive: "script-src", Blocked: "eval", Sample: "(function anonymous(\n) {\n\n})"}, LevelInfo, "probes for it"},
		{Violation{Directive: "script-src", Blocked: "eval", Sample: "(function anonymous(\n) {\nreturn this\n})"}, LevelInfo, "probes for it"},
		{Violation{Directive: "script-src", Blocked: "eval", Sample: "(function anonymous(a\n) {\nreturn a\n})"}, LevelError, "No metadata can allow eval"},
		{Violation{Directive: "script-src", Blocked: "eval", Sample: "draw()"}, LevelError, "No metadata can allow eval"},
		{Violation{Directive: "script-src", Blocked: "eval", Sample: strings.Repeat("x", 40)}, LevelError, "No metadata can allow eval"},
		{Violation{Directive: "script-src", Blocked: "wasm-eval"}, LevelError, "No metadata"},
		{Violation{Directive: "font-src", Blocked: "data"}, LevelError, "No metadata can allow data: sources for font-src"},
		{Violation{Directive: "worker-src", Blocked: "blob"}, LevelError, "No metadata can allow blob:"},
		{Violation{Directive: "form-action", Blocked: "https://x.example"}, LevelError, "through a tool"},
		{Violation{Directive: "manifest-src", Blocked: "https://x.example"}, LevelError, "No metadata can allow it."},
		{Violation{Directive: "img-src", Blocked: "chrome-extension://x"}, LevelError, "No metadata can allow it."},
	} {
		level, text := remedy(tc.v, true)
		assert.Equal(t, tc.level, level, "%+v", tc.v)
		assert.Contains(t, text, tc.want, "%+v", tc.v)
	}
	level, _ := remedy(Violation{Directive: "script-src", Blocked: "eval"}, false)
	assert.Equal(t, LevelError, level, "only the first eval can be a probe")
}

// What the metadata declares and the emulated host ignores has no remedy.
func TestViolationOfWhatAHostIgnores(t *testing.T) {
	app := &appclient.App{UI: mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{FrameDomains: []string{"https://f.example"}, ResourceDomains: []string{"https://r.example"}}}}
	claude := Emulate(&compat.Profile{ID: "c", Name: "Claude", FrameDomains: says(compat.Restricted)})
	for _, c := range []struct {
		emulation          *Emulation
		directive, blocked string
		ignored, remedy    string
	}{
		{claude, "frame-src", "https://f.example/video", "The metadata allows it in csp.frameDomains, which Claude ignores as it is emulated.", ""},
		{claude, "frame-src", "https://g.example", "", `Declare {"frameDomains": ["https://g.example"]}`},
		{claude, "img-src", "https://r.example/redirects", "", `Declare {"resourceDomains": ["https://r.example"]}`},
		{claude, "script-src-elem", "inline", "", "Inline scripts"},
		{nil, "frame-src", "https://f.example", "", `Declare {"frameDomains"`},
		{&Emulation{}, "frame-src", "https://f.example", "", `Declare {"frameDomains"`},
	} {
		b, err := NewBridge(nil, &BridgeOptions{Emulation: c.emulation})
		require.NoError(t, err)
		require.NoError(t, b.SetApp(app))
		v, ok := b.violation([]byte(`{"csp-report":{"document-uri":"http://v/view","effective-directive":"`+c.directive+`","blocked-uri":"`+c.blocked+`"}}`), "v")
		require.True(t, ok)
		assert.Equal(t, c.ignored, v.Ignored, c.blocked)
		if c.remedy == "" {
			assert.Empty(t, v.Remedy)
		} else {
			assert.Contains(t, v.Remedy, c.remedy)
		}
		b.Close(canceled(), nil)
	}
}
