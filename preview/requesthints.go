package preview

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
)

// requestHints returns what a host with entrypoints tells the server of its user with
// each tool call, nil for another host. The user is one for a run of the preview, and the
// conversation one for a page.
func (t *tab) requestHints(profile *compat.Profile, c host.HostContext) mcp.Meta {
	if !hasEntrypoints(profile) {
		return nil
	}
	meta := mcp.Meta{metakey.OpenAISubject: t.preview.subject, metakey.OpenAISession: t.session}
	if c.Locale != "" {
		meta[metakey.OpenAILocale] = c.Locale
	}
	if c.UserAgent != "" {
		meta[metakey.OpenAIUserAgent] = c.UserAgent
	}
	if c.TimeZone != "" {
		meta[metakey.OpenAIUserLocation] = map[string]any{"timezone": c.TimeZone}
	}
	return meta
}

// callMeta returns what the emulated host adds to a tool call for the view in a context.
func (v *view) callMeta(c host.HostContext) mcp.Meta {
	meta := v.tab.requestHints(v.entry.profile, c)
	if f := v.entry.file; f != nil {
		meta[metakey.OpenAIResource] = map[string]any{"path": f.path}
	}
	return meta
}

// forward adds to a tool call of the view what the emulated host adds. The view can't set
// what only the host may say, also where the host says nothing.
func (v *view) forward(ctx context.Context, f *host.Forwarded, next func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	if f.Method == "tools/call" && hasEntrypoints(v.entry.profile) {
		meta := mcp.Meta{}
		maps.Copy(meta, f.Meta)
		delete(meta, metakey.OpenAIResource)
		for _, hint := range metakey.OpenAIHints {
			delete(meta, hint)
		}
		maps.Copy(meta, v.callMeta(v.bridge.Context()))
		f.Meta = meta
	}
	return next(ctx)
}
