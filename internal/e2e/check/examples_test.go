package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestExamples checks the examples and the README's program, also in the browser.
// All findings are notes.
func TestExamples(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Browser)
	e2e.SharedBrowser(t)
	for name, c := range map[string]struct {
		args  []string
		apps  int
		calls []check.Call
	}{
		"hello":   {nil, 1, []check.Call{{Tool: "hello", Arguments: map[string]any{"name": "Ada"}}}},
		"monitor": {[]string{"-stdio"}, 1, []check.Call{{Tool: "show_monitor"}, {Tool: "sample_metrics"}}},
		"orders": {[]string{"-stdio"}, 2, []check.Call{
			{Tool: "show_orders"},
			{Tool: "show_orders_data"},
			{Tool: "view_state", Arguments: map[string]any{"id": "none"}},
			{Tool: "preview_change", Arguments: map[string]any{"city": "Oslo", "to": "packed"}},
			{Tool: "change_orders", Arguments: map[string]any{"city": "Oslo", "to": "packed"}},
			{Tool: "change_orders_submit", Arguments: map[string]any{"confirm": "none"}},
		}},
		"README": {nil, 1, []check.Call{{Tool: "greet", Arguments: map[string]any{"name": "Ada"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "hello" {
				e2e.Need(t, e2e.Patience)
			}
			var bin string
			if name == "README" {
				bin = readme(t)
			} else {
				bin = e2e.Build(t, "examples/"+name)
			}
			r, err := check.Target(t.Context(), host.Target{Command: append([]string{bin}, c.args...)},
				&check.Options{Live: true, Calls: c.calls, Timeout: patience})
			require.NoError(t, err)
			assert.Equal(t, c.apps, r.Apps)
			for _, f := range r.Findings {
				assert.Equal(t, check.SeverityNote, f.Severity, "%v", f)
				assert.NotEqual(t, "result-unchecked", f.Code)
				assert.NotEqual(t, "result-failed", f.Code, "%v", f)
			}
		})
	}
}
