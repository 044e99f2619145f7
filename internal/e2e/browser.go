package e2e

import (
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

// SharedBrowser is [testbrowser.Shared]. [Main] closes the browser.
func SharedBrowser(t testing.TB) *chrome.Browser {
	t.Helper()
	return testbrowser.Shared(t)
}

// CloseBrowser closes the browser of [SharedBrowser], if there is one. [Main]
// calls it; a package with a TestMain of its own does so after its tests.
func CloseBrowser() { chrome.CloseShared() }
