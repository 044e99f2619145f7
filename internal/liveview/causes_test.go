package liveview

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// TestCause shows what is named first of several things that went wrong.
func TestCause(t *testing.T) {
	load := chrome.Message{Level: chrome.LevelError, Text: "Failed to load resource: net::ERR_NAME_NOT_RESOLVED", URL: "https://cdn.example.com/leaflet.js"}
	blocked := chrome.Message{Level: chrome.LevelError, Text: "Failed to load resource: net::ERR_BLOCKED_BY_CSP", URL: "https://x.example.com/"}
	said := chrome.Message{Level: chrome.LevelError, Text: "the map did not load"}
	policy := chrome.Message{Level: chrome.LevelError, Text: "Loading the image violates the following Content Security Policy directive"}
	thrown := chrome.Exception{Text: "ReferenceError: L is not defined"}
	o := Outcome{
		Console:    []chrome.Message{{Level: chrome.LevelWarning, Text: "Failed to load resource: slow"}, policy, blocked, said, load},
		Exceptions: []chrome.Exception{thrown},
		Violations: []host.Violation{{Blocked: "eval", Directive: "script-src", Level: host.LevelInfo}, {Blocked: "https://x.example.com", Directive: "img-src", Level: host.LevelError}},
	}
	assert.Equal(t, []chrome.Message{load}, o.FailedLoads())
	assert.Equal(t, []chrome.Message{said}, o.ConsoleErrors())
	assert.Equal(t, "it could not load https://cdn.example.com/leaflet.js: net::ERR_NAME_NOT_RESOLVED", o.Cause())
	o.Console = []chrome.Message{policy, blocked, said}
	assert.Equal(t, "uncaught: ReferenceError: L is not defined", o.Cause())
	o.Exceptions = nil
	assert.Equal(t, "its policy blocks https://x.example.com (img-src)", o.Cause())
	o.Violations = o.Violations[:1]
	assert.Equal(t, "its console says: the map did not load", o.Cause())
	o.Console = []chrome.Message{policy, blocked}
	assert.Empty(t, o.Cause())
}
