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
)

func TestWatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server")
	require.NoError(t, os.WriteFile(file, []byte("1"), 0o755))
	assert.Equal(t, []string{file}, watched(t.Context(), []string{file, "-flag", "/does/not/exist", filepath.Dir(file)}))
	assert.Empty(t, watched(t.Context(), []string{"go", "version"}), "a program of the system is not watched")
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // a fake clock alone orders nothing
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
		assert.Equal(t, []string{file}, changes(), "once for each change")
		// While it is being written it is left alone.
		for i := range 10 {
			require.NoError(t, os.WriteFile(file, make([]byte, 10+i), 0o755))
			time.Sleep(200 * time.Millisecond)
		}
		synctest.Wait()
		assert.Len(t, changes(), 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Len(t, changes(), 2)
		// What a change adds to the list is watched from then on, also when a
		// later list lacks it.
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
