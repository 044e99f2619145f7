package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNearMethod shows that the remedy for a method that no host knows, taken
// at its word, is a method that the view can have meant.
func TestNearMethod(t *testing.T) {
	for s, want := range map[string]string{
		"ui/initialized":                   "ui/notifications/initialized",
		"ui/notifications/initialize":      "ui/initialize",
		"notifications/initialized":        "ui/notifications/initialized",
		"ui/notifications/size-change":     "ui/notifications/size-changed",
		"ui/size-changed":                  "ui/notifications/size-changed",
		"ui/notifications/sizeChanged":     "ui/notifications/size-changed",
		"ui/resize":                        "ui/notifications/size-changed",
		"ui/tool-result":                   "ui/notifications/tool-result",
		"ui/notifications/tool-results":    "ui/notifications/tool-result",
		"ui/notifications/message":         "notifications/message",
		"ui/openLink":                      "ui/open-link",
		"ui/tools/call":                    "tools/call",
		"ui/call-tool":                     "tools/call",
		"ui/ready":                         "ui/notifications/initialized",
		"tool/call":                        "tools/call",
		"resource/read":                    "resources/read",
		"ui/do-the-thing-of-another-world": "",
		"vendor/thing":                     "",
	} {
		assert.Equal(t, want, nearMethod(s), s)
	}
}

// TestMethodReading shows which methods are found, and that those that a
// library brings along are not.
func TestMethodReading(t *testing.T) {
	for script, want := range map[string]string{
		`addEventListener("message", (e) => { if (e.data.method === "ui/tool-result") draw(); })`: `the view waits for the method "ui/tool-result", which no host sends`,
		`on((m) => { switch (m.method) { case "ui/notifications/toolresult": draw(); } })`:        `the view waits for the method "ui/notifications/toolresult", which no host sends`,
		`const { method } = m; if ("ui/ready" == method) draw();`:                                 `the view waits for the method "ui/ready", which no host sends`,
		`send("ui/initialized")`:                        `no host knows the method "ui/initialized"`,
		`send("ui/tool-result", {})`:                    `no host knows the method "ui/tool-result"`,
		`post({ jsonrpc: "2.0", method: "tool/call" })`: `no host knows the method "tool/call"`,

		`if (m.method === "ui/notifications/tool-result") draw()`:         "",
		`if (m.method !== "vendor/thing") draw()`:                         "",
		`if (m.method === "ui/notifications/sandbox-wheel") draw()`:       "",
		`if (m.kind === "ui/tool-result") draw()`:                         "",
		`t("ui/message-box"), t("ui/link"), t("ui/resize")`:               "",
		`post({ jsonrpc: "2.0", id: 1, method: "server/discover" })`:      "",
		`post({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen" })`: "",
		`post({ jsonrpc: "2.0", id: 1, method: "elicitation/create" })`:   "",
	} {
		r, err := Document("<!doctype html><p>Hello</p><script>"+script+"</script>", nil)
		require.NoError(t, err)
		var found []string
		for _, f := range r.Findings {
			if f.Code == "doc-method" {
				found = append(found, f.Message)
			}
		}
		assert.Equal(t, want, strings.Join(found, "; "), script)
	}
}
