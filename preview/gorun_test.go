package preview

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// TestGoRunSources shows which files of a server that runs by "go run" are its program,
// and which make up its documents.
func TestGoRunSources(t *testing.T) {
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
	rel := func(files []string) (names []string) {
		for _, f := range files {
			rel, err := filepath.Rel(dir, f)
			require.NoError(t, err)
			names = append(names, filepath.ToSlash(rel))
		}
		return names
	}
	target := host.Target{Command: []string{"go", "run", "./cmd/server", "go.mod"}, Dir: dir}
	s, complete := sourcesOf(t.Context(), target, true, nil)
	assert.True(t, complete)
	assert.ElementsMatch(t, []string{"go.mod", "cmd/server/main.go", "tools/tools.go"}, rel(s.programs))
	assert.ElementsMatch(t, []string{"cmd/server", "tools"}, rel(s.packages))
	assert.ElementsMatch(t, []string{"cmd/server/ui/a.html"}, rel(s.embedded))
	assert.ElementsMatch(t, []string{"cmd/server/ui"}, rel(s.folders))
	assert.Equal(t, []string{"MCPAPPS_SOURCE_MAPS=1", "MCPAPPS_SOURCES=" + filepath.Join(dir, "cmd/server")}, s.environment())
	assert.ElementsMatch(t, []string{"go.mod", "cmd/server/main.go", "tools/tools.go", "cmd/server/ui/a.html"}, rel(slices.Collect(maps.Keys(s.stamps(nil)))))

	file := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"tools/new.go": "package tools\n", "tools/new_test.go": "package tools\n", "tools/a.txt": "", "cmd/server/ui/new/b.css": "", "cmd/server/ui/.b.css.swp": "", "cmd/server/ui/node_modules/c.js": ""} {
		require.NoError(t, os.MkdirAll(filepath.Dir(file(name)), 0o755))
		require.NoError(t, os.WriteFile(file(name), []byte(text), 0o644))
	}
	assert.ElementsMatch(t, []string{"go.mod", "cmd/server/main.go", "tools/tools.go", "cmd/server/ui/a.html", "tools/new.go", "cmd/server/ui/new/b.css"}, rel(slices.Collect(maps.Keys(s.stamps(nil)))))
	assert.True(t, s.restarts(file("tools/new.go"), true))
	assert.True(t, s.restarts(file("tools/tools.go"), false), "a source that was removed")
	assert.True(t, s.restarts(file("go.mod"), true))
	assert.False(t, s.restarts(file("go.mod"), false), "a program that is being written")
	assert.False(t, s.restarts(file("cmd/server/ui/a.html"), true))

	require.NoError(t, os.WriteFile(file("cmd/server/main.go"), []byte("package"), 0o644))
	_, complete = sourcesOf(t.Context(), target, true, nil)
	assert.False(t, complete)

	alone, complete := sourcesOf(t.Context(), host.Target{Command: []string{"go", "run", "x.go"}, Dir: file("alone")}, true, nil)
	assert.False(t, complete, alone)
	require.NoError(t, os.Mkdir(file("alone"), 0o755))
	require.NoError(t, os.WriteFile(file("alone/x.go"), []byte("package main\n\nfunc main() {}\n"), 0o644))
	alone, complete = sourcesOf(t.Context(), host.Target{Command: []string{"go", "run", "x.go"}, Dir: file("alone")}, true, nil)
	assert.True(t, complete)
	assert.Equal(t, []string{"alone/x.go"}, slices.Compact(rel(alone.programs)))
	assert.Empty(t, alone.packages, "a command that names files has only these")
}
