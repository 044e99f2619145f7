package view

import (
	"encoding/json"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// From the first inline script of the document until the view is connected, the
// two libraries in turn.
func TestTimeToInitialized(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 40 documents")
	}
	b := newBench(t)
	took := map[library][]float64{}
	for range 20 {
		for _, lib := range []library{ours, reference} {
			r := b.run(t, bridges["AppBridge 2"], lib, "first", url.Values{"page": {"first"}})
			var ms float64
			require.NoError(t, json.Unmarshal(r.Result, &ms))
			took[lib] = append(took[lib], ms)
		}
	}
	median := func(lib library) float64 {
		slices.Sort(took[lib])
		n := len(took[lib])
		return (took[lib][n/2-1] + took[lib][n/2]) / 2
	}
	ratio := median(ours) / median(reference)
	t.Logf("median of 20: %.1f ms against %.1f ms, ratio %.3f", median(ours), median(reference), ratio)
	assert.LessOrEqual(t, ratio, 0.25)
}
