package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

func root() string { return filepath.Join(e2e.Dir(), "..", "..") }

// readme builds the README's program, as somebody does who follows it.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(), "README.md"))
	require.NoError(t, err)
	gomod, err := os.ReadFile(filepath.Join(root(), "go.mod"))
	require.NoError(t, err)
	gosum, err := os.ReadFile(filepath.Join(root(), "go.sum"))
	require.NoError(t, err)
	mod := regexp.MustCompile(`(?s)ignore \(.*?\)\n`).ReplaceAllString(string(gomod), "")
	mod = strings.Replace(mod, "module github.com/mcpapps-go/mcpapps", "module example.com/hello", 1) +
		"\nrequire github.com/mcpapps-go/mcpapps v0.0.0\nreplace github.com/mcpapps-go/mcpapps => " + root() + "\n"
	dir := t.TempDir()
	for name, data := range map[string]string{
		"go.mod": mod, "go.sum": string(gosum), "main.go": block(t, text, "go"), "ui/index.html": block(t, text, "html"),
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(data), 0o644))
	}
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-mod=mod", "-o", program, ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

func block(t *testing.T, text []byte, lang string) string {
	m := regexp.MustCompile("(?s)```" + lang + "\n(.*?)```").FindSubmatch(text)
	require.NotNil(t, m, "the README has a block in %s", lang)
	return string(m[1])
}
