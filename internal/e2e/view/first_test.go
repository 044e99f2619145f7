package view

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view"
)

// The sizes in the README.
func TestSizeBesideReference(t *testing.T) {
	e2e.Need(t, e2e.Packages)
	bundle, err := os.ReadFile(filepath.Join(e2e.Dir(), "node_modules", npmName, "dist", "src", "app-with-deps.js"))
	require.NoError(t, err)
	compressed := func(data []byte) int {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = w.Write(data)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Len()
	}
	runtime, reference := compressed([]byte(view.Script())), compressed(bundle)
	t.Logf("%d bytes against %d, %d and %d compressed", len(view.Script()), len(bundle), runtime, reference)
	assert.Less(t, runtime*20, reference)
}

// Our runtime takes less time than the reference from the first inline script of
// the document until the view is connected: a ninth on a quiet machine. Few
// documents on a busy machine give no exact figures, so the strict limit is in
// ci/full.
func TestTimeToInitialized(t *testing.T) {
	documents, most := 4, 1.0
	if testenv.Full() {
		documents, most = 20, 0.25
	}
	b := newBench(t)
	took := map[library][]float64{}
	for range documents {
		for _, lib := range []library{ours, reference} {
			r := b.run(t, newest, lib, "first", url.Values{"page": {"first"}})
			var ms float64
			require.NoError(t, json.Unmarshal(r.Result, &ms))
			took[lib] = append(took[lib], ms)
		}
	}
	median := func(lib library) float64 {
		slices.Sort(took[lib])
		return (took[lib][documents/2-1] + took[lib][documents/2]) / 2
	}
	ratio := median(ours) / median(reference)
	t.Logf("median of %d: %.1f ms against %.1f ms, ratio %.3f", documents, median(ours), median(reference), ratio)
	assert.LessOrEqual(t, ratio, most)
}
