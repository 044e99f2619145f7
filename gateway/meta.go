package gateway

import (
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// meta returns a copy of m with the URIs in it renamed. Keys of other vendors are
// kept, and so are values that are not URIs, which the host will reject.
func (b Backend) meta(m mcp.Meta) mcp.Meta {
	if m == nil {
		return nil
	}
	m = maps.Clone(m)
	for _, key := range metakey.FlatURIs {
		if uri, ok := m[key].(string); ok {
			m[key] = b.Name(uri)
		}
	}
	switch ui := m["ui"].(type) {
	case nil:
	case map[string]any:
		if uri, ok := ui["resourceUri"].(string); ok {
			ui = maps.Clone(ui)
			ui["resourceUri"] = b.Name(uri)
			m["ui"] = ui
		}
	default: // set in process: rename in the JSON that a client would see
		if obj, err := jsonvalue.Object(ui); err == nil {
			if uri, ok := obj["resourceUri"].(string); ok {
				obj = maps.Clone(obj)
				obj["resourceUri"] = b.Name(uri)
				m["ui"] = obj
			}
		}
	}
	return m
}
