package firstday

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// waiting matches what a command says of what takes long, as on a busy machine.
var waiting = regexp.MustCompile(`(?m)^.* \(\d+ s\)\n`)

// runProgram runs mcpapps, and returns its exit code and what it prints, without what it
// waited for.
func runProgram(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), e2e.Build(t, "cmd/mcpapps"), args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &errs, append(os.Environ(), env...)
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
	}
	return cmd.ProcessState.ExitCode(), out.String(), waiting.ReplaceAllString(errs.String(), "")
}

// TestCommandsSay shows what the commands print where a server can't be asked, or does
// not behave as one.
func TestCommandsSay(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><p>Welcome</p>")
	}))
	defer site.Close()
	nothing := httptest.NewServer(http.NotFoundHandler())
	defer nothing.Close()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	greet := []string{"check", "-call", `greet={"name":"Ada"}`}
	noBrowser := []string{"MCPAPPS_CHROMIUM=", "PATH="}
	picture := filepath.Join(t.TempDir(), "view.png")
	with := func(args []string, server string) []string { return append(slices.Clone(args), command(t, server)...) }

	for author, c := range map[string]struct {
		args   []string
		env    []string
		code   int
		stdout string // regular expressions
		stderr string
	}{
		"misspelled a command": {[]string{"preview", "--", "go-run", "./cmd/server"}, nil, 2, ``,
			`mcpapps preview: no such command: "go-run"` + "\n" + `Run "mcpapps help preview" for its flags.` + "\n"},
		"left out the scheme of a URL": {[]string{"check", "localhost:8080/mcp"}, nil, 2, ``,
			`mcpapps check: no such command: "localhost:8080/mcp"; for a URL, name the scheme, as in http://localhost:8080/mcp` + "\n" + `Run "mcpapps help check" for its flags.` + "\n"},
		"did not start the server, preview": {[]string{"preview", testenv.NobodyListens}, nil, 1, ``,
			`(.|\n)*mcpapps preview: connecting to http://.*: connection refused; nothing listens there: is the server running\?` + "\n"},
		"did not start the server, check": {[]string{"check", testenv.NobodyListens}, nil, 2, ``,
			`mcpapps check: initialize: .*: connection refused; nothing listens there: is the server running\?` + "\n"},
		"named the URL of a web site, preview": {[]string{"preview", site.URL}, nil, 1, ``,
			`(.|\n)*mcpapps preview: connecting to http://.*; the server (answers with a web page|does not answer in MCP): its (MCP )?endpoint may have another path, often /mcp(, or want an authorization)?` + "\n"},
		"named the URL of a web site, check": {[]string{"check", site.URL}, nil, 2, ``,
			`mcpapps check: initialize: HTTP status 200 OK, with the body "<!doctype html><p>Welcome</p>"; the server answers with a web page: its MCP endpoint may have another path, often /mcp, or want an authorization` + "\n"},
		"left out the path of a URL, preview": {[]string{"preview", nothing.URL}, nil, 1, ``,
			`(.|\n)*mcpapps preview: connecting to http://.*: Not Found; there is no MCP endpoint: many servers have theirs at /mcp` + "\n"},
		"left out the path of a URL, check": {[]string{"check", nothing.URL}, nil, 2, ``,
			`mcpapps check: initialize: HTTP status 404 Not Found, with the body "404 page not found"; there is no MCP endpoint: many servers have theirs at /mcp` + "\n"},
		"named a port that is taken": {append([]string{"preview", "-addr", "localhost:" + port}, command(t, "works")...), nil, 1, ``,
			`(.|\n)*mcpapps preview: (preview: )?port ` + port + ` is in use: stop the program that uses it, or choose another port: .*` + "\n"},
		"printed to standard output": {with(greet, "prints to standard output"), nil, 1,
			`error server-stdout: standard output has a line that is not a message: "Hello from the server!"` + "\n" +
				"    why:    clients expect only messages there: some skip other lines, some end the session\n" +
				"    remedy: write banners and logs to standard error\n" +
				"    hosts:  hosts on the Go SDK\n1 error, .*\n", ``},
		"wrote a handler that panics": {with(greet, "panics in the handler"), nil, 1,
			`error server-died: tool "greet", tools/call: the connection ended: the server's process ended: exit status 2; ` +
				`its standard error says "panic: runtime error: index out of range \[0\] with length 0" at .*main_test.go:\d+` + "\n" +
				"    why:    a host can't show the app without its server\n" +
				"    remedy: read what the server wrote to standard error\n" +
				"    hosts:  all hosts\n(.|\n)*", ``},
		"wrote a registration that panics": {with([]string{"check"}, "panics at its start"), nil, 2, ``,
			`mcpapps check: initialize: the connection ended: the server's process ended: exit status 2` + "\n" +
				"the beginning of standard output: nothing\nthe end of standard error:\n" +
				`    panic: mcpapps.RegisterApp: tool "greet": View.Document is nil: (.|\n)*`},
		"has no browser, check -live": {with([]string{"check", "-live"}, "works"), noBrowser, 2,
			`(.|\n)*not checked: the live part: no Chromium, Chrome or Edge found: install one, or set MCPAPPS_CHROMIUM to its path` + "\n.*\n",
			`mcpapps check: the live part: no Chromium, Chrome or Edge found: install one, or set MCPAPPS_CHROMIUM to its path` + "\n"},
		"has no browser, screenshot": {with([]string{"screenshot", "-o", picture}, "works"), noBrowser, 1, ``,
			`mcpapps screenshot: no Chromium, Chrome or Edge found: install one, or set MCPAPPS_CHROMIUM to its path` + "\n"},
	} {
		t.Run(author, func(t *testing.T) {
			code, stdout, stderr := runProgram(t, c.env, c.args...)
			assert.Equal(t, c.code, code)
			assert.Regexp(t, regexp.MustCompile("^"+c.stdout+"$"), stdout)
			assert.Regexp(t, regexp.MustCompile("^"+c.stderr+"$"), stderr)
		})
	}
}
