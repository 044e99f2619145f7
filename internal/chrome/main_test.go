package chrome_test

import (
	"os"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
)

func TestMain(m *testing.M) {
	testbrowser.Whole()
	os.Exit(m.Run())
}
