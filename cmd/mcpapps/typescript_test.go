package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/view"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTypes(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	tool := filepath.Join(t.TempDir(), "tool.txt")
	require.NoError(t, os.WriteFile(tool, []byte("forecast"), 0o644))
	wrote := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = run(t.Context(), append([]string{"types"}, args...), stdio{&o, &e})
		return code, o.String(), e.String()
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}

	runtime := view.Types() + "\n" + view.DataTypes() + "\n" + view.OpenAITypes()
	// Standard output has everything that the files have.
	code, out, errs := wrote()
	require.Zero(t, code, errs)
	assert.Equal(t, runtime, out)
	code, out, errs = wrote("-react", "--", self, tool)
	require.Zero(t, code, errs)
	assert.True(t, strings.HasPrefix(out, runtime+"\n"+view.ReactTypes()+"\n"))
	assert.Contains(t, out, "forecast: {")
	// Text is not changed where no terminal acts on it.
	require.NoError(t, os.WriteFile(tool, []byte("fore\u200dcast"), 0o644))
	_, out, _ = wrote("--", self, tool)
	assert.Contains(t, out, "fore\u200dcast")
	require.NoError(t, os.WriteFile(tool, []byte("forecast"), 0o644))

	code, out, errs = wrote("-o", dir)
	require.Zero(t, code, errs)
	var wroteFiles string
	for _, name := range []string{"mcp-app.d.ts", "mcp-app-data.d.ts", "mcp-app-openai.d.ts"} {
		wroteFiles += "wrote " + filepath.Join(dir, name) + "\n"
	}
	assert.Equal(t, wroteFiles, out)
	assert.Equal(t, view.Types(), read("mcp-app.d.ts"))
	assert.Equal(t, view.DataTypes(), read("mcp-app-data.d.ts"))
	assert.Equal(t, view.OpenAITypes(), read("mcp-app-openai.d.ts"))

	code, _, errs = wrote("-o", dir, "-react", "--", self, tool)
	require.Zero(t, code, errs)
	assert.Equal(t, view.ReactTypes(), read("mcp-app-react.d.ts"))
	assert.Contains(t, read("tools.d.ts"), "forecast: {")

	// Nothing is written for a server that can't be asked.
	require.NoError(t, os.Remove(filepath.Join(dir, "mcp-app.d.ts")))
	code, _, errs = wrote("-o", dir, "--", filepath.Join(dir, "missing"))
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errs, "missing")
	assert.NoFileExists(t, filepath.Join(dir, "mcp-app.d.ts"))

	made := filepath.Join(dir, "new", "folder")
	code, _, errs = wrote("-o", made)
	assert.Zero(t, code, errs)
	assert.FileExists(t, filepath.Join(made, "mcp-app.d.ts"))
	code, _, errs = wrote("-o", filepath.Join(made, "mcp-app.d.ts", "within"))
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errs, "not a directory")
}
