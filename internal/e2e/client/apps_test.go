package client

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every published app is found among its server's tools, can be read within the
// default size limit, and declares only origins that the policy accepts. In the plain
// run these are the largest, and the one with the most origins: internal/e2e/check reads
// all of them too.
func TestPublishedApps(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Apps)
	raw, err := os.ReadFile(filepath.Join(e2e.Dir(), "apps", "package.json"))
	require.NoError(t, err)
	var manifest struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(raw, &manifest))
	require.NotEmpty(t, manifest.Dependencies)
	inCI := []string{"server-pdf", "server-map"}
	for _, name := range inCI {
		require.Contains(t, manifest.Dependencies, "@modelcontextprotocol/"+name)
	}
	for name := range manifest.Dependencies {
		if !testenv.Full() && !slices.Contains(inCI, filepath.Base(name)) {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			opts := &mcp.ClientOptions{}
			appclient.EnableClient(opts)
			cmd := exec.Command("node", filepath.Join(e2e.Dir(), "apps", "node_modules", name, "dist", "index.js"), "--stdio")
			cs, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
			require.NoError(t, err)
			defer cs.Close()
			listed, err := cs.ListTools(t.Context(), nil)
			require.NoError(t, err)
			entries := map[string]mcp.Meta{}
			for r, err := range cs.Resources(t.Context(), nil) {
				require.NoError(t, err)
				entries[r.URI] = r.Meta
			}
			apps := 0
			for _, tool := range listed.Tools {
				m, err := mcpapps.ToolUI(tool)
				require.NoError(t, err)
				if m.ResourceURI == "" {
					continue
				}
				apps++
				app, err := appclient.ReadApp(t.Context(), cs, m.ResourceURI, &appclient.ReadOptions{Listed: entries[m.ResourceURI], Timeout: 5 * time.Minute})
				require.NoError(t, err)
				assert.NoError(t, app.MetadataErr)
				assert.Empty(t, app.UI.CSP.Dropped())
				t.Logf("%s: %s, %d bytes, %s", tool.Name, app.URI, len(app.HTML), app.UI.CSP.Policy())
			}
			assert.NotZero(t, apps)
		})
	}
}
