package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// remarks says what the picture of a view does not show, the likely causes first: that
// its tool failed, what did not load, and what else went wrong in it.
func remarks(o liveview.Outcome) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if message, failed := toolError(o.Result); failed {
		add("the tool's result is an error: %s", message)
	}
	if o.Initialized && o.Closed != nil {
		add("the view was closed: %v", o.Closed)
	}
	for _, m := range o.FailedLoads() {
		add("the view could not load %s: %s", text.Shorten(m.URL, 200), strings.TrimPrefix(m.Text, "Failed to load resource: "))
	}
	for _, e := range o.Exceptions {
		add("uncaught in the view: %s, line %d, column %d", e.Text, e.Line, e.Column)
	}
	for _, m := range o.ConsoleErrors() {
		add("an error on the view's console: %s", m.Text)
	}
	for _, v := range o.Violations {
		if v.Level != host.LevelInfo {
			add("the policy stopped %s (%s). %s", v.Blocked, v.Directive, v.Remedy)
		}
	}
	for _, r := range o.Refusals {
		what := r.Method
		if r.Subject != "" {
			what += " of " + text.Quote(r.Subject)
		}
		add("%s is answered with the error %d: %s", what, r.Code, r.Message)
	}
	const most = 10
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more; \"mcpapps check -live\" has them", n))
	}
	return list
}

// toolError returns the text of a result that is an error.
func toolError(result json.RawMessage) (message string, failed bool) {
	var r struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(result, &r) != nil || !r.IsError {
		return "", false
	}
	if len(r.Content) == 0 {
		return "without a text", true
	}
	return r.Content[0].Text, true
}
