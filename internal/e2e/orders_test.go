package e2e

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// The orders in the reference host, whatever it takes from results: the list arrives,
// the selection is there in each view, and a form that the model opens is carried out
// once. What does not depend on the host is tested beside the example. The first list is in
// a host that takes everything. CI opens it again in one that takes the least, ci/full in each.
func TestOrders(t *testing.T) {
	t.Parallel()
	Need(t, Packages, Browser)
	var r struct {
		Lists map[string]struct {
			Count, Selected, Notice string
			Checked                 []bool
			Size                    struct{ Frame, Content, Overflow float64 }
		}
		Denied struct {
			Rows  int
			Text  string
			Calls []any
		}
		Before, Outcome string
		Submissions     int
		Teardown        map[string]any
		Errors          []string
	}
	hosts := []string{"neither"}
	if testenv.Full() {
		hosts = []string{"whole", "no structured content", "no _meta", "neither"}
	}
	Drive(t, "orders.mjs", map[string]any{"command": []string{Build(t, "examples/orders"), "-stdio"}, "hosts": hosts}, &r)
	assert.Empty(t, r.Errors)
	assert.Equal(t, map[string]any{}, r.Teardown)

	require.Len(t, r.Lists, len(hosts)+1)
	for name, l := range r.Lists {
		assert.Regexp(t, `^\d+ of \d+ orders$`, l.Count, name)
		assert.Equal(t, "2 selected", l.Selected, name)
		assert.Equal(t, []bool{true, false, true, false}, l.Checked, name)
		assert.Empty(t, l.Notice, name)
		assert.Equal(t, l.Size.Content, l.Size.Frame, name)
		assert.Zero(t, l.Size.Overflow, name)
	}
	t.Run("host lets views call no tools", func(t *testing.T) {
		assert.Positive(t, r.Denied.Rows, "the first orders are in the result")
		assert.Contains(t, r.Denied.Text, "does not let views call tools")
		assert.Less(t, len(r.Denied.Calls), 4, "some hosts call tools and do not say so: the view tries, and gives up")
	})
	before := regexp.MustCompile(`^All open orders of Berlin: (\d+) orders will change\.$`).FindStringSubmatch(r.Before)
	require.NotNil(t, before, r.Before)
	assert.Equal(t, before[1]+" orders are now shipped.", r.Outcome)
	assert.Equal(t, 1, r.Submissions)
}
