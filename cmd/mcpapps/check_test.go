package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
)

func TestCheckExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, doc string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(doc), 0o644))
		return path
	}
	good := file("good.html", "<!doctype html><p>Hello</p>")
	warns := file("warns.html", "<!doctype html><p>Hello</p><script>eval(x)</script>")
	fails := file("fails.html", "<!doctype html><script src=app.js></script>")
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"good", []string{good}, 0, "0 errors, 0 warnings", ""},
		{"a warning", []string{warns}, 0, "warning doc-eval", ""},
		{"a warning that counts", []string{"-fail-on", "warning", warns}, 1, "warning doc-eval", ""},
		{"an error", []string{fails}, 1, "error doc-relative-script", ""},
		{"turned off", []string{"-off", "doc-relative-script=the host has it", fails}, 0, "1 turned off", ""},
		{"turned off for nothing", []string{"-off", "doc-eval=gone", fails}, 2, "error doc-relative-script", "nothing raises it any more"},
		{"no reason", []string{"-off", "doc-eval", warns}, 2, "", "no reason"},
		{"no such rule", []string{"-off", "doc-evil=x", warns}, 2, "", `the nearest is "doc-eval"`},
		{"no arguments", nil, 2, "", "name a server"},
		{"no file", []string{filepath.Join(dir, "none.html")}, 2, "", "none.html"},
		{"no command", []string{"--", "no-such-command-anywhere"}, 2, "", "no-such-command-anywhere"},
		{"no flag", []string{"-no-such-flag"}, 2, "", "no-such-flag"},
		{"notes don't fail", []string{"-fail-on", "note", good}, 2, "", "notes never fail"},
		{"bad arguments", []string{"-call", "show=[1]", good}, 2, "", "not a JSON object"},
		{"a file has no tools", []string{"-call", "show", good}, 2, "", "no tools"},
		{"help", []string{"-h"}, 0, "", "usage: mcpapps check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, c.code, runCheck(c.args, &stdout, &stderr), "%s%s", &stdout, &stderr)
			assert.Contains(t, stdout.String(), c.stdout)
			assert.Contains(t, stderr.String(), c.stderr)
			if c.stderr == "" {
				assert.Empty(t, stderr.String())
			}
		})
	}
}

func TestCheckJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "warns.html")
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html><p>Hello</p><script>eval(x)</script>"), 0o644))
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 0, runCheck([]string{"-json", path}, &stdout, &stderr))
	var r check.Report
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "doc-eval", r.Findings[0].Code)
}

// TestCheckDeadCommand shows what a person sees of a command that does not
// start.
func TestCheckDeadCommand(t *testing.T) {
	e2e.NeedCommand(t, "sh")
	var stdout, stderr bytes.Buffer
	code := runCheck([]string{"--", "sh", "-c", "echo Starting; echo 'cannot find module x' >&2; exit 1"}, &stdout, &stderr)
	assert.Equal(t, 2, code)
	assert.Empty(t, stdout.String())
	assert.Contains(t, stderr.String(), "Starting")
	assert.Contains(t, stderr.String(), "cannot find module x")
	assert.Contains(t, stderr.String(), "exit status 1")
}
