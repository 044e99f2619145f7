package check

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/host"
)

// slowStart takes its time for its first answer.
type slowStart struct {
	rpc.Conn
	start   time.Duration
	started bool
}

func (c *slowStart) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if !c.started {
		select {
		case <-time.After(c.start):
		case <-ctx.Done():
			return nil, rpc.ErrTimeout
		}
		c.started = true
	}
	return c.Conn.Call(ctx, method, params)
}

// TestSlowStart shows that a command may take longer to the first answer of each
// connection than to any other, as "go run" does, which compiles first.
func TestSlowStart(t *testing.T) {
	f := newFake(t, "{}")
	check := func(t *testing.T, start time.Duration, opts *Options) (*Report, error) {
		o, err := opts.withDefaults()
		require.NoError(t, err)
		d, err := newDialer(&host.Target{Command: []string{"go"}}, &o)
		require.NoError(t, err)
		d.connect = func(ctx context.Context) (rpc.Conn, error) {
			conn, err := f.connect(ctx)
			return &slowStart{Conn: conn, start: start}, err
		}
		return run(t.Context(), &o, d)
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := check(t, 50*time.Second, nil)
		require.NoError(t, err)
		assert.Empty(t, r.Findings)
		assert.Empty(t, r.Unchecked)
		assert.Equal(t, []string{"2025-11-25", "2026-07-28"}, r.Versions)

		_, err = check(t, time.Minute+time.Second, nil)
		var unreachable *UnreachableError
		require.ErrorAs(t, err, &unreachable)
		assert.Equal(t, "initialize", unreachable.Method)
		require.ErrorIs(t, err, rpc.ErrTimeout)

		_, err = check(t, 50*time.Second, &Options{Timeout: 10 * time.Second})
		require.ErrorIs(t, err, rpc.ErrTimeout, "a timeout that the caller chose holds for all")
	})
}

// TestLaterConnectionHangs shows that a server which is fast to start is not waited
// for a minute where it ignores the request of another version.
func TestLaterConnectionHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t, `{"answers": {"server/discover": {"$hang": true}}}`)
		o, err := (*Options)(nil).withDefaults()
		require.NoError(t, err)
		d, err := newDialer(&host.Target{Command: []string{"go"}}, &o)
		require.NoError(t, err)
		d.connect = f.connect
		start := time.Now()
		r, err := run(t.Context(), &o, d)
		require.NoError(t, err)
		assert.Equal(t, 10*time.Second, time.Since(start))
		assert.Equal(t, []Unchecked{{Part: "version", Version: "2026-07-28", Reason: "server/discover: no answer in time"}}, r.Unchecked)
	})
}
