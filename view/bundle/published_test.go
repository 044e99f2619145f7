package bundle_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
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

// Finished documents of 0.2 to 4 MB come back as they are, quickly, and with
// little memory.
func TestPublishedDocuments(t *testing.T) {
	const most = 250 * time.Millisecond
	best := time.Hour
	for range tries {
		if best = min(best, publishedDocuments(t)); best <= scaled(most) {
			break
		}
	}
	assert.LessOrEqual(t, best, scaled(most), "time for all documents")
}

// tries are how often something is done that was too slow: what others do on
// the machine does not slow down all of them.
const tries = 10

// publishedDocuments bundles them all, and returns the time that it took.
func publishedDocuments(t *testing.T) (total time.Duration) {
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
	return total
}

// scaled allows for the race detector and for machines shared with others,
// unless the figures themselves are asked for.
func scaled(d time.Duration) time.Duration {
	if os.Getenv("MCPAPPS_TIMING") == "1" {
		return d
	}
	return 8 * d
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
