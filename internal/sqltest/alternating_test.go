package sqltest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/mcpapps-go/mcpapps/viewstate"
)

// alternating is two stores on one database, of which each call takes the other one.
type alternating struct {
	stores [2]viewstate.Store
	calls  atomic.Int64
}

func (a *alternating) next() viewstate.Store { return a.stores[a.calls.Add(1)%2] }

func (a *alternating) Get(ctx context.Context, k viewstate.Key) (viewstate.Record, error) {
	return a.next().Get(ctx, k)
}

func (a *alternating) Put(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
	return a.next().Put(ctx, k, value, version)
}

func (a *alternating) Delete(ctx context.Context, k viewstate.Key) error {
	return a.next().Delete(ctx, k)
}

func (a *alternating) Expire(ctx context.Context, before time.Time) error {
	return a.next().Expire(ctx, before)
}
