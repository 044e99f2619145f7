// Package e2e runs this library against the published packages of the field
// and a real browser.
//
// The packages are pinned in package-lock.json; "npm ci" in this folder (and in
// apps, for the published servers) installs them. A test that needs them, or
// Chromium, begins with [Need]: without them it skips and says how to get them,
// and with MCPAPPS_E2E=1, as in CI, it fails instead.
package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// Dir returns the folder of this package, in which node_modules is.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// Artifacts returns the folder of files that people look at after a run, such as
// screenshots. Git ignores it.
func Artifacts(t testing.TB) string {
	dir := filepath.Join(Dir(), "..", "..", "artifacts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A Piece is something that a test needs in addition to Go.
type Piece int

const (
	Packages Piece = iota // the npm packages of this folder, and Node.js
	Apps                  // the published servers in the folder apps, and Node.js
	Browser               // Chromium
	Patience              // MCPAPPS_E2E=1, as in CI: the test takes long
)

// Need skips the test unless all pieces are there; with MCPAPPS_E2E=1 it fails.
func Need(t testing.TB, pieces ...Piece) {
	t.Helper()
	for _, p := range pieces {
		if p == Patience {
			testenv.Long(t)
		} else if missing := p.missing(); missing != "" {
			Skip(t, missing)
		}
	}
}

// NeedCommand is [Need] for a program, such as an interpreter.
func NeedCommand(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		Skip(t, "no "+name+" found: install it")
	}
}

// Skip is [testenv.Skip].
func Skip(t testing.TB, missing string) {
	t.Helper()
	testenv.Skip(t, missing)
}

func (p Piece) missing() string {
	if p == Browser {
		if Chromium() == "" {
			return "no Chromium found: install it (apt-get install chromium) or set MCPAPPS_CHROMIUM to its path"
		}
		return ""
	}
	if _, err := exec.LookPath("node"); err != nil {
		return "no node found: install Node.js 20 or later"
	}
	dir, name := Dir(), "internal/e2e"
	if p == Apps {
		dir, name = filepath.Join(dir, "apps"), "internal/e2e/apps"
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@modelcontextprotocol")); err != nil {
		return "the npm packages are not installed: run npm ci in " + name
	}
	return ""
}

// Chromium returns the path of an installed Chromium or Chrome, or "".
func Chromium() string {
	p, _ := chrome.Find()
	return p
}
