package viewdata

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type room struct {
	Name string `json:"name"`
}

// liveServer serves the number of values so far, which f can replace.
func liveServer(f func(context.Context, string) (any, error), o *LiveOptions) *mcp.Server {
	s := newServer()
	RegisterLive(s, &mcp.Tool{Name: "temperature"}, func(_ context.Context, req *mcp.CallToolRequest, in room) (string, error) {
		if in.Name == "" {
			return "", errors.New("no such room")
		}
		if req.Extra != nil && req.Extra.TokenInfo != nil {
			return req.Extra.TokenInfo.UserID + "'s " + in.Name, nil
		}
		return in.Name, nil
	}, f, o)
	return s
}

// TestLive shows the answers on each wire: all of them while one value is current.
func TestLive(t *testing.T) {
	server := func() *mcp.Server {
		return liveServer(func(_ context.Context, room string) (any, error) { return map[string]any{"room": room}, nil }, nil)
	}
	eachWire(t, "ada", server, func(t *testing.T, c *client) {
		var a struct {
			Version string
			Value   struct{ Room string }
		}
		raw := c.ask("temperature", `{"name":"hall"}`)
		require.NoError(t, json.Unmarshal([]byte(raw), &a))
		assert.Len(t, a.Version, 12)
		assert.Contains(t, []string{"hall", "ada's hall"}, a.Value.Room)
		assert.Equal(t, fmt.Sprintf(`{"version":%q,"value":{"room":%q}}`, a.Version, a.Value.Room), raw)
		current := fmt.Sprintf(`{"name":"hall","view_version":%q}`, a.Version)
		assert.Equal(t, "{}", c.ask("temperature", current))
		assert.Equal(t, raw, c.ask("temperature", `{"name":"hall","view_version":"other"}`))
		envelope := c.Send(t, "tools/call", `{"name":"temperature","arguments":`+current+`}`)
		assert.Less(t, len(envelope), 200, envelope)
		envelope = strings.Replace(envelope, `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"server","version":"1"}},`, "", 1) // the author's names
		assert.Less(t, len(envelope), 100, envelope)

		assert.Equal(t, "no such room", c.fail("temperature", `{"name":""}`))
		assert.Contains(t, c.fail("temperature", `{}`), `"name"`)
		assert.Equal(t, "view_version is not a string", c.fail("temperature", `{"name":"hall","view_version":7}`))
		assert.Equal(t, "view_version has 65 bytes, and may have 64", c.fail("temperature", `{"name":"hall","view_version":"`+strings.Repeat("x", 65)+`"}`))
	})
}

// TestLiveTool shows the entry in the list.
func TestLiveTool(t *testing.T) {
	tool := &mcp.Tool{Name: "load", Meta: mcp.Meta{"vendor": 1}, Annotations: &mcp.ToolAnnotations{Title: "Load"}}
	before := string(mustJSON(t, tool))
	s := newServer()
	RegisterLive(s, tool, func(context.Context, *mcp.CallToolRequest, room) (string, error) { return "", nil },
		func(context.Context, string) (int, error) { return 0, nil }, nil)
	assert.Equal(t, before, string(mustJSON(t, tool)))
	var list struct {
		Result struct{ Tools []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(inMemory(t, s, modern).Send(t, "tools/list", `{}`)), &list))
	require.Len(t, list.Result.Tools, 1)
	assert.JSONEq(t, `{"name":"load","description":"A value for a view. Only the view calls it.","annotations":{"title":"Load","readOnlyHint":true,"idempotentHint":false},
		"_meta":{"vendor":1,"ui":{"visibility":["app"]}},
		"inputSchema":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},
			"view_version":{"type":"string","description":"The version that the view has."}}}}`, string(list.Result.Tools[0]))
}

