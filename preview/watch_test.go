package preview

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// TestCommandFiles shows which files of a command are watched.
func TestCommandFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server")
	require.NoError(t, os.WriteFile(file, []byte("1"), 0o755))
	assert.Equal(t, []string{file}, commandFiles(t.Context(), host.Target{Command: []string{file, "-flag", "/does/not/exist", dir}}))
	assert.Equal(t, []string{file}, commandFiles(t.Context(), host.Target{Command: []string{"./server"}, Dir: dir}))
	assert.Equal(t, []string{file}, commandFiles(t.Context(), host.Target{Command: []string{"node", "server"}, Dir: dir}))
	assert.Empty(t, commandFiles(t.Context(), host.Target{Command: []string{"go", "version"}}), "a program found by PATH is not watched")
	assert.Empty(t, commandFiles(t.Context(), host.Target{URL: "http://localhost:1"}))
}

// TestWatch shows that a change is reported once, after the file has settled.
func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server")
	require.NoError(t, os.WriteFile(file, []byte("1"), 0o755))
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // required, as a fake clock does not synchronize goroutines
		var changed, list []string
		changes := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(changed)
		}
		setList := func(files ...string) {
			mu.Lock()
			defer mu.Unlock()
			list = files
		}
		ctx, stop := context.WithCancel(t.Context())
		setList(file)
		go watch(ctx, stampsOf([]string{file}), func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(list)
		}, func(f string) {
			mu.Lock()
			defer mu.Unlock()
			changed = append(changed, f)
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Empty(t, changes())
		require.NoError(t, os.WriteFile(file, []byte("12"), 0o755))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []string{file}, changes(), "one report per change")
		// A file that is still being written is not reported.
		for i := range 10 {
			require.NoError(t, os.WriteFile(file, make([]byte, 10+i), 0o755))
			time.Sleep(200 * time.Millisecond)
		}
		synctest.Wait()
		assert.Len(t, changes(), 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Len(t, changes(), 2)
		// A file that a change adds to the list is watched from then on, even if a
		// later list does not contain it.
		other := filepath.Join(filepath.Dir(file), "other")
		require.NoError(t, os.WriteFile(other, []byte("1"), 0o755))
		setList(file, other)
		for i, f := range []string{file, other, other, file} {
			require.NoError(t, os.WriteFile(f, make([]byte, 100+i), 0o755))
			time.Sleep(time.Minute)
			synctest.Wait()
			require.Len(t, changes(), 3+i)
			assert.Equal(t, f, changes()[2+i])
			setList()
		}
		stop()
	})
}
