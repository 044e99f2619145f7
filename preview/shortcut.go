package preview

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A shortcut is the quick action of a global entrypoint: it calls a tool of the server.
type shortcut struct {
	Title     string         `json:"title"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Problem   string         `json:"problem,omitempty"` // why it can't be called
}

// maxShortcutArguments bounds the arguments that the page gets, in bytes of JSON.
const maxShortcutArguments = 64 << 10

// shortcutOf returns the quick action of an entrypoint, or nil.
func shortcutOf(e openairules.ToolEntrypoint) *shortcut {
	if e.ShortcutTool == "" {
		return nil
	}
	s := &shortcut{Title: text.Shorten(cmp.Or(strings.TrimSpace(e.ShortcutTitle), e.ShortcutTool), 200), Tool: e.ShortcutTool, Arguments: e.ShortcutArguments}
	if raw, err := json.Marshal(e.ShortcutArguments); err != nil || len(raw) > maxShortcutArguments {
		s.Arguments, s.Problem = nil, "its arguments are too large for this page"
	}
	return s
}
