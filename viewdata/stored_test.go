package viewdata

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writer registers a tool that counts its calls, and returns the count as data.
func writer(store viewstate.Store, log *slog.Logger) (*mcp.Server, *atomic.Int32) {
	s := newServer()
	var calls atomic.Int32
	Register(s, &mcp.Tool{Name: "order"}, testView, func(_ context.Context, _ *mcp.CallToolRequest, in city) (Result[any, string], error) {
		if in.City == "nowhere" {
			return Result[any, string]{}, errors.New("no such city")
		}
		return Result[any, string]{Text: "Ordered.", Data: fmt.Sprintf("%s, call %d", in.City, calls.Add(1))}, nil
	}, &Options{Store: store, Logger: log})
	return s, &calls
}

// order calls the tool, and returns the id in its result.
func order(c *client, arguments string) string {
	c.t.Helper()
	res := c.call("order", arguments)
	var p struct{ Tool, ID string }
	require.NoError(c.t, json.Unmarshal(res.Meta.Data, &p))
	require.Equal(c.t, "order_data", p.Tool)
	require.Len(c.t, p.ID, 26)
	require.Len(c.t, res.Content, 2)
	require.Equal(c.t, "Ordered.", res.Content[0].Text)
	require.Equal(c.t, `{"$view":"`+p.ID+`"}`, res.Content[1].Text)
	require.NotContains(c.t, string(mustRaw(c, res)), "call", "no data")
	return p.ID
}

func mustRaw(c *client, res result) []byte {
	data, err := json.Marshal(res.members)
	require.NoError(c.t, err)
	return data
}

// TestStored shows a tool that does more than read: each wire, with a user.
func TestStored(t *testing.T) {
	eachWire(t, "ada", func() *mcp.Server { s, _ := writer(newStore(), nil); return s }, func(t *testing.T, c *client) {
		first := order(c, `{"city":"Oslo"}`)
		second := order(c, `{"city":"Oslo"}`)
		assert.Equal(t, `{"data":"Oslo, call 1"}`, c.ask("order_data", `{"view_id":"`+first+`"}`))
		assert.Equal(t, `{"data":"Oslo, call 2"}`, c.ask("order_data", `{"view_id":"`+second+`"}`))
		assert.Equal(t, `{"data":"Oslo, call 2"}`, c.ask("order_data", `{"city":"Oslo"}`), "the last one")
		assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"city":"Oslo","days":1}`), "never called")
		assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"view_id":"`+second+`x"}`))
		assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"view_id":"","city":"Oslo"}`), "an id decides alone")

		assert.Equal(t, "no such city", c.fail("order", `{"city":"nowhere"}`))
		assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"city":"nowhere"}`), "the handler does not run")
		assert.Contains(t, c.fail("order_data", `{"view_id":1}`), "view_id is not a string")
		assert.Contains(t, c.fail("order_data", `{"view_id":null}`), "view_id is not a string")
		assert.Contains(t, c.fail("order_data", `{}`), `"city"`)
		assert.Contains(t, c.fail("order_data", `[]`), "not an object")
	})
}

// TestStoredOwners shows that nobody reaches the data of another user, and that without
// users only the id does.
func TestStoredOwners(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		store := newStore()
		s, calls := writer(store, nil)
		Register(s, &mcp.Tool{Name: "other"}, testView, forecast, &Options{Store: store})
		h := streamable(s, stateless)
		ada, bob := overHTTP(t, h, "ada", legacy), overHTTP(t, h, "bob", legacy)
		nobody, another := overHTTP(t, h, "", legacy), overHTTP(t, h, "", legacy)

		adas, nobodys := order(ada, `{"city":"Oslo"}`), order(nobody, `{"city":"Oslo"}`)
		assert.Equal(t, `{"data":"Oslo, call 1"}`, ada.ask("order_data", `{"view_id":"`+adas+`"}`))
		assert.Equal(t, `{"data":"Oslo, call 1"}`, ada.ask("order_data", `{"city":"Oslo"}`))
		for _, c := range []*client{bob, nobody, another} {
			assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"view_id":"`+adas+`"}`))
			assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"city":"Oslo"}`))
		}
		assert.Equal(t, `{"gone":true}`, ada.ask("order_data", `{"view_id":"`+nobodys+`"}`))
		assert.Equal(t, `{"data":"Oslo, call 2"}`, another.ask("order_data", `{"view_id":"`+nobodys+`"}`), "the same client on another connection")
		assert.Equal(t, `{"gone":true}`, ada.ask("other_data", `{"view_id":"`+adas+`"}`), "an id is good for its tool")
		assert.EqualValues(t, 2, calls.Load())

		for key, r := range store.docs {
			for _, id := range []string{adas, nobodys, "ada"} {
				assert.NotContains(t, string(key[:])+string(r.Value), id, "the store does not give ids back")
			}
		}
	}
}

// TestStoreFails shows that a call whose work is done does not fail, and that its view
// is not given the data of an earlier call.
func TestStoreFails(t *testing.T) {
	var log bytes.Buffer
	store := newStore()
	s, _ := writer(store, slog.New(slog.NewTextHandler(&log, nil)))
	c := inMemory(t, s, modern)
	id := order(c, `{"city":"Oslo"}`)

	store.fail = errors.New("disk full")
	res := c.call("order", `{"city":"Oslo"}`)
	assert.False(t, res.IsError)
	assert.JSONEq(t, `{"gone":true}`, string(res.Meta.Data))
	require.Len(t, res.Content, 1)
	assert.Equal(t, "Ordered.", res.Content[0].Text)
	assert.Contains(t, log.String(), "disk full")
	const unread = "the stored data can't be read: try again"
	assert.Equal(t, unread, c.fail("order_data", `{"city":"Oslo"}`))
	assert.Equal(t, unread, c.fail("order_data", `{"view_id":"`+id+`"}`))

	store.fail = nil
	assert.Equal(t, `{"gone":true}`, c.ask("order_data", `{"city":"Oslo"}`), "the last call's data is gone")
	assert.Equal(t, `{"data":"Oslo, call 1"}`, c.ask("order_data", `{"view_id":"`+id+`"}`))
}

