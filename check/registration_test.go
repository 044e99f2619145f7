package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keptByRegistration are rules on declarations whose findings a server that registers
// by package mcpapps can't have: registration rejects the declaration, or writes it
// as hosts read it.
var keptByRegistration = []string{
	"csp-entry", "csp-key", "csp-type", "meta-openai-case", "meta-spelling", "meta-type", "permission-key", "permission-type",
	"tool-flat-missing", "tool-keys-differ", "tool-nested-missing", "tool-resource-meta", "tool-schema", "tool-uri-invalid",
	"tool-uri-missing", "tool-uri-template", "tool-visibility",
}

// Each failing example of these rules, registered by package mcpapps with the same
// metadata by hand.
func TestRegistrationKeepsRules(t *testing.T) {
	all := examples(t)
	for _, code := range keptByRegistration {
		e, ok := all[code]
		require.True(t, ok, code)
		for name, content := range e.files {
			if !strings.Contains(name, "fail.json") {
				continue
			}
			patches := []string{content}
			if strings.HasSuffix(name, "l") {
				patches = strings.Split(strings.TrimSpace(content), "\n")
			}
			for _, patch := range patches {
				if strings.Contains(patch, `"says"`) || strings.Contains(patch, `"answers"`) {
					continue // not a patch, or without a server
				}
				s, rejected := registered(t, newFake(t, patch))
				if rejected != "" {
					continue
				}
				r, err := Server(t.Context(), s, nil)
				require.NoError(t, err)
				assert.NotContains(t, codesOf(r), code, "%s\n%s", patch, r.Findings)
			}
		}
	}
}

// registered returns a server with the fake's tools and resources, or what the first
// registration that panics says.
func registered(t *testing.T, f *fake) (s *mcp.Server, rejected string) {
	t.Helper()
	conn, err := f.connect(t.Context())
	require.NoError(t, err)
	w := conn.(*fakeWire)
	defer func() {
		if p := recover(); p != nil {
			rejected = fmt.Sprint(p)
		}
	}()
	s = mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	for _, v := range w.values("tools") {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		var tool mcp.Tool
		if json.Unmarshal(raw, &tool) != nil {
			return nil, "not a tool"
		}
		mcpapps.RegisterRawAppTool(s, &tool, mcpapps.ToolUIMetadata{}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "x"}}}, nil
		})
	}
	for _, v := range w.values("resources") {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		var r mcp.Resource
		if json.Unmarshal(raw, &r) != nil {
			return nil, "not a resource"
		}
		item, _ := w.object("documents")[r.URI].(map[string]any)
		if r.Meta == nil {
			r.Meta, _ = item["_meta"].(map[string]any)
		}
		mcpapps.RegisterAppResource(s, &r, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><p>x"))
	}
	return s, ""
}
