package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
)

// toolWithView returns the tool to render: the named one, or else the first that
// the model may call and that has a view.
func toolWithView(ctx context.Context, s *host.Connection, name string) (*host.Tool, error) {
	tools, err := s.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var views []string
	for _, t := range tools {
		if t.UI.ResourceURI == "" || t.UIError != nil {
			if t.Tool.Name == name && t.UIError != nil {
				return nil, fmt.Errorf("the tool %q counts as one without a view: %w", name, t.UIError)
			}
			continue
		}
		if t.Tool.Name == name || name == "" && mcpapps.VisibleTo(t.Tool, mcpapps.VisibilityModel) {
			return t, nil
		}
		views = append(views, t.Tool.Name)
	}
	have := "none has one"
	if len(views) > 0 {
		have = "those that have one: " + strings.Join(views, ", ")
	}
	for _, t := range tools {
		if t.Tool.Name == name {
			return nil, fmt.Errorf("the tool %q has no view; %s", name, have)
		}
	}
	if name != "" {
		return nil, fmt.Errorf("the server has no tool %q with a view; %s", name, have)
	}
	if len(views) > 0 {
		return nil, fmt.Errorf("no tool for the model has a view: name one with -tool; %s", have)
	}
	return nil, errors.New("no tool of the server has a view")
}
