package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// workflowCommand is a line that the runner of GitHub Actions obeys: "::name key=value,…::data",
// where values have no colon or comma, and neither has a line break or a bare percent.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) ((?:[a-z]+=(?:[^%:,\r\n]|%25|%0D|%0A|%3A|%2C)*,?)+)::((?:[^%\r\n]|%25|%0D|%0A)*)$`)

// TestCheckGitHub shows that each finding is an annotation, at its place in the file,
// and that text of a document begins no line.
func TestCheckGitHub(t *testing.T) {
	t.Chdir(t.TempDir())
	name := "100%, a:b.html"
	if err := os.WriteFile(name, []byte("<!doctype html><p>Hello</p>\n<script src='app.js'></script><script>\nfetch('https://a.example/%0A::add-mask::x\\n::stop-commands::y'); eval(x)</script>"), 0o644); err != nil {
		e2e.Skip(t, "this file system takes no such names: "+err.Error())
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, path := range []string{name, filepath.Join(here, name)} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 1, runCheck(t, &stdout, &stderr, "-format", "github", path))
		assert.Empty(t, stderr.String())
		lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
		require.Len(t, lines, 4, "%s", &stdout)
		for _, line := range lines[:3] {
			assert.Regexp(t, workflowCommand, line)
		}
		const file = "file=100%25%2C a%3Ab.html,"
		assert.True(t, strings.HasPrefix(lines[0], "::error "+file+"line=2,col=1,title=doc-relative-script::"), lines[0])
		assert.Contains(t, lines[0], "%0Aremedy: ")
		assert.True(t, strings.HasPrefix(lines[1], "::warning "+file+"line=3,col=7,title=csp-undeclared::"), lines[1])
		assert.Equal(t, "findings: errors 1, warnings 2, notes 0, ignored 0", lines[3])
	}
}

// TestCheckThatCouldNotBeMade shows what a program reads, and what a person, of a
// server that can't be asked.
func TestCheckThatCouldNotBeMade(t *testing.T) {
	for _, c := range []struct {
		name    string
		args    []string
		kind    errorKind
		message string
	}{
		{"nobody listens", []string{testenv.NobodyListens}, kindUnreachable, "; nothing listens there: is the server running?"},
		{"no such command", []string{"--", "no-such-command-anywhere"}, kindUsage, `no such command: "no-such-command-anywhere"`},
		{"no target", nil, kindUsage, "name a server, as a URL or as -- and a command, or an HTML file"},
		{"no file", []string{"none.html"}, kindOther, "none.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, 2, runCheck(t, &stdout, &stderr, append([]string{"-format", "json"}, c.args...)...))
			assert.Contains(t, stderr.String(), c.message)
			var got struct{ Error *jsonError }
			require.NoError(t, json.Unmarshal(stdout.Bytes(), &got), "%s", &stdout)
			require.NotNil(t, got.Error)
			assert.Equal(t, c.kind, got.Error.Kind)
			assert.Contains(t, got.Error.Message, c.message)

			stdout.Reset()
			stderr.Reset()
			assert.Equal(t, 2, runCheck(t, &stdout, &stderr, append([]string{"-format", "github"}, c.args...)...))
			assert.Regexp(t, workflowCommand, strings.TrimSuffix(stdout.String(), "\n"))
			assert.True(t, strings.HasPrefix(stdout.String(), "::error title=mcpapps check::"), "%s", &stdout)
			assert.Contains(t, stdout.String(), c.message)
			assert.Empty(t, stderr.String(), "the runner reads it too")
		})
	}
}

// TestCheckJSONOfACommandThatEnds shows that a program gets the last words of a
// server's process, and GitHub no line that it obeys.
func TestCheckJSONOfACommandThatEnds(t *testing.T) {
	e2e.NeedCommand(t, "sh")
	command := []string{"--", "sh", "-c", "echo '::add-mask::x' >&2; exit 3"}
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, append([]string{"-json"}, command...)...))
	assert.JSONEq(t, `{"error": {"kind": "unreachable", "method": "initialize", "stderr": "::add-mask::x\n",
		"message": "initialize: the connection ended: the server's process ended: exit status 3\nthe beginning of standard output: nothing\nthe end of standard error:\n    ::add-mask::x"}}`, stdout.String())
	stdout.Reset()
	stderr.Reset()
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, append([]string{"-format", "github"}, command...)...))
	assert.Equal(t, 1, strings.Count(stdout.String(), "\n"))
	assert.Empty(t, stderr.String())
}

// TestCheckJSONWithAnError shows that findings and an error stand side by side.
func TestCheckJSONWithAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fails.html")
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html><script src=app.js></script>"), 0o644))
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, "-json", "-ignore", "doc-eval=gone", path))
	var got struct {
		check.Report
		Error jsonError
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &got))
	assert.NotEmpty(t, got.Findings)
	assert.Equal(t, jsonError{Kind: kindUsage, Message: `-ignore names "doc-eval", and nothing raises it any more: take the entry out`}, got.Error)
}

// TestCheckOfAServerWithoutABrowser shows that GitHub gets no file for the URI of an
// app, and that JSON has what was found as well as the reason that views were not opened.
func TestCheckOfAServerWithoutABrowser(t *testing.T) {
	t.Setenv("MCPAPPS_CHROMIUM", filepath.Join(t.TempDir(), "none"))
	url := server(t)
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, "-format", "github", "-live", url))
	for line := range strings.Lines(stdout.String()) {
		assert.NotContains(t, line, "file=")
	}
	assert.Contains(t, stdout.String(), "::error title=mcpapps check::the live part: ")
	assert.NotContains(t, stdout.String(), "not checked")
	stdout.Reset()
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, "-format", "json", "-live", url))
	var got struct {
		check.Report
		Error jsonError
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &got))
	assert.NotEmpty(t, got.Findings)
	assert.Equal(t, kindLive, got.Error.Kind)
	assert.Contains(t, got.Error.Message, "the live part: ")
}
