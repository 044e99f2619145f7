package preview

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// TestParseGoRun shows which words of a command are build flags and which are
// packages.
func TestParseGoRun(t *testing.T) {
	for command, want := range map[string]string{
		"go run ./cmd/server -addr x.go":          " | ./cmd/server",
		"go run -race -tags a,b -ldflags=-s . x":  "-race -tags a,b -ldflags=-s | .",
		"/usr/bin/go run -exec time -v a.go b.go": " | a.go b.go",
		"go run a.go b.go --out c":                " | a.go b.go",
		"go run":                                  " | ",
		"go run -tags":                            "-tags | ",
		"go build ./cmd/server":                   " | ",
		"gorun run ./cmd/server":                  " | ",
	} {
		flags, packages := parseGoRun(strings.Fields(command))
		assert.Equal(t, want, strings.Join(flags, " ")+" | "+strings.Join(packages, " "), command)
	}
}

// TestGoRunFiles shows that a server that runs by "go run" is restarted after each
// edit of its own files, of another package of the module, and of embedded files.
func TestGoRunFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":               "module example.com/m\n\ngo 1.25.0\n",
		"cmd/server/main.go":   "package main\n\nimport (\n\t\"embed\"\n\n\t\"example.com/m/tools\"\n)\n\n//go:embed ui\nvar ui embed.FS\n\nfunc main() { tools.Run(ui) }\n",
		"cmd/server/ui/a.html": "<p>a",
		"tools/tools.go":       "package tools\n\nfunc Run(any) {}\n",
		"other/other.go":       "package other\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	dir, err := filepath.EvalSymlinks(dir) // as go list prints it
	require.NoError(t, err)
	files := func() (names []string) {
		for _, f := range commandFiles(t.Context(), host.Target{Command: []string{"go", "run", "./cmd/server", "go.mod"}, Dir: dir}) {
			rel, err := filepath.Rel(dir, f)
			require.NoError(t, err)
			names = append(names, filepath.ToSlash(rel))
		}
		return names
	}
	assert.ElementsMatch(t, []string{"go.mod", "cmd/server/main.go", "cmd/server/ui/a.html", "tools/tools.go"}, files())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd/server/main.go"), []byte("package"), 0o644))
	assert.Equal(t, []string{"go.mod"}, files(), "without the package, which go list cannot load")
}
