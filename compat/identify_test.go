package compat_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIdentify(t *testing.T) {
	for name, want := range map[string][]string{
		"claude-ai":          {"claude-desktop", "claude-web"},
		"Anthropic/ClaudeAI": {"claude-desktop", "claude-web"},
		"Anthropic/Toolbox":  {"claude-web"},
		"openai-mcp":         {"chatgpt"},
		"Visual Studio Code": {"vscode"},
		"claude-code":        {"claude-code"},
		"visual studio code": nil, // exactly
		"mcp":                nil, // a library's default, which says nothing
		"":                   nil,
	} {
		var got []string
		for _, p := range compat.Identify(&mcp.Implementation{Name: name, Version: "1"}) {
			got = append(got, p.ID)
		}
		assert.Equal(t, want, got, name)
	}
	assert.Empty(t, compat.Identify(nil))

	list := compat.Identify(&mcp.Implementation{Name: "claude-ai"})
	list[0] = nil
	assert.NotNil(t, compat.Identify(&mcp.Implementation{Name: "claude-ai"})[0], "the list is the caller's")
}

func TestLookup(t *testing.T) {
	list := compat.Profiles()
	assert.True(t, slices.IsSortedFunc(list, func(a, b *compat.Profile) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	}))
	for _, p := range list {
		found, ok := compat.Lookup(p.ID)
		require.True(t, ok)
		assert.Same(t, p, found)
	}
	_, ok := compat.Lookup("nobody")
	assert.False(t, ok)

	first := list[0]
	list[0] = nil
	assert.Same(t, first, compat.Profiles()[0], "the list is the caller's")
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, p := range compat.Profiles() {
				p.Rows()
			}
			compat.Identify(&mcp.Implementation{Name: "claude-ai"})
		})
	}
	wg.Wait()
}

// TestCostKeepViews bounds what each request of a client without UI pays.
func TestCostKeepViews(t *testing.T) {
	testenv.Measure(t)
	compat.Profiles()
	h := compat.KeepViews()(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, nil })
	req := &mcp.ListToolsRequest{Params: &mcp.ListToolsParams{Meta: mcp.Meta{
		mcp.MetaKeyClientCapabilities: map[string]any{},
		mcp.MetaKeyClientInfo:         map[string]any{"name": "somebody"},
	}}}
	ctx := t.Context()
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = h(ctx, "tools/list", req) }), 1.0)
}
