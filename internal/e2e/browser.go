package e2e

import (
	"context"
	"os"
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
// pages side by side. The first call starts it; [Main] closes it. Without
// Chromium it is [Need].
func SharedBrowser(t testing.TB) *chrome.Browser {
	t.Helper()
	Need(t, Browser)
	b, err := launchOnce()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Main is the body of TestMain in packages that use [SharedBrowser].
func Main(m *testing.M) {
	code := m.Run()
	if launched.Load() {
		if b, err := launchOnce(); err == nil {
			b.Close()
		}
	}
	os.Exit(code)
}
