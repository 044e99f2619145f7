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

// published returns the names of the documents of the published servers.
func published(t testing.TB) []string {
	e2e.Need(t, e2e.Apps)
	files, err := filepath.Glob(filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol", "server-*", "dist", "*.html"))
	require.NoError(t, err)
	require.Len(t, files, 14)
	return files
}

// measured returns the time that f takes, and the bytes that it allocates, which
// are an upper bound of what the heap grows by.
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

// Finished documents of 0.2 to 4 MB come back identical.
func TestPublishedDocuments(t *testing.T) {
	for _, file := range published(t) {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		doc, err := bundle.HTML(os.DirFS(filepath.Dir(file)), filepath.Base(file), nil)
		require.NoError(t, err, file)
		assert.True(t, doc.HTML == string(want), "%s is not the same byte for byte", file)
		assert.Empty(t, doc.External, file)
		assert.Equal(t, []string{filepath.Base(file)}, doc.Inputs)
	}
}

// Finished documents take little time and little memory.
func TestCostOfPublishedDocuments(t *testing.T) {
	testenv.Measure(t)
	var total time.Duration
	for _, file := range published(t) {
		var doc *bundle.Document
		var err error
		elapsed, allocated := measured(func() { doc, err = bundle.HTML(os.DirFS(filepath.Dir(file)), filepath.Base(file), nil) })
		require.NoError(t, err, file)
		ratio := float64(allocated) / float64(len(doc.HTML))
		assert.LessOrEqual(t, ratio, 4.0, "%s: bytes allocated for each byte of the document", file)
		total += elapsed
		t.Logf("%8d bytes %8.2f ms %5.2f times its size  %s", len(doc.HTML), elapsed.Seconds()*1e3, ratio, filepath.Base(filepath.Dir(filepath.Dir(file))))
	}
	t.Logf("all: %v", total)
	assert.LessOrEqual(t, total, 2*time.Second, "time for all documents: 40 ms on two cores of a server")
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
