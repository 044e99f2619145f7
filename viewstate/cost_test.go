package viewstate_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

// TestCostSaves saves 1,000 documents of 100 users a second over HTTP, which is what 10,000
// views do of which each saves once in 10 seconds, and loses none. A machine that is too slow
// for it takes longer. It saves for one second, and for 10 in ci/full.
func TestCostSaves(t *testing.T) {
	testenv.Measure(t)
	const users, workers, perTick = 100, 16, 10
	documents := 1_000
	if testenv.Full() {
		documents = 10_000
	}
	st := viewstate.NewMemory(nil)
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	viewstate.Register(s, st, nil)
	web := httptest.NewServer(rawclient.WithUsers(rawclient.Streamable(s, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})))
	defer web.Close()
	user := func(i int) string { return fmt.Sprint("user", i%users) }
	state := func(i int) string {
		return fmt.Sprintf(`{"document":%d,"filters":%q}`, i, strings.Repeat("f", 250))
	}
	save := func(c *http.Client, i int) error {
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"view_state","arguments":{"id":"%d","version":0,"state":%s}}}`, i, state(i))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(line))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", rawclient.Older)
		req.Header.Set("Authorization", "Bearer "+user(i))
		res, err := c.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err == nil && !strings.Contains(string(body), `"{\"version\":1}"`) {
			err = fmt.Errorf("document %d: %s", i, body)
		}
		return err
	}

	due := make(chan int)
	errs := make(chan error, documents)
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	defer client.CloseIdleConnections()
	for range workers {
		all.Go(func() {
			for i := range due {
				if err := save(client, i); err != nil {
					errs <- err
				}
			}
		})
	}
	start, used := time.Now(), cputime.Used()
	tick := time.NewTicker(perTick * time.Millisecond)
	defer tick.Stop()
	for i := range documents {
		if i%perTick == 0 {
			<-tick.C
		}
		due <- i
	}
	close(due)
	all.Wait()
	took, cpu := time.Since(start), cputime.Used()-used
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}

	key := func(i int) viewstate.Key {
		return viewstate.KeyFor(context.Background(), &mcp.CallToolRequest{Extra: &mcp.RequestExtra{
			TokenInfo: &auth.TokenInfo{UserID: user(i)}, Header: http.Header{},
		}}, fmt.Sprint(i))
	}
	saved := 0
	for i := range documents {
		r, err := st.Get(t.Context(), key(i))
		if err == nil && r.Version == 1 && string(r.Value) == state(i) {
			saved++
		}
	}
	assert.Equal(t, documents, saved)

	other := viewstate.NewMemory(nil)
	used = cputime.Used()
	for i := range documents {
		_, err := other.Put(t.Context(), key(i), []byte(state(i)), 0)
		require.NoError(t, err)
	}
	store := max(cputime.Used()-used, 1)
	t.Logf("%d of %d documents saved in %v, %.0f a second, each once; processor time of a save with its client %v, %.0f times that of the store alone",
		saved, documents, took, float64(documents)/took.Seconds(), cpu/time.Duration(documents), float64(cpu)/float64(store))
}
