package preview

import (
	"context"
	"os"
	"path/filepath"
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
	assert.Equal(t, []string{file}, commandFiles(host.Target{Command: []string{file, "-flag", "/does/not/exist", dir}}))
	assert.Equal(t, []string{file}, commandFiles(host.Target{Command: []string{"./server"}, Dir: dir}))
	assert.Equal(t, []string{file}, commandFiles(host.Target{Command: []string{"node", "server"}, Dir: dir}))
	assert.Empty(t, commandFiles(host.Target{Command: []string{"go", "version"}}), "a program found by PATH is not watched")
	assert.Empty(t, commandFiles(host.Target{URL: "http://localhost:1"}))
}

// TestWatch shows that a change is reported once, after the file has settled.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	file, other := filepath.Join(dir, "server"), filepath.Join(dir, "other")
	write := func(name string, size int) { require.NoError(t, os.WriteFile(name, make([]byte, size), 0o755)) }
	write(file, 1)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // required, as a fake clock does not synchronize goroutines
		var changed [][]string
		var learned map[string]stamp
		changes := func() [][]string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			all := changed
			changed = nil
			return all
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		all := sources{folders: []string{dir}}
		go watch(ctx, all.stamps(nil), func() map[string]stamp { return all.stamps(nil) }, func(files []string) map[string]stamp {
			mu.Lock()
			defer mu.Unlock()
			changed = append(changed, files)
			return learned
		})
		time.Sleep(time.Minute + watchInterval/2) // between two looks
		assert.Empty(t, changes())
		write(file, 2)
		time.Sleep(2 * watchInterval)
		assert.Equal(t, [][]string{{file}}, changes(), "soon")
		time.Sleep(time.Minute)
		assert.Empty(t, changes(), "once")
		// A file that is still being written is not reported.
		for i := range 10 {
			write(file, 10+i)
			time.Sleep(watchInterval)
		}
		assert.Empty(t, changes())
		time.Sleep(2 * watchInterval)
		assert.Len(t, changes(), 1)
		// A new file is a change, and one that is gone. An editor that removes a file
		// and writes it again makes one change.
		write(other, 1)
		time.Sleep(2 * watchInterval)
		assert.Equal(t, [][]string{{other}}, changes())
		require.NoError(t, os.Remove(other))
		time.Sleep(2 * watchInterval)
		assert.Equal(t, [][]string{{other}}, changes())
		require.NoError(t, os.Remove(file))
		time.Sleep(watchInterval)
		write(file, 100)
		write(other, 100)
		time.Sleep(2 * watchInterval)
		assert.Equal(t, [][]string{{other, file}}, changes(), "together")
		// A file that the reader of a change returns does not count as changed.
		third := filepath.Join(dir, "third")
		write(file, 200)
		learned = map[string]stamp{}
		time.Sleep(watchInterval)
		write(third, 1)
		mu.Lock()
		learned = all.stamps(nil)
		mu.Unlock()
		time.Sleep(time.Second)
		assert.Equal(t, [][]string{{file}}, changes())
	})
}

// A sentence names one of many files.
func TestNaming(t *testing.T) {
	assert.Equal(t, "a", naming([]string{"a"}))
	assert.Equal(t, "a and 2 more", naming([]string{"a", "b", "c"}))
}
