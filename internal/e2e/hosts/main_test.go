package hosts

import (
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }
