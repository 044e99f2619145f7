package check

import (
	"slices"
	"strings"
)

// The methods of the view's protocol, in both directions: a literal message may
// as well be one that the view waits for.
var viewMethods = []string{
	"ui/initialize", "ui/open-link", "ui/download-file", "ui/message",
	"ui/request-display-mode", "ui/update-model-context", "ui/resource-teardown",
	"ui/notifications/initialized", "ui/notifications/size-changed",
	"ui/notifications/request-teardown", "ui/notifications/tool-input",
	"ui/notifications/tool-input-partial", "ui/notifications/tool-result",
	"ui/notifications/tool-cancelled", "ui/notifications/host-context-changed",
	"ui/notifications/sandbox-proxy-ready", "ui/notifications/sandbox-resource-ready",
}

// The methods of MCP that pass between a view and its host.
var sharedMethods = []string{
	"ping", "tools/call", "tools/list", "resources/read", "resources/list",
	"resources/templates/list", "prompts/list", "sampling/createMessage",
	"notifications/message", "notifications/cancelled", "notifications/progress",
	"notifications/tools/list_changed", "notifications/resources/list_changed",
	"notifications/prompts/list_changed",
}

// The other methods of MCP, of all versions. A view has no use for them, but the
// library that it was built with brings them along.
var libraryMethods = []string{
	"completion/complete", "elicitation/create", "logging/setLevel",
	"notifications/elicitation/complete", "notifications/resources/updated",
	"notifications/roots/list_changed", "notifications/subscriptions/acknowledged",
	"notifications/tasks/status", "prompts/get", "resources/subscribe",
	"resources/unsubscribe", "roots/list", "server/discover", "subscriptions/listen",
	"tasks/cancel", "tasks/get", "tasks/list", "tasks/result", "tasks/update",
}

// meantMethods are what a method may be a slip of.
var meantMethods = slices.Concat(viewMethods, sharedMethods)

func isMethod(s string) bool {
	return slices.Contains(meantMethods, s) || slices.Contains(libraryMethods, s) ||
		strings.HasPrefix(s, "ui/notifications/sandbox-") // which hosts add to
}

// otherWords are ends of methods that people write for another one.
var otherWords = map[string]string{
	"calltool": "tools/call", "toolcall": "tools/call", "tool": "tools/call",
	"readresource": "resources/read",
	"ready":        "ui/notifications/initialized",
	"resize":       "ui/notifications/size-changed", "resized": "ui/notifications/size-changed",
	"openurl": "ui/open-link", "link": "ui/open-link",
	"sendmessage": "ui/message", "prompt": "ui/message",
	"download": "ui/download-file",
}

// nearMethod returns the method that is meant by one that does not exist, ""
// where none is likely. The end of the name says more than its beginning: in
// "ui/initialized" the part in the middle is forgotten, and no letter is wrong.
func nearMethod(s string) string {
	if m := strings.TrimPrefix(s, "ui/"); slices.Contains(meantMethods, m) {
		return m
	}
	last := plain(lastPart(s))
	for _, m := range meantMethods {
		if last == plain(lastPart(m)) && (strings.HasPrefix(m, "ui/") || !strings.HasPrefix(s, "ui/")) {
			return m
		}
	}
	if m := otherWords[last]; m != "" {
		return m
	}
	m := nearest(s, meantMethods)
	if distance(shorten(s), m) > len(m)/3 {
		return ""
	}
	return m
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// likeMethod reports whether a text that a function is called with can only be
// meant as a method of the view's: other functions take names like "ui/button".
func (r *scriptReader) likeMethod(s string) bool {
	if !strings.HasPrefix(s, "ui/") {
		return false
	}
	if strings.HasPrefix(s, "ui/notifications/") {
		return true
	}
	last := lastPart(s)
	for _, m := range viewMethods {
		if end := lastPart(m); plain(last) == plain(end) && len(end) > len("message") {
			return true
		}
	}
	r.guesses++
	return r.guesses < 1000 && distance(shorten(s), nearest(s, viewMethods)) <= 3
}
