package sandbox

import (
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

func TestMain(m *testing.M) {
	testbrowser.Whole() // for what dns-prefetch and preconnect do
	e2e.Main(m)
}
