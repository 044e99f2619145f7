package bundle_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published lists the documents of the published servers.
func published(t testing.TB) []string {
	e2e.Need(t, e2e.Apps)
	files, err := filepath.Glob(filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol", "server-*", "dist", "*.html"))
	require.NoError(t, err)
	require.Len(t, files, 14)
	return files
}

// measured reports the time and the bytes allocated, which no collector makes
// smaller: an upper bound of what the heap grew by.
func measured(f func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	return elapsed, after.TotalAlloc - before.TotalAlloc
}

// Finished documents of 0.2 to 4 MB come back as they are, quickly (60 ms for all
// of them on a quiet machine), and with little memory.
func TestCostPublishedDocuments(t *testing.T) {
	testenv.Measure(t)
	var total time.Duration
	for _, file := range published(t) {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		fsys := os.DirFS(filepath.Dir(file))
		var doc *bundle.Document
		elapsed, allocated := measured(func() { doc, err = bundle.HTML(fsys, filepath.Base(file), nil) })
		require.NoError(t, err, file)
		assert.True(t, doc.HTML == string(want), "%s is not the same byte for byte", file)
		assert.Empty(t, doc.External, file)
		assert.Equal(t, []string{filepath.Base(file)}, doc.Inputs)
		ratio := float64(allocated) / float64(len(want))
		assert.LessOrEqual(t, ratio, 4.0, "%s: bytes allocated for each byte of the document", file)
		total += elapsed
		t.Logf("%8d bytes %8.2f ms %5.2f times its size  %s", len(want), elapsed.Seconds()*1e3, ratio, filepath.Base(filepath.Dir(filepath.Dir(file))))
	}
	t.Logf("all: %v", total)
	assert.Less(t, total, 2*time.Second)
}

func BenchmarkPublishedDocuments(b *testing.B) {
	files := published(b)
	for b.Loop() {
		for _, file := range files {
			if _, err := bundle.HTML(os.DirFS(filepath.Dir(file)), filepath.Base(file), nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}
