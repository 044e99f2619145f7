package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

// toolWithView returns the tool to render: the named one, or else the first that
// the model may call and that has a view.
func toolWithView(ctx context.Context, s *host.Connection, name string) (string, error) {
	tools, err := s.Tools(ctx)
	if err != nil {
		return "", err
	}
	var views []string
	for _, t := range tools {
		if t.UI.ResourceURI == "" || t.UIError != nil {
			if t.Tool.Name == name && t.UIError != nil {
				return "", fmt.Errorf("the tool %q counts as one without a view: %w", name, t.UIError)
			}
			continue
		}
		if t.Tool.Name == name || name == "" && mcpapps.VisibleTo(t.Tool, mcpapps.VisibilityModel) {
			return t.Tool.Name, nil
		}
		views = append(views, t.Tool.Name)
	}
	have := "none has one"
	if len(views) > 0 {
		have = "those that have one: " + strings.Join(views, ", ")
	}
	for _, t := range tools {
		if t.Tool.Name == name {
			return "", fmt.Errorf("the tool %q has no view; %s", name, have)
		}
	}
	if name != "" {
		return "", fmt.Errorf("the server has no tool %q with a view; %s", name, have)
	}
	if len(views) > 0 {
		return "", fmt.Errorf("no tool for the model has a view: name one with -tool; %s", have)
	}
	return "", errors.New("no tool of the server has a view")
}

// remarks says what a picture of a view does not: that its tool failed, and what
// went wrong in it.
func remarks(page *chrome.Page, preview string) []string {
	var list []string
	for _, raw := range page.Events() {
		var e struct {
			Type   string `json:"type"`
			Result struct {
				IsError bool `json:"isError"`
				Content []struct {
					Text string `json:"text"`
				} `json:"content"`
			} `json:"result"`
			Violation struct {
				Directive string     `json:"directive"`
				Blocked   string     `json:"blocked"`
				Remedy    string     `json:"remedy"`
				Level     host.Level `json:"level"`
			} `json:"violation"`
		}
		if json.Unmarshal([]byte(raw), &e) != nil {
			continue
		}
		switch {
		case e.Type == "result" && e.Result.IsError:
			text := "without a text"
			if len(e.Result.Content) > 0 {
				text = e.Result.Content[0].Text
			}
			list = append(list, "the tool's result is an error: "+text)
		case e.Type == "violation" && e.Violation.Level != host.LevelInfo:
			list = append(list, fmt.Sprintf("the policy stopped %s (%s). %s", e.Violation.Blocked, e.Violation.Directive, e.Violation.Remedy))
		}
	}
	for _, e := range page.Exceptions() {
		if !strings.HasPrefix(e.URL, preview) { // the preview's own page
			list = append(list, fmt.Sprintf("uncaught in the view: %s, line %d, column %d", e.Text, e.Line, e.Column))
		}
	}
	const most = 10
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more; \"mcpapps check -live\" has them", n))
	}
	return list
}
