package mcpapps_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImports limits the modules that importing this package compiles to the SDK,
// jsonschema-go, uritemplate and their dependencies. A bundler or an HTML parser
// must not get into every server.
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

// TestLayers lists, for each public package, the public packages that it may
// import directly or indirectly. A new package needs a line here.
func TestLayers(t *testing.T) {
	const module = "github.com/mcpapps-go/mcpapps"
	host := []string{"", "compat", "appclient"}
	preview := append(slices.Clone(host), "host")
	check := append(slices.Clone(preview), "preview")
	above := append(slices.Clone(check), "check", "view", "view/bundle")
	layers := map[string][]string{
		"":                    {},
		"view":                {},
		"compat":              {""},
		"appclient":           {""},
		"gateway":             {""},
		"openai":              {""},
		"viewstate":           {""},
		"viewstate/storetest": {"", "viewstate"},
		"viewdata":            {"", "viewstate"},
		"viewform":            {"", "viewstate"},
		"view/bundle":         {"", "view"},
		"host":                host,
		"preview":             preview,
		"check":               check,
		"mcpappstest":         above,
		"cmd/mcpapps":         above,
	}
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...").Output()
	require.NoError(t, err)
	public := func(path string) (name string, ok bool) {
		name, ok = strings.CutPrefix(path, module)
		name = strings.TrimPrefix(name, "/")
		parts := strings.Split(name, "/")
		return name, ok && !slices.Contains(parts, "internal") && parts[0] != "examples"
	}
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		pkg, ok := public(paths[0])
		if !ok {
			continue
		}
		allowed, known := layers[pkg]
		if !assert.True(t, known, "package %q has no place in the order: give it a line in TestLayers", pkg) {
			continue
		}
		for _, path := range paths[1:] {
			if dep, ok := public(path); ok {
				assert.Contains(t, allowed, dep, "package %q imports it", pkg)
			}
		}
	}
}
