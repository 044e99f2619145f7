package sqltest

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

// TestCostStores saves the same documents in each store, and loses none. The rates that
// it logs are those of one run beside each other.
func TestCostStores(t *testing.T) {
	testenv.Measure(t)
	const documents, saves, workers = 1000, 3, 16
	value := func(version int64) []byte {
		return fmt.Appendf(nil, `{"version":%d,"filters":%q}`, version, strings.Repeat("f", 270))
	}
	var slowest float64
	for _, c := range []struct {
		name string
		open func(t *testing.T) viewstate.Store
	}{
		{"PostgreSQL", func(t *testing.T) viewstate.Store { return sqlStore(t, viewstate.PostgreSQL, postgresWith(t, "")) }},
		{"PostgreSQL, synchronous_commit=off", func(t *testing.T) viewstate.Store { return sqlStore(t, viewstate.PostgreSQL, postgres(t)) }},
		{"SQLite, several connections", func(t *testing.T) viewstate.Store {
			return sqlStore(t, viewstate.SQLite, databases[1].create(t))
		}},
		{"SQLite, one connection", func(t *testing.T) viewstate.Store { return sqlStore(t, viewstate.SQLite, databases[0].create(t)) }},
		{"memory", func(*testing.T) viewstate.Store { return viewstate.NewMemory(nil) }},
	} {
		st := c.open(t)
		var next atomic.Uint32
		var mu sync.Mutex
		var times []time.Duration
		var all sync.WaitGroup
		start := time.Now()
		for range workers {
			all.Go(func() {
				for d := next.Add(1); d <= documents; d = next.Add(1) {
					for version := range int64(saves) {
						before := time.Now()
						_, err := st.Put(t.Context(), docKey(d%100, d), value(version), version)
						took := time.Since(before)
						assert.NoError(t, err)
						mu.Lock()
						times = append(times, took)
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		rate := documents * saves / time.Since(start).Seconds()
		if slowest == 0 {
			slowest = rate
		}
		saved := 0
		for d := range uint32(documents) {
			r, err := st.Get(t.Context(), docKey((d+1)%100, d+1))
			if err == nil && r.Version == saves && string(r.Value) == string(value(saves-1)) {
				saved++
			}
		}
		assert.Equal(t, documents, saved, c.name)
		require.Len(t, times, documents*saves)
		slices.Sort(times)
		t.Logf("%-36s %8.0f saves a second, %6.1f times the first; the 99th percentile takes %v", c.name, rate, rate/slowest, times[len(times)*99/100])
	}
}

func sqlStore(t *testing.T, d viewstate.Dialect, open func() *sql.DB) viewstate.Store {
	t.Helper()
	st, err := viewstate.NewSQL(t.Context(), open(), d, nil)
	require.NoError(t, err)
	return st
}
