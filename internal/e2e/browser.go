package e2e

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
)

var (
	launchOnce = sync.OnceValues(func() (*chrome.Browser, error) {
		launched.Store(true)
		return chrome.Launch(context.Background(), Chromium())
	})
	launched atomic.Bool
)

// SharedBrowser returns the one browser of the test binary, in which tests open
// pages side by side. The first call starts it. Without Chromium it is [Need].
func SharedBrowser(t testing.TB) *chrome.Browser {
	t.Helper()
	Need(t, Browser)
	b, err := launchOnce()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// CloseBrowser closes the browser of [SharedBrowser], if there is one. [Main]
// calls it; a package with a TestMain of its own does so after its tests.
func CloseBrowser() {
	if !launched.Load() {
		return
	}
	if b, err := launchOnce(); err == nil {
		b.Close()
	}
}
