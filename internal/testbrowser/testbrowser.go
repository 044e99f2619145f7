// Package testbrowser decides in which browser tests open pages, and what they do
// without one.
package testbrowser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// Shared returns the one browser of the test binary, in which tests open pages side
// by side. The first call starts it. Without an installed browser, the test is skipped
// or fails, see [Missing].
func Shared(t testing.TB) *chrome.Browser {
	t.Helper()
	if _, err := chrome.Find(); err != nil {
		Missing(t, err.Error())
	}
	b, done, err := chrome.Shared()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	return b
}

// Missing skips the test, and says what is missing. With MCPAPPS_BROWSER=required, or
// MCPAPPS_E2E=1 for the tests of this module, it fails the test instead.
func Missing(t testing.TB, what string) {
	t.Helper()
	if Required() {
		t.Fatal(what)
	}
	t.Skip(what + "; with MCPAPPS_BROWSER=required this test fails instead")
}

// Required reports whether the environment asks for a browser.
func Required() bool {
	return os.Getenv("MCPAPPS_BROWSER") == "required" || testenv.InCI()
}

// Whole makes the tests of a package run in a whole browser, even if the environment
// names Chromium's headless shell, as CI does: the shell takes a third less of the
// processor, and neither looks names up in advance nor connects. It is for TestMain.
func Whole() {
	if strings.Contains(filepath.Base(os.Getenv("MCPAPPS_CHROMIUM")), "headless-shell") {
		os.Unsetenv("MCPAPPS_CHROMIUM")
	}
}
