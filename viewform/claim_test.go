package viewform_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 100 submissions at once, to two servers with one store, have one effect and one
// answer, whether the work succeeds or fails.
func TestSimultaneousSubmissions(t *testing.T) {
	for name, fail := range map[string]error{"done": nil, "failed": errors.New("locked")} {
		t.Run(name, func(t *testing.T) {
			const all = 100
			var o orders
			read := make(chan struct{}) // closed when all have found the form open
			var reads sync.WaitGroup
			reads.Add(all)
			go func() { reads.Wait(); close(read) }()
			f := viewform.Form[removal, removed]{Store: &firstReads{Store: viewstate.NewMemory(nil), reads: &reads}, Do: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
				<-read
				res, out, _ := o.remove(ctx, req, in)
				return res, out, fail
			}}
			var replicas [2]http.Handler
			for i := range replicas {
				s, _ := newServer(f)
				replicas[i] = streamable(s, true)
			}
			opener := dialHTTP(t, replicas[0], "ann", modern, ui)
			key := opener.open()
			answers := make([]string, all)
			var group sync.WaitGroup
			for i := range answers {
				group.Go(func() {
					answers[i] = dialHTTP(t, replicas[i%2], "ann", modern, ui).call("remove_submit", submission(key, removes), byView)
				})
			}
			group.Wait()
			assert.Equal(t, 1, o.count())
			want := `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`
			if fail != nil {
				want = `{"state":"open","error":"locked"}`
			}
			for _, a := range answers {
				assert.Equal(t, want, decode(t, a).Content[0].Text)
			}
			assert.Equal(t, want, opener.submit(key, ""))
		})
	}
}

// firstReads lets no Get return before as many have begun as reads waits for.
type firstReads struct {
	viewstate.Store
	mu    sync.Mutex
	reads *sync.WaitGroup
	seen  int
}

func (s *firstReads) Get(ctx context.Context, key viewstate.Key) (viewstate.Record, error) {
	r, err := s.Store.Get(ctx, key)
	s.mu.Lock()
	s.seen++
	first := s.seen <= 100
	s.mu.Unlock()
	if first {
		s.reads.Done()
		s.reads.Wait()
	}
	return r, err
}

// The model's calls with the key, where support is unknown, have one effect too.
func TestSimultaneousConfirmations(t *testing.T) {
	var o orders
	s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
	opener := dial(t, s, modern, unsaid)
	key := opener.open()
	h := streamable(s, true) // without users: another owner
	web := dialHTTP(t, h, "", modern, none)
	assert.Contains(t, web.call("remove", confirming(key)), "without confirm")
	raw := dialHTTP(t, h, "", modern, none).call("remove", removes)
	shared := keyOf(t, raw)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			assert.Contains(t, dialHTTP(t, h, "", modern, none).call("remove", confirming(shared)), "Removed 2 orders.")
		})
	}
	group.Wait()
	assert.Equal(t, 1, o.count())
}

// A failure opens the form again, and says why; the next submission does the work.
func TestFailure(t *testing.T) {
	for _, result := range []*mcp.CallToolResult{
		nil,
		{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "order 2 is locked"}}},
	} {
		var o orders
		failing := true
		s, _ := newServer(viewform.Form[removal, removed]{Do: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
			switch {
			case failing && result == nil:
				return nil, removed{}, errors.New("order 2 is locked")
			case failing:
				return result, removed{}, nil
			}
			return o.remove(ctx, req, in)
		}})
		c := dial(t, s, modern, ui)
		key := c.open()
		assert.Equal(t, `{"state":"open","error":"order 2 is locked"}`, c.submit(key, removes))
		assert.Equal(t, `{"state":"open","error":"order 2 is locked"}`, c.submit(key, ""))
		raw := c.call("remove", confirming(key))
		assert.False(t, decode(t, raw).IsError)
		assert.Contains(t, raw, "order 2 is locked")
		c.Capabilities = none
		raw = c.call("remove", confirming(key))
		assert.True(t, decode(t, raw).IsError, "the model's own attempt")
		assert.Contains(t, raw, `order 2 is locked\nTo try again`)
		failing = false
		assert.Contains(t, c.submit(key, `{"ids":[1]}`), "Removed 1 orders.")
		assert.Equal(t, 1, o.count())
	}
}

