package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"sync"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// Drive runs a script of the folder driver and decodes its report. The script
// gets input, and in addition the path of [Artifacts]. All scripts of a test
// binary run in one process of Node.js, side by side, and share a browser.
func Drive(t testing.TB, script string, input map[string]any, report any) {
	t.Helper()
	d, err := scripts()
	if err != nil {
		t.Fatal(err)
	}
	request := maps.Clone(input)
	request["script"], request["artifacts"] = script, Artifacts(t)
	if err := json.Unmarshal(d.Call(t, request), report); err != nil {
		t.Fatalf("the report of %s: %v", script, err)
	}
}

// scripts starts the process in which [Drive] runs scripts.
var scripts = sync.OnceValues(func() (*Driver, error) {
	d, err := StartDriver("driver/main.mjs", Chromium())
	running = d
	return d, err
})

var running *Driver

// Main is TestMain for a package whose tests call [Drive] or [SharedBrowser].
func Main(m *testing.M) {
	testenv.AtOnce(3) // pages that wait are drawn, too: more at once cost up to a third more
	code := m.Run()
	CloseBrowser()
	if running != nil {
		running.Close()
	}
	os.Exit(code)
}
