// Package gateway tests the example gateway with the published packages: a server in
// TypeScript behind it, and the reference host before it.
package gateway

import (
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// Views of a Go server and of a published one open side by side at the common endpoint.
// Each is refused the other's tools, there and at its own endpoint, where its own tools
// work: the monitor's charts move, and the published view shows what it polls.
func TestViewsOfTwoBackends(t *testing.T) {
	e2e.Need(t, e2e.Packages, e2e.Apps, e2e.Browser)
	url := e2e.Start(t, e2e.Build(t, "examples/gateway"), "-addr", "127.0.0.1:0",
		"-backend", "monitor="+e2e.Build(t, "examples/monitor")+" -stdio",
		"-backend", "system=node "+filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol", "server-system-monitor", "dist", "index.js")+" --stdio")
	for version, input := range map[string]map[string]any{
		"2025-11-25": {"url": url, "monitor": url + "/monitor", "system": url + "/system"},
		"2026-07-28": {"url": url, "versionNegotiation": map[string]any{"mode": map[string]any{"pin": "2026-07-28"}}},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			var r struct {
				Common struct {
					ProtocolVersion string
					Tools           []*mcp.Tool
					Monitor, System map[string]string
				}
				Monitor, System map[string]string
			}
			e2e.Drive(t, "gateway.mjs", input, &r)
			assert.Equal(t, version, r.Common.ProtocolVersion)
			views := map[string]any{}
			for _, tool := range r.Common.Tools {
				ui, ok := tool.Meta["ui"].(map[string]any)
				require.True(t, ok, tool.Name)
				assert.Equal(t, []any{"model"}, ui["visibility"], tool.Name)
				views[tool.Name] = ui["resourceUri"]
			}
			assert.Equal(t, map[string]any{"show_monitor": "ui://monitor/monitor/monitor.html", "get-system-info": "ui://system/system-monitor/mcp-app.html"}, views)

			for _, of := range []map[string]string{r.Common.Monitor, r.Common.System} {
				require.Len(t, of, 4)
				for tool, answer := range of {
					assert.Contains(t, answer, "error: ", tool)
				}
			}
			if input["monitor"] == nil {
				return
			}
			assert.Equal(t, "result", r.Monitor["sample_metrics"])
			assert.Contains(t, r.Monitor["poll-system-stats"], "error: ")
			assert.Contains(t, r.Monitor["get-system-info"], "error: ")
			assert.Equal(t, "result", r.System["poll-system-stats"])
			assert.Contains(t, r.System["sample_metrics"], "error: ")
			assert.Contains(t, r.System["show_monitor"], "error: ")
		})
	}
}