// TestLiveUsers shows that the key keeps users apart, and that equal values have equal
// versions in all replicas.
func TestLiveUsers(t *testing.T) {
	f := func(_ context.Context, room string) (any, error) { return room, nil }
	one, two := streamable(liveServer(f, nil), true), streamable(liveServer(f, nil), false)
	ada, bob, replica := overHTTP(t, one, "ada", modern), overHTTP(t, one, "bob", modern), overHTTP(t, two, "ada", legacy)
	raw := ada.ask("temperature", `{"name":"hall"}`)
	assert.Contains(t, raw, `"ada's hall"`)
	assert.Contains(t, bob.ask("temperature", `{"name":"hall"}`), `"bob's hall"`)
	assert.Equal(t, raw, replica.ask("temperature", `{"name":"hall"}`))
}

// counted is a group whose values are the numbers of their computations.
func counted(o LiveOptions, takes time.Duration) (*group[string], *atomic.Int64) {
	var n atomic.Int64
	return newGroup(o, func(ctx context.Context, k string) (string, string, error) {
		time.Sleep(takes)
		v := fmt.Sprint(k, n.Add(1))
		return v, v, nil
	}), &n
}

// TestOneComputation shows that 1,000 views which poll once in a period cost one
// computation in each, also where it takes most of the period.
func TestOneComputation(t *testing.T) {
	for _, takes := range []time.Duration{0, 900 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			g, n := counted(LiveOptions{Every: time.Second, Timeout: 10 * time.Second}, takes)
			var wg sync.WaitGroup
			const periods = 20
			for i := range 1000 {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * time.Millisecond)
					for range periods {
						_, err := g.value(t.Context(), owner{}, "k", 0)
						assert.NoError(t, err)
						time.Sleep(time.Second)
					}
				})
			}
			began := time.Now()
			wg.Wait()
			elapsed := int64(time.Since(began)/time.Second) + 1
			assert.LessOrEqual(t, n.Load(), elapsed)
			assert.GreaterOrEqual(t, n.Load(), int64(periods))
		})
	}
}

// TestAge shows when a value is computed again.
func TestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := counted(LiveOptions{Every: time.Second, Timeout: 10 * time.Second}, 100*time.Millisecond)
		get := func() string {
			s, err := g.value(t.Context(), owner{}, "k", 0)
			require.NoError(t, err)
			return s.text
		}
		assert.Equal(t, "k1", get())
		time.Sleep(899 * time.Millisecond)
		assert.Equal(t, "k1", get())
		time.Sleep(time.Millisecond)
		assert.Equal(t, "k2", get(), "a period after the beginning of the last one")
		other, err := g.value(t.Context(), owner{}, "other", 0)
		require.NoError(t, err)
		assert.Equal(t, "other3", other.text)
		assert.Equal(t, "k2", get())
	})
}

// TestComputationContinues shows that a computation does not depend on the call that
// began it, and has neither its values nor its end.
func TestComputationContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type ctxKey struct{}
		release := make(chan struct{})
		g := newGroup(LiveOptions{Every: time.Second, Timeout: time.Minute}, func(ctx context.Context, k string) (string, string, error) {
			assert.Nil(t, ctx.Value(ctxKey{}))
			<-release
			return "v", "v", ctx.Err()
		})
		first, leave := context.WithCancel(context.WithValue(t.Context(), ctxKey{}, 1))
		gave := make(chan error)
		go func() {
			_, err := g.value(first, owner{}, "k", 0)
			gave <- err
		}()
		synctest.Wait()
		leave()
		assert.ErrorIs(t, <-gave, context.Canceled)
		go func() {
			s, err := g.value(t.Context(), owner{}, "k", 0)
			assert.Equal(t, "v", s.text)
			gave <- err
		}()
		synctest.Wait()
		close(release)
		assert.NoError(t, <-gave)
	})
}

