package firstday

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestGoGetOfTheModuleAlone shows what go build says if go get was given the module, of
// which only the root package was needed then, and the README what to do.
func TestGoGetOfTheModuleAlone(t *testing.T) {
	t.Parallel()
	root := filepath.Join(e2e.Dir(), "..", "..")
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	mod := regexp.MustCompile(`(?s)ignore \(.*?\)\n`).ReplaceAllString(string(gomod), "")
	mod = strings.Replace(mod, "module github.com/mcpapps-go/mcpapps", "module example.com/hello", 1) +
		"\nrequire github.com/mcpapps-go/mcpapps v0.0.0\nreplace github.com/mcpapps-go/mcpapps => " + root + "\n"
	// What go get of the root package does not add: the sums of what the bundler needs.
	sums := regexp.MustCompile(`(?m)^github.com/evanw/esbuild \S+ h1:.*\n`).ReplaceAllString(string(gosum), "")
	require.NotEqual(t, string(gosum), sums)
	dir := t.TempDir()
	for file, text := range map[string]string{
		"go.mod": mod, "go.sum": sums,
		"main.go": "package main\n\nimport _ \"github.com/mcpapps-go/mcpapps/view/bundle\"\n\nfunc main() {}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-mod=readonly", "-o", os.DevNull, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "missing go.sum entry for module providing package github.com/evanw/esbuild/pkg/api (imported by github.com/mcpapps-go/mcpapps/view/bundle); to add:\n\tgo get github.com/mcpapps-go/mcpapps/view/bundle")
	assert.Contains(t, readme(t), "go mod tidy")
}
