package view

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// The monitor's view is written in TypeScript, and the bundler does not check
// types. The lines of wrong.ts prove that the types are in force.
func TestMonitorCompiles(t *testing.T) {
	t.Parallel()
	ui := map[string]string{"wrong.ts": `
import { App } from "mcp-app";
const app = new App({ name: "wrong", version: "1.0.0" });
// @ts-expect-error
app.callServerTool({ name: "sample_metric", arguments: {} });
// @ts-expect-error
app.callServerTool({ name: "sample_metrics", arguments: { since: "1" } });
const result = await app.callServerTool({ name: "sample_metrics" });
// @ts-expect-error
if (!result.isError) result.structuredContent.process.nosuch;
`}
	files, err := filepath.Glob(filepath.Join(e2e.Dir(), "..", "..", "examples", "monitor", "ui", "*.ts"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		ui[filepath.Base(file)] = string(text)
	}
	assert.Empty(t, tsc(t, declarations(), ui))
}