// TestComputationFails shows errors, panics and a function that does not end: all who
// wait are told, for a period, and the server goes on.
func TestComputationFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		calls := map[string]*atomic.Int64{"error": {}, "panic": {}, "exit": {}, "hang": {}}
		end := make(chan struct{})
		g := newGroup(LiveOptions{Every: time.Second, Timeout: 5 * time.Second, Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(ctx context.Context, k string) (string, string, error) {
			calls[k].Add(1)
			switch k {
			case "panic":
				panic("secret of the server")
			case "exit":
				runtime.Goexit()
			case "hang":
				<-end
			}
			return "", "", errors.New("no sensor")
		})
		for k, want := range map[string]string{
			"error": "no sensor",
			"panic": "the value can't be computed",
			"exit":  "the value can't be computed",
			"hang":  "the value was not computed within 5s",
		} {
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					_, err := g.value(t.Context(), owner{}, k, 0)
					assert.EqualError(t, err, want)
				})
			}
			wg.Wait()
			_, err := g.value(t.Context(), owner{}, k, 0)
			assert.EqualError(t, err, want, "at once")
			assert.EqualValues(t, 1, calls[k].Load(), k)
		}
		assert.Contains(t, log.String(), "secret of the server")
		time.Sleep(time.Hour)
		_, err := g.value(t.Context(), owner{}, "hang", 0)
		assert.Error(t, err)
		assert.EqualValues(t, 1, calls["hang"].Load(), "not called again")
		close(end)
		time.Sleep(time.Hour)
		g.mu.Lock()
		defer g.mu.Unlock()
		assert.Zero(t, g.running)
		assert.Empty(t, g.entries)
		assert.Nil(t, g.sweeper)
	})
}

// TestKeysAreBounded shows that values of keys that nobody asks for are removed, and
// that neither keys nor computations grow without bound.
func TestKeysAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, n := counted(LiveOptions{Every: time.Second, Timeout: time.Minute}, 0)
		held := func() int {
			g.mu.Lock()
			defer g.mu.Unlock()
			assert.Equal(t, len(g.entries), g.recent.Len())
			return g.recent.Len()
		}
		for i := range maxKeys + 100 {
			_, err := g.value(t.Context(), owner{}, fmt.Sprint(i), 0)
			require.NoError(t, err)
			synctest.Wait()
		}
		assert.Equal(t, maxKeys, held())
		before := n.Load()
		_, _ = g.value(t.Context(), owner{}, fmt.Sprint(maxKeys+99), 0)
		assert.Equal(t, before, n.Load(), "the last keys are there")
		_, _ = g.value(t.Context(), owner{}, "0", 0)
		assert.Equal(t, before+1, n.Load(), "the first is not")
		time.Sleep(idlePeriods*time.Second - 1)
		_, _ = g.value(t.Context(), owner{}, "0", 0)
		time.Sleep(time.Nanosecond)
		_, _ = g.value(t.Context(), owner{}, "0", 0)
		assert.Equal(t, 1, held(), "the one that is asked for")
		time.Sleep(2 * idlePeriods * time.Second)
		assert.Zero(t, held(), "without a call")

		end := make(chan struct{})
		g = newGroup(LiveOptions{Every: time.Second, Timeout: time.Minute}, func(context.Context, string) (string, string, error) {
			<-end
			return "", "", nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		for i := range maxComputations {
			go g.value(ctx, owner{byte(i / maxOfOwner)}, fmt.Sprint(i), 0)
		}
		synctest.Wait()
		cancel()
		another := owner{maxComputations / maxOfOwner}
		_, err := g.value(t.Context(), another, "one more", 0)
		assert.Equal(t, errBusy, err)
		_, err = g.value(t.Context(), owner{}, "one more", 0)
		assert.Equal(t, errOwnerBusy, err)
		close(end)
		synctest.Wait()
		_, err = g.value(t.Context(), another, "one more", 0)
		assert.NoError(t, err)
		synctest.Wait()
		assert.Zero(t, g.running)
		assert.Empty(t, g.of)
	})
}

