// Conformance runs the published test suites on programs made with this module,
// and the same on the bare SDK, and writes docs/conformance.md. It fails if a
// check has another result than with the bare SDK, or if an example fails the
// checks of apps. ci/conformance runs it, from the root of the module.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

const doc = "docs/conformance.md"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	differs, err := run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if differs {
		fmt.Fprintln(os.Stderr, "conformance: results differ from those of the bare SDK, or an app fails: see "+doc)
		os.Exit(1)
	}
}

func run(ctx context.Context) (differs bool, err error) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	s := suites{dir: dir, packages: filepath.Join("internal", "conformance")}
	if s.node, err = findNode(ctx, s.packages); err != nil {
		return false, err
	}
	for _, folder := range append([]string{"internal/conformance/server", "internal/conformance/client"}, examples...) {
		build := exec.CommandContext(ctx, "go", "build", "-o", s.program(folder), "./"+folder)
		if out, err := build.CombinedOutput(); err != nil {
			return false, fmt.Errorf("go build ./%s: %w\n%s", folder, err, out)
		}
	}
	r := report{date: time.Now()}
	if r.versions, err = versions(ctx, s); err != nil {
		return false, err
	}
	if r.servers, err = s.servers(ctx); err != nil {
		return false, err
	}
	if r.clients, err = s.clients(ctx); err != nil {
		return false, err
	}
	if r.apps, err = s.apps(ctx); err != nil {
		return false, err
	}
	if err := os.WriteFile(doc, r.markdown(), 0o644); err != nil {
		return false, err
	}
	return r.differs(), nil
}
