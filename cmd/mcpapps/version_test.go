package main

import (
	"bytes"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionText(t *testing.T) {
	sdk := &debug.Module{Path: "github.com/modelcontextprotocol/go-sdk", Version: "v1.8.0"}
	installed := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "github.com/mcpapps-go/mcpapps", Version: "v0.4.0"}, Deps: []*debug.Module{sdk}}
	assert.Equal(t, `mcpapps   v0.4.0
Go        1.26.0
Go SDK    v1.8.0
MCP Apps  2026-01-26
MCP       2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05
`, versionText(installed))

	built := &debug.BuildInfo{Main: debug.Module{Path: "example.com/tool", Version: "v9.9.9"}, Deps: []*debug.Module{
		{Path: "github.com/mcpapps-go/mcpapps", Version: "v0.3.0", Replace: &debug.Module{Path: "../mcpapps"}}, sdk,
	}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.modified", Value: "true"}}}
	assert.Contains(t, versionText(built), "mcpapps   v0.3.0 => ../mcpapps 0123abc, modified\n")
}

func TestVersion(t *testing.T) {
	for _, name := range []string{"version", "-version", "--version"} {
		var stdout, stderr bytes.Buffer
		assert.Zero(t, run(t.Context(), []string{name}, stdio{&stdout, &stderr}))
		assert.Contains(t, stdout.String(), "MCP Apps  2026-01-26\n")
		assert.Empty(t, stderr.String())
	}
}