// TestBytesAreBounded shows which values are kept where all of them, with the arguments
// of their calls, are larger than the bound.
func TestBytesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const arguments = 16 << 10
		const fits = 64
		text := strings.Repeat("x", maxHeld+1)
		sizes := map[string]int{} // other than that of which the bound holds 64
		var n atomic.Int64
		g := newGroup(LiveOptions{Every: time.Second, Timeout: time.Minute}, func(_ context.Context, k string) (string, string, error) {
			n.Add(1)
			size, ok := sizes[k]
			switch {
			case strings.HasPrefix(k, "error"):
				return "", "", errors.New(text[:maxHeld/fits-arguments])
			case !ok:
				size = maxHeld/fits - arguments
			}
			return "12", text[:size-2], nil
		})
		ask := func(k string) (computed bool) {
			t.Helper()
			before := n.Load()
			s, err := g.value(t.Context(), owner{}, k, arguments)
			if !strings.HasPrefix(k, "error") {
				require.NoError(t, err)
				require.NotEmpty(t, s.text)
			}
			synctest.Wait()
			g.mu.Lock()
			defer g.mu.Unlock()
			sum := 0
			for _, el := range g.entries {
				e := el.Value.(*entry[string])
				sum += e.arguments + len(e.last.version) + len(e.last.text)
				if e.last.err != nil {
					sum += len(e.last.err.Error())
				}
			}
			assert.Equal(t, sum, g.held)
			assert.LessOrEqual(t, g.held, maxHeld)
			return n.Load() > before
		}
		for i := range 2 * fits {
			assert.True(t, ask(fmt.Sprint(i)))
		}
		assert.Len(t, g.entries, fits)
		assert.False(t, ask(fmt.Sprint(fits)), "the least recently asked for is kept")
		assert.True(t, ask("one more"))
		assert.False(t, ask(fmt.Sprint(fits)), "asked for since")
		assert.True(t, ask(fmt.Sprint(fits+1)), "now this was the least recent one, and was removed")
		assert.Len(t, g.entries, fits)
		assert.True(t, ask("error"))
		assert.Len(t, g.entries, fits, "errors are kept too")
		assert.False(t, ask("error"))

		sizes["large"] = maxHeld - arguments + 1
		assert.True(t, ask("large"))
		assert.Len(t, g.entries, fits-1, "the call takes the place of one value, and its value of none")
		assert.True(t, ask("large"), "not kept")
		sizes["large"]--
		assert.True(t, ask("large"))
		assert.False(t, ask("large"), "kept without others")
		assert.Len(t, g.entries, 1)

		time.Sleep(time.Second)
		sizes["large"] = 1000
		assert.True(t, ask("large"), "a period later")
		assert.True(t, ask("one more"))
		assert.Len(t, g.entries, 2, "a value that has become small leaves room")
	})
}

// TestRunningStays shows that a function which hangs is not called again because its
// entry is the oldest one where there is no room, and that its last value takes none.
func TestRunningStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("x", maxHeld/2-10)
		end := make(chan struct{})
		var calls atomic.Int64
		g := newGroup(LiveOptions{Every: time.Hour, Timeout: time.Second}, func(_ context.Context, k string) (string, string, error) {
			if k == "hang" && calls.Add(1) > 1 {
				<-end
			}
			return "", text, nil
		})
		_, err := g.value(t.Context(), owner{}, "hang", 1)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		_, err = g.value(t.Context(), owner{}, "hang", 1)
		assert.EqualError(t, err, "the value was not computed within 1s")
		for i := range 10 {
			_, err := g.value(t.Context(), owner{}, fmt.Sprint(i), 1)
			require.NoError(t, err)
		}
		synctest.Wait()
		assert.Len(t, g.entries, 3, "two values have room")
		_, err = g.value(t.Context(), owner{}, "hang", 1)
		assert.Error(t, err)
		assert.EqualValues(t, 2, calls.Load())
		close(end)
		synctest.Wait()
	})
}

// TestOwnersOfComputations shows that clients without a user, which are one owner
// together, leave computations to users.
func TestOwnersOfComputations(t *testing.T) {
	begun, release, answered := make(chan struct{}), make(chan struct{}), make(chan struct{}, maxOfOwner)
	h := streamable(liveServer(func(_ context.Context, room string) (any, error) {
		if strings.HasPrefix(room, "slow") {
			select {
			case begun <- struct{}{}:
				<-release
			case <-release:
			}
		}
		return room, nil
	}, &LiveOptions{Every: time.Hour, Timeout: time.Hour}), true)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(release)
	for i := range maxOfOwner {
		wg.Go(func() {
			defer func() { answered <- struct{}{} }()
			raw := overHTTP(t, h, "", modern).ask("temperature", fmt.Sprintf(`{"name":"slow %d"}`, i))
			assert.Contains(t, raw, fmt.Sprintf(`"value":"slow %d"`, i))
		})
	}
	for range maxOfOwner {
		select {
		case <-begun:
		case <-answered:
			t.Fatal("one was answered at once")
		}
	}
	anonymous := overHTTP(t, h, "", modern)
	assert.Equal(t, "you have too many values being computed: try again", anonymous.fail("temperature", `{"name":"hall"}`))
	assert.Contains(t, overHTTP(t, h, "ada", modern).ask("temperature", `{"name":"hall"}`), "ada's hall")
	assert.Contains(t, overHTTP(t, h, "bob", modern).ask("temperature", `{"name":"hall"}`), "bob's hall")
}

