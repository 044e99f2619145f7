package preview

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// The entrypoints of a tool as the page shows them.
type entrypoints struct {
	Entrypoints   []entrypoint `json:"entrypoints,omitempty"`
	EntryProblems []string     `json:"entryProblems,omitempty"`
}

type entrypoint struct {
	Type       string    `json:"type"`
	Extensions []string  `json:"extensions,omitempty"`
	Shortcut   *shortcut `json:"shortcut,omitempty"`
}

// maxEntrypoints bounds the entrypoints of a tool, and the problems, that the page shows.
const maxEntrypoints = 20

func entrypointsOf(tool *mcp.Tool) (list entrypoints) {
	declared, ok := tool.Meta[metakey.OpenAIUI]
	if !ok {
		return list
	}
	ui, problems := openairules.ReadToolUI(declared)
	for i, e := range ui.Entrypoints {
		if i == maxEntrypoints {
			break
		}
		list.Entrypoints = append(list.Entrypoints, entrypoint{e.Type, e.Extensions, shortcutOf(e)})
	}
	for i, p := range problems {
		if i == maxEntrypoints {
			break
		}
		list.EntryProblems = append(list.EntryProblems, p.Error())
	}
	return list
}

// An entryCommand says from which entrypoint the page opens a view.
type entryCommand struct {
	Type string `json:"type"`
	Path string `json:"path"` // that a deep link gives to the view, "" for no link
	Data []byte `json:"data"` // of a file
}

// An entry is from where a view was opened: from an entrypoint, or else as by the model.
// A view and its twin share it.
type entry struct {
	profile *compat.Profile // of the emulated host, nil for the preview's own
	link    *deepLink       // nil: not a global entrypoint
	file    *openedFile     // nil: not a file entrypoint
}

// enter sets from where the view is opened.
func (v *view) enter(c openCommand, profile *compat.Profile) (err error) {
	v.entry.profile = profile
	if c.Entry == nil {
		return nil
	}
	if !slices.Contains(placesOf(profile), c.Entry.Type) {
		return fmt.Errorf("the host has no entrypoint of the type %q: choose another host", text.Shorten(c.Entry.Type, 80))
	}
	switch c.Entry.Type {
	case "global":
		v.entry.link = new(deepLink)
		if c.Entry.Path != "" {
			err = v.entry.link.set(c.Entry.Path)
		}
	case "file":
		var args struct {
			File struct {
				Name        string `json:"name"`
				ResourceURI string `json:"resourceUri"`
			} `json:"file"`
		}
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return fmt.Errorf("the arguments of a file entrypoint: %w", err)
		}
		if v.entry.file, err = openFile(args.File.Name, args.File.ResourceURI, c.Entry.Data); err == nil {
			v.entry.file.addUser(v)
		}
	}
	return err
}

// enterAs sets that the view is opened from the same entrypoint as another one.
func (v *view) enterAs(other *view) {
	v.entry = other.entry
	if v.entry.file != nil {
		v.entry.file.addUser(v)
	}
}

// leaveEntry removes the copy of a file if no other view uses it. It may be called twice.
func (v *view) leaveEntry() {
	if v.entry.file != nil {
		v.entry.file.removeUser(v)
	}
}

// context adds to a context of the page what it does not know: the deep link, and what
// the view told the model.
func (v *view) context(c host.HostContext) host.HostContext {
	extra := maps.Clone(c.Extra)
	if extra == nil {
		extra = make(map[string]any)
	}
	if url := v.entry.link.get(); url != "" {
		extra[metakey.OpenAIDeepLink] = map[string]any{"url": url}
	}
	if state, known := v.modelState(); known {
		extra[metakey.OpenAIModelContext] = state
	}
	c.Extra = extra
	return c
}

// experimental are the parts of OpenAI's layer that the view is told of.
func (v *view) experimental() map[string]any {
	features := map[string]any{}
	if hasEntrypoints(v.entry.profile) {
		features[metakey.OpenAIMessage], features[metakey.OpenAIModelContext] = struct{}{}, struct{}{}
	}
	if v.entry.file != nil {
		features[metakey.OpenAIResource] = struct{}{}
	}
	return features
}

// follow gives the view another deep link. Without a path it is "/".
func (v *view) follow(path string) error {
	if v.entry.link == nil {
		return fmt.Errorf("the view was not opened from a global entrypoint")
	}
	if path == "" {
		path = "/"
	}
	if err := v.entry.link.set(path); err != nil {
		return err
	}
	return v.bridge.SetContext(v.context(v.bridge.Context()))
}

// placesOf returns the types of entrypoints that a host has. A nil profile is the
// preview's own host, without entrypoints.
func placesOf(profile *compat.Profile) []string {
	if profile == nil {
		return nil
	}
	places, _ := profile.Entrypoints.Value()
	return places
}

// hasEntrypoints reports whether a host has entrypoints, and with them the rest of
// OpenAI's layer.
func hasEntrypoints(profile *compat.Profile) bool { return len(placesOf(profile)) > 0 }
