package main

import (
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// remarks says what the picture of a view does not show: that its tool failed,
// and what went wrong in it.
func remarks(o liveview.Outcome) []string {
	var list []string
	var result struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(o.Result, &result) == nil && result.IsError {
		text := "without a text"
		if len(result.Content) > 0 {
			text = result.Content[0].Text
		}
		list = append(list, "the tool's result is an error: "+text)
	}
	for _, v := range o.Violations {
		if v.Level != host.LevelInfo {
			list = append(list, fmt.Sprintf("the policy stopped %s (%s). %s", v.Blocked, v.Directive, v.Remedy))
		}
	}
	for _, e := range o.Exceptions {
		list = append(list, fmt.Sprintf("uncaught in the view: %s, line %d, column %d", e.Text, e.Line, e.Column))
	}
	const most = 10
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more; \"mcpapps check -live\" has them", n))
	}
	return list
}
