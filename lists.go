package mcpapps

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listTools encodes schemas once and shapes the list for clients without UI.
func (sv *server) listTools(ctx context.Context, req mcp.Request, r *mcp.ListToolsResult) *mcp.ListToolsResult {
	o := &sv.opts
	shaped := o.StripUIForText || o.OmitAppToolsForText
	if o.KeepSchemas && !shaped && !o.OmitLegacyURI {
		return r
	}
	text := shaped && ClientSupport(ctx, req) == SupportNone

	c := *r
	c.Meta = maps.Clone(r.Meta)
	if shaped {
		// The full list too: a shared cache must not give one client's to another.
		c.CacheScope = "private"
	}
	c.Tools = slices.Clone(r.Tools)
	copies := make([]mcp.Tool, len(r.Tools)) // one allocation for all
	n := 0
	for i, t := range r.Tools {
		if t == nil {
			n++
			continue
		}
		if text && o.OmitAppToolsForText && !VisibleTo(t, VisibilityModel) {
			continue
		}
		tt := &copies[i]
		*tt = *t
		if !o.KeepSchemas {
			tt.InputSchema = encodedSchema(t.InputSchema)
			tt.OutputSchema = encodedSchema(t.OutputSchema)
		}
		switch {
		case text && o.StripUIForText:
			tt.Meta = without(t.Meta, keyUI, LegacyResourceURIKey)
		case o.OmitLegacyURI:
			tt.Meta = without(t.Meta, LegacyResourceURIKey)
		}
		c.Tools[n] = tt
		n++
	}
	c.Tools = c.Tools[:n]
	return &c
}

// without returns m less the keys, copied only if one of them is there.
func without(m mcp.Meta, keys ...string) mcp.Meta {
	for _, k := range keys {
		if _, ok := m[k]; ok {
			m = maps.Clone(m)
			for _, k := range keys {
				delete(m, k)
			}
			return m
		}
	}
	return m
}

func (sv *server) listResources(r *mcp.ListResourcesResult) *mcp.ListResourcesResult {
	if !sv.opts.UnlistResources {
		return r
	}
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.Resources = slices.DeleteFunc(slices.Clone(r.Resources), func(r *mcp.Resource) bool {
		return r != nil && isApp(r.URI, r.MIMEType)
	})
	return &c
}

func (sv *server) listTemplates(r *mcp.ListResourceTemplatesResult) *mcp.ListResourceTemplatesResult {
	if !sv.opts.UnlistResources {
		return r
	}
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.ResourceTemplates = slices.DeleteFunc(slices.Clone(r.ResourceTemplates), func(t *mcp.ResourceTemplate) bool {
		return t != nil && isApp(t.URITemplate, t.MIMEType)
	})
	return &c
}

func isApp(uri, mimeType string) bool {
	return strings.HasPrefix(uri, "ui://") && IsMIMEType(mimeType)
}

// schemaJSON holds the encoding of schemas by their pointer, for the whole
// process: stateless deployments make a server, but not its schemas, for each
// request. The pointers are weak, so an entry goes when its schema does.
var schemaJSON sync.Map // weak.Pointer[jsonschema.Schema] -> json.RawMessage

// encodedSchema returns the JSON of a *jsonschema.Schema, and anything else,
// or a schema that can't be encoded, as it is.
func encodedSchema(v any) any {
	s, ok := v.(*jsonschema.Schema)
	if !ok || s == nil {
		return v
	}
	key := weak.Make(s)
	if raw, ok := schemaJSON.Load(key); ok {
		return raw
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // the SDK's own encoding of a result does not either
	if err := enc.Encode(s); err != nil {
		return v
	}
	// Of its own length, so that middleware which appends to it writes elsewhere.
	data := make(json.RawMessage, buf.Len()-len("\n"))
	copy(data, buf.Bytes())
	var raw any = data
	if raw, loaded := schemaJSON.LoadOrStore(key, raw); loaded {
		return raw
	}
	runtime.AddCleanup(s, func(key weak.Pointer[jsonschema.Schema]) { schemaJSON.Delete(key) }, key)
	return raw
}
