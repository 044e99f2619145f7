package liveview

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// FailedLoads are the requests of the view that the network failed, such as with
// net::ERR_NAME_NOT_RESOLVED, or that a server answered with an error status.
func (o *Outcome) FailedLoads() []chrome.Message {
	return o.errors(true)
}

// ConsoleErrors are the other errors on the view's console: what its scripts wrote
// there, and what the browser says of the document. The browser's words on what the
// policy blocks are in Violations instead.
func (o *Outcome) ConsoleErrors() []chrome.Message {
	return o.errors(false)
}

func (o *Outcome) errors(loads bool) []chrome.Message {
	var list []chrome.Message
	for _, m := range o.Console {
		isLoad := strings.HasPrefix(m.Text, "Failed to load resource: ")
		if m.Level != chrome.LevelError || isLoad != loads || strings.Contains(m.Text, "Content Security Policy") || strings.Contains(m.Text, "ERR_BLOCKED_BY_CSP") {
			continue
		}
		list = append(list, m)
	}
	return list
}

// Cause returns what probably kept the view from showing what it should, for people:
// the first request that failed, else the first error that no script caught, else the
// first thing that the policy blocks, else the first error on the console. It returns
// "" if there is none.
func (o *Outcome) Cause() string {
	if list := o.FailedLoads(); len(list) > 0 {
		return "it could not load " + list[0].URL + ": " + strings.TrimPrefix(list[0].Text, "Failed to load resource: ")
	}
	if len(o.Exceptions) > 0 {
		return "uncaught: " + o.Exceptions[0].Text
	}
	for _, v := range o.Violations {
		if v.Level != host.LevelInfo {
			return "its policy blocks " + v.Blocked + " (" + v.Directive + ")"
		}
	}
	if list := o.ConsoleErrors(); len(list) > 0 {
		return "its console says: " + list[0].Text
	}
	return ""
}
