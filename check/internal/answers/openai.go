package answers

import (
	"context"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// DeclaresOpenAI reports whether the server declares anything of OpenAI's layer: a
// capability, or a key in the _meta of a tool or of an app's content item.
func (r *Record) DeclaresOpenAI() bool {
	for _, where := range []string{"extensions", "experimental"} {
		if m, _ := r.Hello.Capabilities[where].(map[string]any); HasOpenAIKey(m) {
			return true
		}
	}
	for _, t := range r.Tools {
		if HasOpenAIKey(t.Meta) {
			return true
		}
	}
	for _, read := range r.Reads {
		for i := range read.Items {
			if meta, _ := read.Items[i].Object["_meta"].(map[string]any); HasOpenAIKey(meta) {
				return true
			}
		}
	}
	return false
}

// HasOpenAIKey reports whether a map has a key of OpenAI's layer. securitySchemes in a
// _meta is one: it is there for ChatGPT.
func HasOpenAIKey(m map[string]any) bool {
	for key := range m {
		if strings.HasPrefix(key, "openai/") || key == metakey.SecuritySchemes {
			return true
		}
	}
	return false
}

// callHostTools calls the tools that the server's capabilities name for ChatGPT to call
// by itself, as ChatGPT does, if the policy allows it.
func (f *fetcher) callHostTools(ctx context.Context, calls *unasked.Policy) {
	named, _ := openairules.ReadCapabilities(f.Hello.Capabilities)
	f.Settings = f.callHostTool(ctx, named.ReadSettings, map[string]any{}, calls)
	f.Mentions = f.callHostTool(ctx, named.SearchMentions, map[string]any{"query": ""}, calls)
}

// callHostTool returns the answer of one such tool, nil if it is not called. Where the
// tool was called for another reason, that answer is taken.
func (f *fetcher) callHostTool(ctx context.Context, name string, args map[string]any, calls *unasked.Policy) *Result {
	if name == "" {
		return nil
	}
	for _, r := range f.Results {
		if r.Tool.Name == name {
			return r
		}
	}
	for _, t := range f.Tools {
		if t.Name == name && !f.Ended && calls.AllowsHost(t.ForPolicy(), args) {
			return f.call(ctx, t, args)
		}
	}
	return nil
}
