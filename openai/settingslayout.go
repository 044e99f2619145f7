package openai

import (
	"fmt"
	"slices"
)

// What a group and its items are on the wire.
type (
	wireGroup struct {
		Kind  string     `json:"kind"`
		Title string     `json:"title"`
		Items []wireItem `json:"items"`
	}
	wireItem struct {
		Kind        string `json:"kind"`
		Property    string `json:"property,omitempty"`
		Tool        string `json:"tool,omitempty"`
		Description string `json:"description,omitempty"`
	}
)

// layoutOf returns a layout of the settings with the given names, nil if it has no groups.
func layoutOf(groups []SettingsGroup, names []string) ([]wireGroup, error) {
	var layout []wireGroup
	for _, g := range groups {
		w := wireGroup{Kind: "group", Title: g.Title, Items: []wireItem{}}
		for i, item := range g.Items {
			called := fmt.Sprintf("Items[%d] of the group %q", i, g.Title)
			switch {
			case item.Field != "" && item.Tool != "":
				return nil, fmt.Errorf("%s is the setting %q and the tool %q: use an item for each", called, item.Field, item.Tool)
			case item.Field == "" && item.Tool == "":
				return nil, fmt.Errorf("%s has no name: set Field or Tool", called)
			case item.Field != "" && item.Description != "":
				return nil, fmt.Errorf("%s has a Description, which is for buttons: describe the setting %q in Fields", called, item.Field)
			case item.Field != "" && !slices.Contains(names, item.Field):
				return nil, fmt.Errorf("%s has the Field %q, which is not a setting: use one of %q", called, item.Field, names)
			case item.Field != "":
				w.Items = append(w.Items, wireItem{Kind: "property", Property: item.Field})
			default:
				w.Items = append(w.Items, wireItem{Kind: "tool", Tool: item.Tool, Description: item.Description})
			}
		}
		layout = append(layout, w)
	}
	return layout, nil
}
