package openai

import (
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/plainread"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// EnableAliases makes a server write the keys of OpenAI's Apps SDK from before MCP Apps, in
// addition to _meta.ui and from the same declarations: on tools openai/outputTemplate,
// openai/widgetAccessible and openai/visibility, on documents openai/widgetCSP,
// openai/widgetDomain and openai/widgetPrefersBorder. Keys that the author set stay as they
// are. ChatGPT reads them and says that the standard's fields come first (2026-10-01), so
// most servers need none of them. The reason to have them is a report of 2026-07-09
// (PostHog/posthog #69612): origins of _meta.ui.csp were blocked where openai/widgetCSP was
// missing. Package compat keeps what is known about that, in its profile of ChatGPT.
//
// The keys follow the options of mcpapps.Enable: openai/outputTemplate has the versioned
// URI, and a tool that is listed without _meta.ui gets no alias. Call mcpapps.Enable before,
// if at all: EnableAliases sets the default options otherwise. Middleware that changes
// _meta.ui belongs before EnableAliases too. Further calls for the same server do nothing.
func EnableAliases(s *mcp.Server) {
	if s == nil {
		panic("openai.EnableAliases: the server is nil")
	}
	if claim(s, "aliases") != nil {
		return
	}
	mcpapps.Enable(s, nil) // its middleware is inside of this one
	changeResults(s, func(res mcp.Result) mcp.Result {
		switch r := res.(type) {
		case *mcp.ListToolsResult:
			return aliasTools(r)
		case *mcp.ReadResourceResult:
			return aliasContents(r)
		case *plainread.Result:
			return aliasPlain(r)
		}
		return res
	})
}

func aliasTools(r *mcp.ListToolsResult) *mcp.ListToolsResult {
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.Tools = slices.Clone(r.Tools)
	for i, t := range c.Tools {
		if t == nil {
			continue
		}
		if meta := withAliases(t.Meta, toolAliases(t)); meta != nil {
			tt := *t
			tt.Meta = meta
			c.Tools[i] = &tt
		}
	}
	return &c
}

// toolAliases returns the older keys of a tool, nil without _meta.ui.
func toolAliases(t *mcp.Tool) map[string]any {
	ui, err := jsonvalue.Object(t.Meta["ui"])
	if err != nil || ui == nil {
		return nil
	}
	aliases := make(map[string]any, 3)
	if uri, _ := ui[metakey.ResourceURI].(string); uri != "" {
		aliases[metakey.OpenAITemplate] = uri
	}
	if mcpapps.VisibleTo(t, mcpapps.VisibilityApp) {
		aliases[metakey.OpenAIAccessible] = true
	}
	if !mcpapps.VisibleTo(t, mcpapps.VisibilityModel) {
		aliases[metakey.OpenAIVisibility] = "private"
	}
	return aliases
}

func aliasContents(r *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.Contents = slices.Clone(r.Contents)
	for i, item := range c.Contents {
		if item == nil || !mcpapps.IsMIMEType(item.MIMEType) {
			continue
		}
		if meta := withAliases(item.Meta, contentAliases(item.Meta)); meta != nil {
			it := *item
			it.Meta = meta
			c.Contents[i] = &it
		}
	}
	return &c
}

// aliasPlain is [aliasContents] for the result of mcpapps.Options.PlainReadResults.
func aliasPlain(r *plainread.Result) *plainread.Result {
	c := *r
	c.Meta = maps.Clone(r.Meta)
	c.Contents = slices.Clone(r.Contents)
	for i := range c.Contents {
		item := &c.Contents[i]
		if !mcpapps.IsMIMEType(item.MIMEType) {
			continue
		}
		if meta := withAliases(item.Meta, contentAliases(item.Meta)); meta != nil {
			item.Meta = meta
		}
	}
	return &c
}

// contentAliases returns the older keys of a content item, nil without _meta.ui.
func contentAliases(meta mcp.Meta) map[string]any {
	ui, err := jsonvalue.Object(meta["ui"])
	if err != nil || ui == nil {
		return nil
	}
	aliases := make(map[string]any, 3)
	if csp, err := jsonvalue.Object(ui[metakey.CSP]); err == nil && csp != nil {
		aliases[metakey.OpenAIWidgetCSP] = widgetCSP(csp)
	}
	if domain, _ := ui[metakey.Domain].(string); domain != "" {
		aliases[metakey.OpenAIDomain] = domain
	}
	if border, ok := ui[metakey.PrefersBorder].(bool); ok {
		aliases[metakey.OpenAIBorder] = border
	}
	return aliases
}

// withAliases returns a copy of meta with the keys that it does not have, nil if it has
// them all.
func withAliases(meta mcp.Meta, aliases map[string]any) mcp.Meta {
	var c mcp.Meta
	for k, v := range aliases {
		if _, ok := meta[k]; ok {
			continue
		}
		if c == nil {
			c = make(mcp.Meta, len(meta)+len(aliases))
			maps.Copy(c, meta)
		}
		c[k] = v
	}
	return c
}
