package sandbox

import (
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

func TestMain(m *testing.M) {
	testbrowser.Whole() // the headless shell ignores some of Connection-Allowlist
	e2e.Main(m)
}
