package mcpapps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SetToolUI adds a declaration to a tool's Meta, for programs that keep their
// tools as values and register them by other means. The result is what
// [RegisterAppTool] would register. t.Meta is replaced by a new map and never
// written to; with an error it is unchanged.
//
// The server must advertise the extension: see [Enable].
func SetToolUI(t *mcp.Tool, ui ToolUIMetadata) error {
	if t == nil {
		return errors.New("mcpapps.SetToolUI: the tool is nil")
	}
	meta, err := toolMeta(t.Meta, ui)
	if err != nil {
		return fmt.Errorf("mcpapps.SetToolUI: tool %q: %w", t.Name, err)
	}
	t.Meta = meta
	return nil
}

// MergeToolMeta is [SetToolUI] for a registry whose tools are not of the SDK's type: it
// returns the _meta of a tool with the declaration merged in. meta may be nil and is
// never written to; the result shares no memory with it.
func MergeToolMeta(meta mcp.Meta, ui ToolUIMetadata) (mcp.Meta, error) {
	merged, err := toolMeta(meta, ui)
	if err != nil {
		return nil, fmt.Errorf("mcpapps.MergeToolMeta: %w", err)
	}
	return merged, nil
}

// ToolMeta returns the Meta of a tool that opens an app, for use in a composite
// literal. The keys of more, of other vendors for example, are merged in as
// [RegisterAppTool] merges those of a tool's Meta. It panics where [SetToolUI] returns
// an error, and if two maps of more have the same key with different values.
func ToolMeta(ui ToolUIMetadata, more ...mcp.Meta) mcp.Meta {
	author, err := joined(more)
	var meta mcp.Meta
	if err == nil {
		meta, err = toolMeta(author, ui)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.ToolMeta: %v", err))
	}
	return meta
}

// joined returns one map with the keys of all. A key may be in several if its values
// are the same JSON.
func joined(all []mcp.Meta) (mcp.Meta, error) {
	meta := make(mcp.Meta)
	for _, m := range all {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if first, ok := meta[k]; ok && !sameJSON(first, m[k]) {
				return nil, fmt.Errorf("_meta[%q] is given twice, as %s and as %s: leave one out", k, text.JSON(first), text.JSON(m[k]))
			}
			meta[k] = m[k]
		}
	}
	return meta, nil
}

// sameJSON reports whether two values are encoded the same. Those that can't be encoded
// are reported when they are merged.
func sameJSON(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// WithoutUI returns a copy of a tool that opens no app: without any of the keys
// that name one. A visibility other than the default is kept, so that a tool
// hidden from the model stays hidden. The tool itself is not changed; for nil
// the result is nil.
func WithoutUI(t *mcp.Tool) *mcp.Tool {
	if t == nil {
		return nil
	}
	c := *t
	c.Meta = StripToolMeta(t.Meta)
	return &c
}

// StripToolMeta is [WithoutUI] for the bare _meta of a tool: it returns a copy without
// any of the keys that name an app, nil if nothing remains. meta is not changed.
func StripToolMeta(meta mcp.Meta) mcp.Meta {
	c := maps.Clone(meta)
	for _, k := range metakey.FlatURIs {
		delete(c, k)
	}
	if ui, err := jsonvalue.Object(c[keyUI]); err == nil && ui != nil {
		rest := maps.Clone(ui)
		delete(rest, keyResourceURI)
		for _, k := range resourceKeys { // without meaning on a tool
			delete(rest, k)
		}
		v, err := decodeVisibility(ui[keyVisibility])
		switch {
		case err != nil:
			rest[keyVisibility] = []string{}
		case includes(v, VisibilityModel) && includes(v, VisibilityApp):
			delete(rest, keyVisibility) // the default, which needs no ui object to say so
		}
		c[keyUI] = rest
		if len(rest) == 0 {
			delete(c, keyUI)
		}
	}
	if len(c) == 0 {
		return nil
	}
	return c
}
