package mcpapps

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listTools replaces schemas by their JSON, and shapes the list for clients
// without UI.
func (sv *server) listTools(ctx context.Context, req mcp.Request, r *mcp.ListToolsResult) *mcp.ListToolsResult {
	o := &sv.opts
	shaped := !o.DisableApps && (o.StripUIForText || o.OmitAppToolsForText)
	if o.KeepSchemas && !shaped && !o.OmitLegacyURI && !o.DisableApps {
		return r
	}
	text := shaped && ClientSupport(ctx, req) == SupportNone
	omit := o.DisableApps || text && o.OmitAppToolsForText

	c := *r
	c.Meta = maps.Clone(r.Meta)
	if shaped {
		// Full lists too: a shared cache must not serve one client's to another.
		c.CacheScope = htmldoc.Private
	}
	c.Tools = slices.Clone(r.Tools)
	copies := make([]mcp.Tool, len(r.Tools)) // one allocation for all
	n := 0
	for i, t := range r.Tools {
		if t == nil {
			n++
			continue
		}
		if omit && !VisibleTo(t, VisibilityModel) {
			continue
		}
		tt := &copies[i]
		*tt = *t
		if !o.KeepSchemas {
			tt.InputSchema = encodedSchema(t.InputSchema)
			tt.OutputSchema = encodedSchema(t.OutputSchema)
		}
		switch {
		case o.DisableApps:
			tt.Meta, _ = without(t.Meta, appKeys)
		case text && o.StripUIForText:
			tt.Meta, _ = without(t.Meta, textKeys)
		case o.OmitLegacyURI:
			tt.Meta, _ = without(t.Meta, legacyKeys)
		}
		c.Tools[n] = tt
		n++
	}
	c.Tools = c.Tools[:n]
	return &c
}

// The keys of _meta that are left out of tools and results: all that concern an app, for
// a server without apps, ChatGPT's entrypoints included; those of this specification, for clients without UI; and the
// deprecated one.
var (
	appKeys    = append([]string{keyUI, metakey.OpenAIUI}, metakey.FlatURIs...)
	textKeys   = []string{keyUI, LegacyResourceURIKey}
	legacyKeys = []string{LegacyResourceURIKey}
)

// without returns m without the keys, and whether it had one of them. It copies m only
// then.
func without(m mcp.Meta, keys []string) (rest mcp.Meta, changed bool) {
	for _, k := range keys {
		if _, ok := m[k]; ok {
			m = maps.Clone(m)
			for _, k := range keys {
				delete(m, k)
			}
			return m, true
		}
	}
	return m, false
}

func (sv *server) listResources(r *mcp.ListResourcesResult) *mcp.ListResourcesResult {
	if !sv.opts.UnlistResources && !sv.opts.DisableApps {
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
	if !sv.opts.UnlistResources && !sv.opts.DisableApps {
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
