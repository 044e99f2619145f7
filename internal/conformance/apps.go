package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
)

// examples are the folders of the example servers.
var examples = []string{"examples/hello", "examples/monitor"}

// An app is the result of the checks of apps on a server.
type app struct {
	server  string
	Summary string
	Checks  []struct {
		ID, Status string
		Error      struct{ Message string }
		Warnings   []string
	}
}

// passed reports whether each check ran and passed.
func (a app) passed() bool {
	for _, c := range a.Checks {
		if c.Status != "passed" {
			return false
		}
	}
	return len(a.Checks) > 0
}

// apps runs the checks of @mcpjam/sdk on each example over standard input and
// output, and on the scenarios' server over HTTP.
func (s suites) apps(ctx context.Context) (all []app, err error) {
	add := func(name string, config map[string]any) error {
		fmt.Println("apps", name)
		data, err := json.Marshal(config)
		if err != nil {
			return err
		}
		// It exits with 0 whatever it finds.
		cmd := exec.CommandContext(ctx, s.node, filepath.Join(s.packages, "apps.mjs"), string(data))
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("apps.mjs %s: %w", name, err)
		}
		a := app{server: name}
		if err := json.Unmarshal(out, &a); err != nil {
			return fmt.Errorf("apps.mjs %s: %w in %s", name, err, tail(out))
		}
		all = append(all, a)
		return nil
	}
	for _, folder := range examples {
		args := []string{}
		if folder == "examples/monitor" {
			args = append(args, "-stdio") // it serves HTTP by default
		}
		if err := add(folder, map[string]any{"command": s.program(folder), "args": args}); err != nil {
			return nil, err
		}
	}
	for _, stateless := range []bool{false, true} {
		url, stop, err := start(ctx, s.program("server"), fmt.Sprintf("-stateless=%t", stateless))
		if err != nil {
			return nil, err
		}
		err = add(fmt.Sprintf("the scenarios' server, HTTP, stateless=%t", stateless), map[string]any{"url": url})
		stop()
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
