package view

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// Views of the examples are written in TypeScript, and the bundler does not check
// types. The lines of wrong.ts prove that the types are in force.
func TestExamplesCompile(t *testing.T) {
	t.Parallel()
	assert.Empty(t, tsc(t, declarations(), sources(t, "guide")))
	assert.Empty(t, tsc(t, declarations(), sources(t, "orders")))
	assert.Empty(t, tsc(t, declarations(), sources(t, "notes")))
	ui := sources(t, "monitor")
	maps.Copy(ui, map[string]string{"wrong.ts": `
import { App } from "mcp-app";
const app = new App({ name: "wrong", version: "1.0.0" });
// @ts-expect-error
app.callServerTool({ name: "sample_metric", arguments: {} });
// @ts-expect-error
app.callServerTool({ name: "show_monitor_data", arguments: { seconds: "1" } });
const result = await app.callServerTool({ name: "show_monitor" });
// @ts-expect-error
if (!result.isError) result.structuredContent.process.nosuch;
`})
	assert.Empty(t, tsc(t, declarations(), ui))
}

// sources returns the TypeScript files of an example's views.
func sources(t *testing.T, example string) map[string]string {
	ui := make(map[string]string)
	files, err := filepath.Glob(filepath.Join(e2e.Dir(), "..", "..", "examples", example, "ui", "*.ts"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		ui[filepath.Base(file)] = string(text)
	}
	return ui
}
