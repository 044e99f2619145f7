package mcpapps_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In a process that the preview started, HTMLFile reads the file on disk that the
// program embeds.
func TestHTMLFileOnDisk(t *testing.T) {
	file := func(dir string) string { return filepath.Join(dir, "testdata", "wire", "2025-11-25-ui.txtar") }
	dir := os.Getenv(devenv.Sources)
	if dir == "" {
		dir = t.TempDir()
		require.NoError(t, os.CopyFS(dir, embedded))
		cmd := exec.Command(os.Args[0], "-test.run=^TestHTMLFileOnDisk$")
		cmd.Env = append(os.Environ(), devenv.Sources+"="+dir)
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		return
	}
	sub, err := fs.Sub(embedded, "testdata")
	require.NoError(t, err)
	for _, h := range []mcp.ResourceHandler{
		mcpapps.HTMLFile(embedded, "testdata/wire/2025-11-25-ui.txtar"), mcpapps.HTMLFile(sub, "wire/2025-11-25-ui.txtar"),
	} {
		require.NoError(t, os.WriteFile(file(dir), []byte("<p>edited"), 0o644))
		res, err := h(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, "<p>edited", res.Contents[0].Text)
		require.NoError(t, os.Remove(file(dir)))
		_, err = h(t.Context(), nil)
		assert.ErrorIs(t, err, fs.ErrNotExist)
	}
}