// What Do returns beside a result is a failure with a text.
func TestOddFailures(t *testing.T) {
	var res *mcp.CallToolResult
	s, _ := newServer(viewform.Form[removal, removed]{Do: func(context.Context, *mcp.CallToolRequest, removal) (*mcp.CallToolResult, removed, error) {
		return res, removed{}, nil
	}})
	c := dial(t, s, modern, ui)
	key := c.open()
	res = &mcp.CallToolResult{IsError: true}
	assert.Equal(t, `{"state":"open","error":"the tool failed"}`, c.submit(key, removes))
	res = &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}}
	assert.Contains(t, c.submit(key, removes), `{"state":"open","error":"the tool asks for more input`)
}

// After a panic nobody knows whether the work was done, and it is not done again.
func TestPanic(t *testing.T) {
	var log strings.Builder
	calls := 0
	s, _ := newServer(viewform.Form[removal, removed]{Logger: slog.New(slog.NewTextHandler(&log, nil)), Do: func(context.Context, *mcp.CallToolRequest, removal) (*mcp.CallToolResult, removed, error) {
		calls++
		panic("out of range")
	}})
	c := dial(t, s, modern, ui)
	key := c.open()
	for range 2 {
		assert.Equal(t, `{"state":"unknown"}`, c.submit(key, removes))
	}
	assert.Contains(t, c.call("remove", confirming(key)), "whether what it asks for was done is unknown")
	assert.Equal(t, 1, calls)
	assert.Contains(t, log.String(), "out of range")
	assert.Contains(t, log.String(), "claim_test.go", "the stack")
}

// Work that ends its goroutine is answered, and as unknown as after a panic.
func TestGoexit(t *testing.T) {
	var log strings.Builder
	calls := 0
	s, _ := newServer(viewform.Form[removal, removed]{Logger: slog.New(slog.NewTextHandler(&log, nil)), Do: func(context.Context, *mcp.CallToolRequest, removal) (*mcp.CallToolResult, removed, error) {
		calls++
		runtime.Goexit()
		return nil, removed{}, nil
	}})
	c := dial(t, s, modern, ui)
	key := c.open()
	for range 2 {
		assert.Equal(t, `{"state":"unknown"}`, c.submit(key, removes))
	}
	assert.Equal(t, 1, calls)
	assert.Contains(t, log.String(), "ended its goroutine")
}

// The longest timeout is a day, so that no sum with it overflows.
func TestLongestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(viewform.Form[removal, removed]{Timeout: math.MaxInt64, Do: func(ctx context.Context, _ *mcp.CallToolRequest, _ removal) (*mcp.CallToolResult, removed, error) {
			<-ctx.Done()
			return nil, removed{1}, nil
		}})
		c, other := dial(t, s, modern, ui), dial(t, s, modern, ui)
		key := c.open()
		start, ended := time.Now(), make(chan struct{})
		go func() {
			defer close(ended)
			assert.Equal(t, `{"state":"done","value":{"count":1}}`, c.submit(key, removes))
			assert.Equal(t, 24*time.Hour, time.Since(start))
		}()
		synctest.Wait()
		assert.Equal(t, `{"state":"running"}`, other.submit(key, ""))
		<-ended
	})
}

// A server that ends between the claim and the outcome leaves a form that is running.
// Later its outcome is unknown, and the work is never done again.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o orders
		s, st := newServer(viewform.Form[removal, removed]{Do: o.remove, Timeout: time.Minute})
		c := dial(t, s, modern, ui)
		key := c.open()
		st.replace(fmt.Sprintf(`{"state":"running","until":%d}`, time.Now().Add(20*time.Second).UnixMilli()))
		start := time.Now()
		assert.Equal(t, `{"state":"running"}`, c.submit(key, ""), "asking does not wait")
		assert.Zero(t, time.Since(start))
		assert.Equal(t, `{"state":"running"}`, c.submit(key, removes))
		waited := time.Since(start)
		assert.GreaterOrEqual(t, waited, 10*time.Second)
		assert.Less(t, waited, 12*time.Second)
		assert.Contains(t, c.call("remove", confirming(key)), "is unknown", "becomes unknown while the model waits")
		assert.Equal(t, `{"state":"unknown"}`, c.submit(key, removes))
		assert.Zero(t, o.count())
		for _, value := range []string{`{"state":"later"}`, `{}`} {
			st.replace(value)
			assert.Equal(t, `{"state":"unknown"}`, c.submit(key, removes), value)
		}
		assert.Zero(t, o.count())
	})
}

