package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

const oddserver = "internal/e2e/oddserver"

// slow returns how long the server takes to start in these tests.
func slow() string {
	if testenv.Full() {
		return "12s"
	}
	return "1s"
}

// TestScreenshotOfOddServers shows what the command says of servers that behave in
// unusual ways.
func TestScreenshotOfOddServers(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	program := e2e.Build(t, oddserver)
	held := filepath.Join(t.TempDir(), "held")
	require.NoError(t, os.WriteFile(held, nil, 0o600))
	const fault = "panic: index out of range [3] with length 3\n"
	for _, c := range []struct {
		name string
		args []string
		says []string
		err  string // of the command; without it there is a picture
	}{
		{"slow, with a banner and a lock", []string{"-slow", slow(), "-banner", "-lock", filepath.Join(t.TempDir(), "lock")}, []string{
			"connecting to ", "\nstill waiting for the server to answer\n", "\nrendering the view of odd\n",
			"\non standard output, where messages belong: *** oddserver 1.0 ***\n", "\non standard output, where messages belong: Ready.\n",
		}, ""},
		{"lock that another holds", []string{"-lock", held}, []string{"\nanother instance runs: open " + held + ": file exists\n"}, ": the server's process ended: exit status 3"},
		{"crash at the start", []string{"-crash", "start"}, []string{"\nthe configuration is missing: set ODDSERVER_TOKEN\n"}, ": the server's process ended: exit status 3"},
		{"crash at initialize", []string{"-crash", "initialize"}, []string{fault}, ": the server's process ended: exit status 3"},
		{"crash during the call", []string{"-crash", "call"}, []string{fault}, "the server's process ended: exit status 3"},
		{"crash while the view is open", []string{"-crash", "view"}, []string{fault, "\nnote: the view was closed: the view's server is gone: the server's process ended: exit status 3\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs, err := shoot(t, func(cam *camera) { cam.interval = 300 * time.Millisecond }, append([]string{"--", program}, c.args...)...)
			if c.err == "" {
				require.NoError(t, err, errs)
			} else {
				// Whether there is a picture depends on whether the document was read first.
				require.Error(t, err, errs)
				assert.Contains(t, err.Error()+"\n"+errs, c.err)
			}
			for _, says := range c.says {
				assert.Contains(t, errs, says)
			}
		})
	}
}

// TestScreenshotOfOddHTTPServers shows it of servers on HTTP. A session that is lost
// while a view opens ends the command: the next one has a session of its own.
func TestScreenshotOfOddHTTPServers(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser, e2e.Patience)
	program := e2e.Build(t, oddserver)
	t.Run("HTTP+SSE", func(t *testing.T) {
		t.Parallel()
		_, _, err := shoot(t, nil, e2e.Start(t, program, "-sse", "127.0.0.1:0"))
		assert.ErrorContains(t, err, "the server speaks HTTP+SSE, the transport of MCP 2024-11-05")
	})
	t.Run("forgets its sessions", func(t *testing.T) {
		t.Parallel()
		url := e2e.Start(t, program, "-lose-sessions", "127.0.0.1:0")
		_, _, err := shoot(t, nil, url)
		assert.ErrorContains(t, err, "session not found")
		_, errs, err := shoot(t, nil, url)
		assert.NoError(t, err, errs)
	})
}

// TestPreviewOfOddServers shows what the command says before there is a page.
func TestPreviewOfOddServers(t *testing.T) {
	t.Parallel()
	program := e2e.Build(t, oddserver)
	held := filepath.Join(t.TempDir(), "held")
	require.NoError(t, os.WriteFile(held, nil, 0o600))
	for name, c := range map[string]struct {
		args []string
		want string // the last thing that it says
		code int
	}{
		"slow":                    {[]string{"--", program, "-slow", slow()}, "\nstill waiting for the server to answer\n", 0},
		"banner":                  {[]string{"--", program, "-banner"}, "\non standard output, where messages belong: Ready.\n", 0},
		"lock that another holds": {[]string{"--", program, "-lock", held}, "mcpapps preview: connecting to " + program + " -lock " + held + ": the server's process ended: exit status 3\n", 1},
		"crash at the start":      {[]string{"--", program, "-crash", "start"}, "mcpapps preview: connecting to " + program + " -crash start: the server's process ended: exit status 3\n", 1},
		"crash at initialize":     {[]string{"--", program, "-crash", "initialize"}, "mcpapps preview: connecting to " + program + " -crash initialize: the server's process ended: exit status 3\n", 1},
		"HTTP+SSE":                {[]string{e2e.Start(t, program, "-sse", "127.0.0.1:0")}, "HTTP+SSE", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var out, errs outbuf.Buffer
			code := make(chan int, 1)
			go func() { code <- run(ctx, append([]string{"preview"}, c.args...), stdio{&out, &errs}) }()
			if c.code == 0 {
				require.Eventually(t, func() bool { return strings.HasPrefix(out.String(), "http://localhost:") }, time.Minute, 10*time.Millisecond, errs.String())
				stop()
			}
			assert.Equal(t, c.code, <-code)
			assert.Contains(t, errs.String(), c.want)
			if slices.Contains(c.args, "start") {
				assert.Contains(t, errs.String(), "set ODDSERVER_TOKEN\n")
			}
		})
	}
}
