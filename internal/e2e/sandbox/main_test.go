package sandbox

import (
	"os"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

// whole is the browser of an internet, for what dns-prefetch and preconnect do there.
var whole string

func TestMain(m *testing.M) {
	shell := os.Getenv("MCPAPPS_CHROMIUM")
	testbrowser.Whole()
	whole = e2e.Chromium()
	if shell != "" {
		os.Setenv("MCPAPPS_CHROMIUM", shell)
	}
	e2e.Main(m)
}
