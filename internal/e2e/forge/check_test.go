package forge

import (
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// TestCheck: check finds no mistake in what a server for one request has. It warns
// of lists that differ between clients, so here they don't.
func TestCheck(t *testing.T) {
	config := Config{Views: complete, Options: &mcpapps.Options{}}
	for name, r := range map[string]Request{
		"all":      {User: "ada", Toolsets: []string{"all"}, Insiders: true},
		"default":  {User: "ada"},
		"terminal": {User: "ada", NoUI: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mcpappstest.Check(t, NewServer(config, r))
		})
	}
}