// The work goes on when its caller goes away, and ends at its timeout; whether what it
// had begun was done is then unknown.
func TestCancelAndTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started, canceled := make(chan struct{}), make(chan struct{})
		s, _ := newServer(viewform.Form[removal, removed]{Timeout: time.Hour, Do: func(ctx context.Context, _ *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
			if in.Reason == "slow" {
				<-ctx.Done()
				return nil, removed{}, ctx.Err()
			}
			close(started)
			<-canceled
			return nil, removed{len(in.IDs)}, ctx.Err()
		}})
		ct, stt := mcp.NewInMemoryTransports()
		ss, err := s.Connect(t.Context(), stt, nil)
		require.NoError(t, err)
		defer ss.Close()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, nil)
		require.NoError(t, err)
		defer session.Close()
		c := dial(t, s, modern, ui)
		key := c.open()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "remove_submit", Arguments: map[string]any{"confirm": key, "values": map[string]any{"ids": []int{1}}}})
			ended <- err
		}()
		<-started
		cancel()
		assert.ErrorIs(t, <-ended, context.Canceled)
		synctest.Wait() // the server has read the cancellation
		close(canceled)
		synctest.Wait()
		assert.Equal(t, `{"state":"done","value":{"count":1}}`, c.submit(key, ""))

		start := time.Now()
		key = c.open()
		assert.Equal(t, `{"state":"unknown"}`, c.submit(key, `{"ids":[1],"reason":"slow"}`))
		assert.Equal(t, time.Hour, time.Since(start))
		assert.Equal(t, `{"state":"unknown"}`, c.submit(key, removes))
	})
}

// When the store fails, nothing is done that it does not know of, and what was done is
// answered.
func TestStoreFails(t *testing.T) {
	var o orders
	var log strings.Builder
	s, st := newServer(viewform.Form[removal, removed]{Do: o.remove, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	c := dial(t, s, modern, ui)
	key := c.open()
	down := errors.New("database password wrong at /var/db")
	on := func(method, part string) {
		st.mu.Lock()
		defer st.mu.Unlock()
		st.fail = func(m string, value []byte) error {
			if m == method && strings.Contains(string(value), part) {
				return down
			}
			return nil
		}
	}
	failed := func(raw string) {
		t.Helper()
		assert.True(t, decode(t, raw).IsError)
		assert.NotContains(t, raw, "password")
	}
	on("get", "")
	failed(c.call("remove_submit", submission(key, removes)))
	failed(c.call("remove", confirming(key)))
	on("put", "open")
	failed(c.call("remove", removes))
	on("put", "running")
	failed(c.call("remove_submit", submission(key, removes)))
	assert.Zero(t, o.count())
	const done = `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`
	on("put", "done")
	assert.Equal(t, done, c.submit(key, removes))
	on("none", "")
	assert.Equal(t, `{"state":"running"}`, c.submit(key, ""), "unknown later")
	assert.Equal(t, 1, o.count())

	on("put", `"count"`) // as a store that bounds its documents
	key = c.open()
	const short = `{"state":"done","text":"Removed 2 orders.\n(The output is left out.)"}`
	assert.Equal(t, short, c.submit(key, removes))
	assert.Equal(t, short, c.submit(key, removes))
	st.replace(`{`)
	on("none", "")
	failed(c.call("remove_submit", submission(key, removes)))
	assert.Equal(t, 2, o.count())

	c.Capabilities = none
	on("put", "")
	assert.Contains(t, c.call("remove", removes), "Removed 2 orders.", "no form, no store")
	assert.Contains(t, log.String(), down.Error())
}

// Large outcomes are bounded, in the same way for everyone who asks.
func TestLargeOutcome(t *testing.T) {
	st := newStore()
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	viewform.Register(s, &mcp.Tool{Name: "remove"}, view(), viewform.Form[removal, []string]{Store: st, Do: func(_ context.Context, _ *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, []string, error) {
		if in.Reason == "fail" {
			return nil, nil, errors.New(strings.Repeat("x", 1<<20))
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("é", 1<<20)}, &mcp.ImageContent{}}}, []string{strings.Repeat("y", in.IDs[0])}, nil
	}})
	c := dial(t, s, modern, ui)
	key := c.open()
	assert.Less(t, len(c.submit(key, `{"ids":[1],"reason":"fail"}`)), 5<<10)
	said := c.submit(key, `{"ids":[1000000]}`)
	assert.Equal(t, said, c.submit(key, ""))
	assert.Less(t, len(said), 34<<10)
	assert.Contains(t, said, `ééé… (2097152 bytes)\n(The output of 1000004 bytes is left out.)"}`)
	key = c.open()
	said = c.submit(key, `{"ids":[49000]}`)
	assert.Contains(t, said, `"value":["yyy`)
	for _, r := range st.docs {
		assert.Less(t, len(r.Value), 90<<10)
	}
	raw := c.call("remove", confirming(key))
	assert.Nil(t, decode(t, raw).Value, "structured content is an object")
}

