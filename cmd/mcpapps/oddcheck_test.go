package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// TestCheckOddServers shows what check says of servers as they are in use: some start
// slowly or print before they speak, others end in the middle, hold a lock, speak an
// older transport or lose sessions.
func TestCheckOddServers(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	program := e2e.Build(t, "internal/e2e/oddserver")
	held := filepath.Join(t.TempDir(), "held")
	require.NoError(t, os.WriteFile(held, nil, 0o600))
	const (
		died     = `the connection ended: the server's process ended: exit status 3`
		panicked = `its standard error ends with "panic: index out of range [3] with length 3"`
		before   = "the server stopped answering before\n"
	)
	live := []string{"-live", "-call", "odd", "-call", "watch"}
	call := []string{"-call", "odd"}
	for _, c := range []struct {
		name       string
		full       bool     // too slow for the plain run
		http       string   // the flag that takes an address, if the server is one at a URL
		server     []string // its other flags
		check      []string
		code       int
		codes      string // of the findings above a note, in order
		out, notIn string // lines of the report
		err        string // and of the error
	}{
		{name: "an orderly one", check: call, out: "2025-11-25, 2026-07-28", notIn: "not checked"},
		{name: "starts slowly", full: true, server: []string{"-slow", "12s"}, check: call, out: "2025-11-25, 2026-07-28", notIn: "not checked"},
		{name: "starts slowly, live", full: true, server: []string{"-slow", "12s"}, check: live, out: "2025-11-25, 2026-07-28", notIn: "not checked"},
		{name: "starts too slowly", server: []string{"-slow", "1m"}, check: []string{"-timeout", "500ms"}, code: 2,
			err: "initialize: no answer in time\nthe beginning of standard output: nothing\n"},
		{name: "prints before it speaks", server: []string{"-banner"}, check: call, code: 1, codes: "server-stdout server-stdout",
			out: `"*** oddserver 1.0 ***"`, notIn: "not checked"},
		{name: "holds a lock", server: []string{"-lock", filepath.Join(t.TempDir(), "lock")}, check: call, out: "2025-11-25, 2026-07-28", notIn: "not checked"},
		{name: "holds a lock, live", full: true, server: []string{"-lock", filepath.Join(t.TempDir(), "lock")}, check: live, out: "2025-11-25, 2026-07-28", notIn: "not checked"},
		{name: "a lock that another one holds", server: []string{"-lock", held}, code: 2, err: "another instance runs"},
		{name: "ends at its start", server: []string{"-crash", "start"}, code: 2,
			err: "the end of standard error:\n    the configuration is missing: set ODDSERVER_TOKEN\n"},
		{name: "ends at the first request", server: []string{"-crash", "initialize"}, code: 2, err: "initialize: " + died},
		{name: "ends in a call", server: []string{"-crash", "call"}, check: call, code: 1, codes: "server-died",
			out: "not checked: protocol version 2026-07-28: " + before, notIn: "result-failed"},
		{name: "ends in a call, live", server: []string{"-crash", "call"}, check: live, code: 2, codes: "server-died",
			out: "not checked: the live part: " + before, err: "the live part: " + before},
		{name: "ends while the view is open", full: true, server: []string{"-crash", "view"}, check: live, code: 1, codes: "server-died",
			out: `tool "odd", ui://odd/view.html: while the view was open, ` + died + "; " + panicked, notIn: "view-not-ready"},
		{name: "speaks HTTP+SSE", http: "-sse", code: 2, err: "initialize: the server speaks HTTP+SSE, the transport of MCP 2024-11-05"},
		{name: "loses its sessions", http: "-lose-sessions", check: call, codes: "server-session", out: "forgot the session 1 time", notIn: "not checked"},
		{name: "loses its sessions, live", full: true, http: "-lose-sessions", check: live, codes: "server-session", out: "forgot the session 1 time", notIn: "not checked"},
		{name: "loses each session", http: "-lose-sessions", server: []string{"-always"}, check: call, codes: "server-session",
			out: `note result-failed: tool "odd", tools/call: HTTP status 404 Not Found, with the body "session not found"`},
	} {
		if c.full && !testenv.Full() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if len(c.check) > 0 && c.check[0] == "-live" && c.code != 2 {
				e2e.Need(t, e2e.Browser)
			}
			args := append([]string{"check"}, c.check...)
			if c.http != "" {
				args = append(args, e2e.Start(t, program, append(c.server, c.http, "127.0.0.1:0")...))
			} else {
				args = append(append(args, "--", program), c.server...)
			}
			var stdout, stderr bytes.Buffer
			assert.Equal(t, c.code, run(t.Context(), args, stdio{&stdout, &stderr}), "%s%s", &stdout, &stderr)
			var codes []string
			for line := range strings.Lines(stdout.String()) {
				words := strings.Fields(line)
				if words[0] == "error" || words[0] == "warning" {
					codes = append(codes, strings.TrimSuffix(words[1], ":"))
				}
			}
			assert.Equal(t, c.codes, strings.Join(codes, " "), "%s", &stdout)
			assert.Contains(t, stdout.String(), c.out)
			if c.notIn != "" {
				assert.NotContains(t, stdout.String(), c.notIn)
			}
			if c.err == "" {
				assert.NotContains(t, stderr.String(), "mcpapps check: ") // what it waits for may be there
			}
			assert.Contains(t, stderr.String(), c.err)
		})
	}
}