// TestStoreReturnsGarbage shows what a view is told where something else has written to
// the store.
func TestStoreReturnsGarbage(t *testing.T) {
	var log bytes.Buffer
	store := newStore()
	s, _ := writer(store, slog.New(slog.NewTextHandler(&log, nil)))
	c := inMemory(t, s, modern)
	id := order(c, `{"city":"Oslo"}`)
	const damaged = "the stored data is damaged and can't be shown"
	for value, want := range map[string]string{"": "", " ": damaged, `{"a":`: damaged, `"a" "b"`: damaged, "\xff": damaged} {
		for key, r := range store.docs {
			if len(r.Value) != len(key) { // not the pointer to the last result
				r.Value = []byte(value)
				store.docs[key] = r
			}
		}
		for _, args := range []string{`{"view_id":"` + id + `"}`, `{"city":"Oslo"}`} {
			log.Reset()
			if want == "" {
				assert.Equal(t, `{"gone":true}`, c.ask("order_data", args))
				continue
			}
			assert.Equal(t, want, c.fail("order_data", args), "%q", value)
			assert.Contains(t, log.String(), "stored data is not JSON")
		}
	}
}

// TestStoredAtOnce shows that calls with the same input at the same time each keep
// their data.
func TestStoredAtOnce(t *testing.T) {
	s, calls := writer(newStore(), nil)
	var wg sync.WaitGroup
	for range 8 {
		c := inMemory(t, s, modern)
		wg.Go(func() {
			for range 10 {
				id := order(c, `{"city":"Oslo"}`)
				assert.Contains(t, c.ask("order_data", `{"view_id":"`+id+`"}`), "Oslo, call ")
				assert.Contains(t, c.ask("order_data", `{"city":"Oslo"}`), "Oslo, call ")
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 80, calls.Load())
}

// contended is a store in which others put the document first, a number of times.
type contended struct {
	*memoryStore
	times int
}

func (c *contended) Put(ctx context.Context, k viewstate.Key, value []byte, version int64) (viewstate.Record, error) {
	if len(value) == len(k) && c.times > 0 { // a pointer
		c.times--
		if _, err := c.memoryStore.Put(ctx, k, make([]byte, len(k)), version); err != nil {
			return viewstate.Record{}, err
		}
	}
	return c.memoryStore.Put(ctx, k, value, version)
}

// TestLastResultUnderContention shows that the pointer to the last result is put after
// those of other calls, and removed where that does not succeed.
func TestLastResultUnderContention(t *testing.T) {
	for times, want := range map[int]string{
		pointerTries - 1: `{"data":"Oslo, call 1"}`,
		pointerTries:     `{"gone":true}`,
	} {
		store := &contended{newStore(), times}
		s, _ := writer(store, slog.New(slog.DiscardHandler))
		c := inMemory(t, s, modern)
		id := order(c, `{"city":"Oslo"}`)
		assert.Equal(t, want, c.ask("order_data", `{"city":"Oslo"}`))
		assert.Equal(t, `{"data":"Oslo, call 1"}`, c.ask("order_data", `{"view_id":"`+id+`"}`))
	}
}

// TestStoredOwnersOverSSE shows the same for the oldest transport, whose requests do not
// name a user.
func TestStoredOwnersOverSSE(t *testing.T) {
	s, _ := writer(newStore(), nil)
	connect := func(user string) *client { return &client{rawclient.SSE(t, s, rawclient.Config{User: user}), t} }
	const oslo = `{"city":"Oslo"}`
	for _, user := range []string{"ada", ""} {
		owner := connect(user)
		assert.Equal(t, "Ordered.", owner.call("order", oslo).Content[0].Text)
		if user != "" {
			assert.Contains(t, owner.ask("order_data", oslo), "Oslo, call")
		} else {
			assert.Equal(t, `{"gone":true}`, owner.ask("order_data", oslo), "it has no user")
		}
		assert.Equal(t, `{"gone":true}`, connect("bob").ask("order_data", oslo))
		assert.Equal(t, `{"gone":true}`, connect("").ask("order_data", oslo))
	}
}

// TestStoredAfterCancellation shows that the data of a call is kept where its client has
// left before the tool is done.
func TestStoredAfterCancellation(t *testing.T) {
	s := newServer()
	store := newStore()
	Register(s, &mcp.Tool{Name: "order"}, testView, func(ctx context.Context, _ *mcp.CallToolRequest, _ any) (Result[any, string], error) {
		return Result[any, string]{Text: "Ordered.", Data: "kept"}, nil
	}, &Options{Store: store, Logger: slog.New(slog.DiscardHandler)})
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if r, ok := req.(*mcp.CallToolRequest); ok && r.Params.Name == "order" {
				gone, cancel := context.WithCancel(ctx)
				cancel()
				ctx = gone
			}
			return next(ctx, method, req)
		}
	})
	c := inMemory(t, s, modern)
	c.call("order", `{}`)
	assert.Equal(t, `{"data":"kept"}`, c.ask("order_data", `{}`))
}
