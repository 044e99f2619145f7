package mcpapps_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImports holds what importing this package compiles: the SDK, jsonschema-go,
// uritemplate, and what these need. A bundler or an HTML parser must not get into
// every server.
func TestImports(t *testing.T) {
	modules := func(pkgs ...string) []string {
		t.Helper()
		args := append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, pkgs...)
		out, err := exec.Command("go", args...).Output()
		require.NoError(t, err)
		list := strings.Fields(string(out))
		slices.Sort(list)
		return slices.Compact(list)
	}
	ours := modules("github.com/mcpapps-go/mcpapps")
	allowed := modules(
		"github.com/modelcontextprotocol/go-sdk/mcp",
		"github.com/modelcontextprotocol/go-sdk/jsonrpc",
		"github.com/google/jsonschema-go/jsonschema",
		"github.com/yosida95/uritemplate/v3",
	)
	require.Contains(t, ours, "github.com/mcpapps-go/mcpapps")
	require.Contains(t, allowed, "github.com/modelcontextprotocol/go-sdk")
	for _, m := range ours {
		if m != "github.com/mcpapps-go/mcpapps" {
			assert.Contains(t, allowed, m, "importing this package compiles another module")
		}
	}
}
