package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

func runCheck(t *testing.T, stdout, stderr io.Writer, args ...string) int {
	t.Helper()
	return run(t.Context(), append([]string{"check"}, args...), stdio{stdout, stderr})
}

func TestCheckExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, doc string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(doc), 0o644))
		return path
	}
	good := file("good.html", "<!doctype html><p>Hello</p>")
	warns := file("warns.html", "<!doctype html><p>Hello</p><script>eval(x)</script>")
	asks := file("asks.html", "<!doctype html><p>Hello</p><script>fetch('https://api.example.com/')</script>")
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
		{"ignored", []string{"-ignore", "doc-relative-script=the host has it", fails}, 0, "1 ignored", ""},
		{"ignored for nothing", []string{"-ignore", "doc-eval=gone", fails}, 2, "error doc-relative-script", "nothing raises it any more"},
		{"no reason", []string{"-ignore", "doc-eval", warns}, 2, "", "the reason is missing"},
		{"no such rule", []string{"-ignore", "doc-evil=x", warns}, 2, "", `the nearest is "doc-eval"`},
		{"no arguments", nil, 2, "", "name a server"},
		{"no file", []string{filepath.Join(dir, "none.html")}, 2, "", "none.html"},
		{"no command", []string{"--", "no-such-command-anywhere"}, 2, "", "no-such-command-anywhere"},
		{"no flag", []string{"-no-such-flag"}, 2, "", "no-such-flag"},
		{"notes don't fail", []string{"-fail-on", "note", good}, 2, "", "notes never fail"},
		{"bad arguments", []string{"-call", "show=[1]", good}, 2, "", "must be a JSON object"},
		{"a file has no tools", []string{"-call", "show", good}, 2, "", "no tools"},
		{"a subject that nothing has", []string{"-ignore", "doc-relative-script@ui://x=why", fails}, 2, "error doc-relative-script", "name \"" + fails + "\""},
		{"a subject", []string{"-ignore", "doc-relative-script@*fails.html=why", fails}, 0, "1 ignored in 1 document", ""},
		{"the file's place", []string{warns}, 0, "warns.html:1:", ""},
		{"what the file is served with", []string{"-metadata", `{"csp":{"connectDomains":["https://api.example.com"]}}`, "-fail-on", "warning", asks}, 0, "0 errors, 0 warnings", ""},
		{"no such metadata", []string{"-metadata", "csp", asks}, 2, "", "-metadata"},
		{"metadata of the wrong type", []string{"-metadata", `{"permissions":{"camera":1}}`, asks}, 2, "", "permissions.camera must be {}, not 1"},
		{"metadata of a server", []string{"-metadata", "{}", "--", "true"}, 2, "", "-metadata is for a file"},
		{"a header for a file", []string{"-header", "A: b", good}, 2, "", "-header is for a server at a URL"},
		{"a header for a command", []string{"-header", "A: b", "--", "true"}, 2, "", "-header is for a server at a URL"},
		{"no header", []string{"-header", "Bearer x", "http://localhost:1"}, 2, "", "write NAME: VALUE"},
		{"a flag after the file", []string{good, "-json"}, 2, "", "flags come before"},
		{"no scheme", []string{"localhost:8080/mcp"}, 2, "", "for a URL, name the scheme, as in http://localhost:8080/mcp\n"},
		{"help", []string{"-h"}, 0, "usage: mcpapps check", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Equal(t, c.code, runCheck(t, &stdout, &stderr, c.args...), "%s%s", &stdout, &stderr)
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
	assert.Equal(t, 0, runCheck(t, &stdout, &stderr, "-json", path))
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
	code := runCheck(t, &stdout, &stderr, "--", "sh", "-c", "echo Starting; echo 'cannot find module x' >&2; exit 1")
	assert.Equal(t, 2, code)
	assert.Empty(t, stdout.String())
	assert.Contains(t, stderr.String(), "Starting")
	assert.Contains(t, stderr.String(), "cannot find module x")
	assert.Contains(t, stderr.String(), "exit status 1")
}

// TestCheckHeader shows that a server that wants an authorization can be
// checked, and that a call of a tool which is not there is named by its flag.
func TestCheckHeader(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/view.html"},
		Document: mcpapps.HTML("<!doctype html><p>Hello</p>"),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, req)
	}))
	defer hs.Close()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, hs.URL))
	assert.Contains(t, stderr.String(), "401")
	assert.Contains(t, stderr.String(), "-header")
	stderr.Reset()
	assert.Equal(t, 0, runCheck(t, &stdout, &stderr, "-header", "Authorization: Bearer secret", hs.URL), "%s", &stderr)
	assert.Contains(t, stdout.String(), "1 tool and 1 app of s 1")
	assert.Equal(t, 2, runCheck(t, &stdout, &stderr, "-header", "Authorization: Bearer secret", "-call", "shw", hs.URL))
	assert.Equal(t, "mcpapps check: -call names the tool \"shw\", which the server does not list: the nearest is \"show\"\n", stderr.String())
}

// TestCheckHostileText shows that what a server, a document or a file's name
// says does not reach a terminal as commands, in no output.
func TestCheckHostileText(t *testing.T) {
	const words = "\x1b]0;title\x07\u009b31m\u202e\x7f\U000e0041"
	acts := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) })
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "evil"+words+".html")
	if err := os.WriteFile(path, []byte("<!doctype html><p>x<script src='https://a.com/"+words+"'></script>"), 0o644); err != nil {
		e2e.Skip(t, "this file system takes no such names: "+err.Error())
	}
	for _, args := range [][]string{
		{path}, {"-json", path}, {filepath.Join(dir, "none"+words+".html")}, {"--", "no-such-command" + words},
	} {
		var stdout, stderr bytes.Buffer
		runCheck(t, &stdout, &stderr, args...)
		assert.False(t, acts(stdout.String()), "%q: %q", args, &stdout)
		assert.False(t, acts(stderr.String()), "%q: %q", args, &stderr)
		if args[0] == "-json" {
			var r check.Report
			require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
			var messages string
			for _, f := range r.Findings {
				messages += f.Message
			}
			assert.Contains(t, messages, `\x1b]0;title`)
		}
	}
}