// No answer is larger than what hosts pass, whatever has to be escaped in it.
func TestAnswersAreBounded(t *testing.T) {
	var said string
	var out, data any
	var fail error
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	viewform.Register(s, &mcp.Tool{Name: "remove"}, view(), viewform.Form[removal, any]{
		Store:   newStore(),
		Prepare: func(context.Context, *mcp.CallToolRequest, removal) (any, error) { return data, nil },
		Do: func(context.Context, *mcp.CallToolRequest, removal) (*mcp.CallToolResult, any, error) {
			if said == "" {
				return nil, out, fail
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, out, fail
		},
	})
	c := dial(t, s, modern, ui)
	call := func(tool, arguments string) result {
		t.Helper()
		raw := c.call(tool, arguments)
		assert.Less(t, len(raw), 150_500, "with the envelope")
		return decode(t, raw)
	}
	for _, part := range []string{"a", `"`, `\`, "\x01", "<", "\u2028", "é", `{"$view":`} {
		out = map[string]string{"v": strings.Repeat(part, (48<<10-8)/len(encoded(t, part)))}
		key := c.open()
		for _, said = range []string{"", strings.Repeat(part, 1<<20)} {
			text := call("remove_submit", submission(c.open(), removes)).Content[0].Text
			assert.Contains(t, text, `"value":{"v":`, part)
		}
		assert.Contains(t, call("remove_submit", submission(key, removes)).Content[0].Text, fmt.Sprintf("… (%d bytes)", len(said)), part)
		call("remove", confirming(key))

		out, said = map[string]string{"v": strings.Repeat(part, 48<<10)}, ""
		key = c.open()
		assert.Contains(t, call("remove_submit", submission(key, removes)).Content[0].Text, "is left out", part)

		data, fail = strings.Repeat(part, (64<<10-2)/len(encoded(t, part))), errors.New(strings.Repeat("\x01", 1<<20))
		key = c.open()
		text := call("remove_submit", submission(key, removes)).Content[0].Text
		assert.Contains(t, text, `"data":"`, part)
		assert.Contains(t, text, `"error":"`, part)
		call("remove", confirming(key))
		fail, data = nil, nil
	}
}

// encoded returns a string as it is within JSON.
func encoded(t *testing.T, s string) string {
	t.Helper()
	data, err := json.Marshal(s)
	require.NoError(t, err)
	return string(data[1 : len(data)-1])
}

// Work that does not end in time is unknown until it ends, and is not done twice.
func TestLateOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o orders
		s, _ := newServer(viewform.Form[removal, removed]{Timeout: time.Minute, Do: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
			time.Sleep(time.Hour) // whatever its context says
			return o.remove(ctx, req, in)
		}})
		c, other := dial(t, s, modern, ui), dial(t, s, modern, ui)
		key := c.open()
		const done = `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			assert.Equal(t, done, c.submit(key, removes))
		}()
		synctest.Wait()
		assert.Equal(t, `{"state":"running"}`, other.submit(key, ""))
		assert.Contains(t, other.call("remove", confirming(key)), "is being done")
		time.Sleep(2 * time.Minute)
		assert.Equal(t, `{"state":"unknown"}`, other.submit(key, removes))
		<-ended
		assert.Equal(t, done, other.submit(key, removes))
		assert.Equal(t, 1, o.count())
	})
}
