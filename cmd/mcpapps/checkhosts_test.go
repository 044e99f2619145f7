package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/compat"
)

// viewFile writes a document and returns its path.
func viewFile(t *testing.T, doc string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "view.html")
	require.NoError(t, os.WriteFile(path, []byte(doc), 0o644))
	return path
}

// TestCheckHost shows what -host adds to each format, and when it fails the check.
func TestCheckHost(t *testing.T) {
	asks := viewFile(t, "<!doctype html>\n<p>Hello</p><script>app.downloadFile(f)</script>")
	framed := viewFile(t, "<!doctype html><style>iframe { width: 100% }</style><iframe src=https://maps.example.com></iframe>")
	const frames = `{"csp":{"frameDomains":["https://maps.example.com"]}}`
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"text", []string{"-host", "goose", asks}, 0, "downloadFile: the app calls downloadFile at 2:25; the host does not have it (probe 2026-08-14", ""},
		{"degraded does not count as a warning", []string{"-host", "goose", "-fail-on", "warning", asks}, 0, "degraded: ", ""},
		{"blocked is one", []string{"-host", "claude-web", "-metadata", frames, "-fail-on", "warning", framed}, 1, "blocked: ", ""},
		{"and no error", []string{"-host", "claude-web", "-metadata", frames, framed}, 0, "blocked: ", ""},
		{"a host without apps blocks nothing", []string{"-host", "claude-code", "-fail-on", "warning", asks}, 0, "shows no apps", ""},
		{"several", []string{"-host", "vscode, goose", "-host", "cursor", asks}, 0, "host cursor, Cursor: ", ""},
		{"the platforms of a host", []string{"-host", "claude", asks}, 0, "host claude-desktop, Claude (desktop): ", ""},
		{"all", []string{"-host", "all", asks}, 0, "host n8n, n8n: 1 blocked", ""},
		{"a misspelled one", []string{"-host", "gose", asks}, 2, "", `mcpapps check: -host names "gose", of which there is no profile: the nearest is "goose"; there are agentcore, `},
		{"a misspelled group", []string{"-host", "cladue", asks}, 2, "", `the nearest is "claude"; there are agentcore, `},
		{"an empty one", []string{"-host", "goose,", asks}, 2, "", `-host: a name in the list is empty`},
		{"GitHub, degraded", []string{"-format", "github", "-host", "goose", asks}, 0, ",line=2,col=25,title=goose degraded::", ""},
		{"GitHub, blocked", []string{"-format", "github", "-host", "claude-web", "-metadata", frames, framed}, 0, "::warning file=", ""},
		{"GitHub, a host without apps", []string{"-format", "github", "-host", "claude-code", asks}, 0, "::notice file=", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, c.code, runCheck(t, &stdout, &stderr, c.args...), "%s%s", &stdout, &stderr)
			assert.Contains(t, stdout.String(), c.stdout)
			assert.Contains(t, stderr.String(), c.stderr)
		})
	}
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 0, runCheck(t, &stdout, &stderr, "-format", "json", "-host", "all", asks))
	var r check.Report
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
	require.Len(t, r.Hosts, len(compat.Profiles()))
	for i, p := range compat.Profiles() {
		assert.Equal(t, p.ID, r.Hosts[i].ID)
	}
	assert.Equal(t, 1, strings.Count(stdout.String(), `"id": "goose"`))
}