// TestLiveArguments shows that long arguments are rejected before anything is made of
// them.
func TestLiveArguments(t *testing.T) {
	var keys atomic.Int64
	s := newServer()
	RegisterLive(s, &mcp.Tool{Name: "live"}, func(_ context.Context, _ *mcp.CallToolRequest, in room) (int, error) {
		keys.Add(1)
		return len(in.Name), nil
	}, func(_ context.Context, k int) (int, error) { return k, nil }, nil)
	c := inMemory(t, s, modern)
	name := strings.Repeat("x", maxArguments-len(`{"name":""}`))
	assert.Contains(t, c.ask("live", `{"name":"`+name+`"}`), fmt.Sprintf(`"value":%d`, len(name)))
	assert.Equal(t, "the arguments have 16385 bytes, and may have 16384", c.fail("live", `{"name":"`+name+`x"}`))
	assert.EqualValues(t, 1, keys.Load())
}

// TestLongPeriods shows options that would overflow.
func TestLongPeriods(t *testing.T) {
	var n atomic.Int64
	c := inMemory(t, liveServer(func(ctx context.Context, _ string) (any, error) {
		end, ok := ctx.Deadline()
		assert.True(t, ok)
		assert.LessOrEqual(t, time.Until(end), 24*time.Hour)
		return n.Add(1), nil
	}, &LiveOptions{Every: math.MaxInt64 / 4, Timeout: math.MaxInt64}), modern)
	for range 3 {
		assert.Contains(t, c.ask("temperature", `{"name":"hall"}`), `"value":1`)
	}
}

// TestOddKeys shows keys that a map can't find again.
func TestOddKeys(t *testing.T) {
	s := newServer()
	RegisterLive(s, &mcp.Tool{Name: "live"}, func(_ context.Context, _ *mcp.CallToolRequest, in map[string]any) (any, error) {
		if in["nan"] != nil {
			return math.NaN(), nil
		}
		return in["key"], nil
	}, func(_ context.Context, k any) (any, error) { return k, nil }, nil)
	c := inMemory(t, s, modern)
	for _, args := range []string{`{"key":[1]}`, `{"key":{"a":1}}`, `{"nan":true}`} {
		assert.Contains(t, c.fail("live", args), "can't be compared", args)
	}
	assert.Contains(t, c.ask("live", `{"key":"a"}`), `"value":"a"`)
	assert.Contains(t, c.ask("live", `{}`), `"value":null`)
}

// TestCostOfPolls measures views of one key over HTTP.
func TestCostOfPolls(t *testing.T) {
	testenv.Measure(t)
	var n atomic.Int64
	h := streamable(liveServer(func(context.Context, string) (any, error) { return n.Add(1), nil }, &LiveOptions{Every: time.Hour}), true)
	const clients, polls = 8, 50
	var wg sync.WaitGroup
	began := cputime.Used()
	for range clients {
		wg.Go(func() {
			c := overHTTP(t, h, "ada", modern)
			for range polls {
				_ = c.ask("temperature", `{"name":"hall"}`)
			}
		})
	}
	wg.Wait()
	each := (cputime.Used() - began) / (clients * polls)
	t.Logf("%v of processor time a poll, client included", each)
	assert.EqualValues(t, 1, n.Load(), "one computation in a period")
	assert.Less(t, each, 20*time.Millisecond)
}
