package gateway

import (
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// meta returns a copy of m with the URIs in it renamed. Keys of other vendors are
// kept, and so are values that are not URIs, which the host will reject. It reports
// whether anything changed; if nothing did, it returns m itself.
func (b Backend) meta(m mcp.Meta) (mcp.Meta, bool) {
	changed := false
	set := func(key string, value any) {
		if !changed {
			m, changed = maps.Clone(m), true
		}
		m[key] = value
	}
	for _, key := range metakey.FlatURIs {
		if uri, ok := m[key].(string); ok {
			if named := b.Name(uri); named != uri {
				set(key, named)
			}
		}
	}
	if m["ui"] != nil {
		// The ui object may be a typed value, set in process: the copy has the JSON
		// that a client would see.
		if ui, err := jsonvalue.Object(m["ui"]); err == nil {
			if uri, ok := ui["resourceUri"].(string); ok {
				if named := b.Name(uri); named != uri {
					ui = maps.Clone(ui)
					ui["resourceUri"] = named
					set("ui", ui)
				}
			}
		}
	}
	return m, changed
}

// metaCopy is meta for callers that may write into the result: it is a copy in any
// case.
func (b Backend) metaCopy(m mcp.Meta) mcp.Meta {
	c, changed := b.meta(m)
	if !changed {
		c = maps.Clone(c)
	}
	return c
}
