package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// suites runs the published suites.
type suites struct {
	node     string // the program
	packages string // the folder with node_modules
	dir      string // for programs and results; removed at the end
}

func (s suites) program(folder string) string {
	return filepath.Join(s.dir, filepath.Base(folder)+".exe")
}

// A comparison is one suite, on the bare SDK and in other ways.
type comparison struct {
	suite string
	modes []string // the first is the bare SDK
	runs  []checks // one for each mode
}

// servers runs the server scenarios: 2025-11-25 with sessions, 2026-07-28 without.
func (s suites) servers(ctx context.Context) (all []comparison, err error) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		c := comparison{suite: revision, modes: []string{"bare", "apps", "options", "off"}}
		for _, mode := range c.modes {
			stateless := fmt.Sprintf("-stateless=%t", revision >= "2026-07-28")
			url, stop, err := start(ctx, s.program("server"), "-mode", mode, stateless)
			if err != nil {
				return nil, err
			}
			got, err := s.conformance(ctx, "server-"+mode+"-"+revision, "server", "--url", url, "--requirements", revision)
			stop()
			if err != nil {
				return nil, err
			}
			c.runs = append(c.runs, got)
		}
		all = append(all, c)
	}
	return all, nil
}

// clients runs the client scenarios: all of them in the newest version that each
// has, and those that a revision requires in that revision.
func (s suites) clients(ctx context.Context) (all []comparison, err error) {
	for _, args := range [][]string{{"--suite", "all"}, {"--requirements", "2025-11-25"}, {"--requirements", "2026-07-28"}} {
		c := comparison{suite: args[1], modes: []string{"bare", "host"}}
		for _, mode := range c.modes {
			command := fmt.Sprintf("%s -bare=%t", s.program("client"), mode == "bare")
			got, err := s.conformance(ctx, "client-"+mode+"-"+args[1], append([]string{"client", "--command", command}, args...)...)
			if err != nil {
				return nil, err
			}
			c.runs = append(c.runs, got)
		}
		all = append(all, c)
	}
	return all, nil
}

// conformance runs @modelcontextprotocol/conformance, and compares the number of
// checks that it prints with those that it wrote.
func (s suites) conformance(ctx context.Context, name string, args ...string) (checks, error) {
	fmt.Println(name)
	results := filepath.Join(s.dir, name)
	script := filepath.Join(s.packages, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	cmd := exec.CommandContext(ctx, s.node, append(append([]string{script}, args...), "-o", results)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) { // it exits 1 if a check fails
		return nil, err
	}
	got, err := readChecks(results, args[0])
	if err != nil {
		return nil, err
	}
	total := fmt.Sprintf("Total: %d passed, %d failed", got.count(success), got.count(failure))
	if len(got) == 0 || !strings.Contains(string(out), total) {
		return nil, fmt.Errorf("%s: the results have %q, and the suite printed\n%s", name, total, tail(out))
	}
	return got, nil
}

func tail(out []byte) []byte { return out[max(0, len(out)-3000):] }

// start starts a server that prints its URL.
func start(ctx context.Context, program string, args ...string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	stop = func() {
		_ = cmd.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s printed no URL: %w", filepath.Base(program), err)
	}
	return strings.TrimSpace(line), stop, nil
}
