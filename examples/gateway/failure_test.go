package main

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	asBackend = "GATEWAY_TEST_BACKEND"
	asGateway = "GATEWAY_TEST_GATEWAY"
)

// TestMain runs the tests or, as a command that a test starts, the gateway, or a
// backend with a tool that ends it.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	name := os.Getenv(asBackend)
	switch {
	case os.Getenv(asGateway) != "":
		os.Unsetenv(asGateway) // its backend is this program too
		os.Setenv(asBackend, "maps")
		main()
		return
	case name == "":
		os.Exit(m.Run())
	}
	s := newTestServer(name, older)
	mcp.AddTool(s.server, &mcp.Tool{Name: "end"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		os.Exit(1)
		return nil, nil, nil
	})
	_ = s.server.Run(context.Background(), &mcp.StdioTransport{})
}

// A client waits for the notice that lists changed, which a client without a stream
// does not get.
type client struct {
	*mcp.ClientSession
	changed chan struct{}
}

func listen(t testing.TB, url, version string, stateless bool) *client {
	c := &client{changed: make(chan struct{}, 1000)}
	c.ClientSession = dial(t, url, version, true, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.changed <- struct{}{} }})
	if stateless && version == "2025-11-25" {
		ticker := time.NewTicker(10 * time.Millisecond)
		t.Cleanup(ticker.Stop)
		go func() {
			for {
				select {
				case <-ticker.C:
					c.changed <- struct{}{}
				case <-t.Context().Done():
					return
				}
			}
		}()
	}
	return c
}

// waitFor calls a tool after each notice until its result is the text.
func (c *client) waitFor(t testing.TB, tool, want string) {
	t.Helper()
	c.until(t, func() bool { return text(t, c.ClientSession, tool) == want })
}

// waitForDocument is waitFor for the document at a URI.
func (c *client) waitForDocument(t testing.TB, uri, want string) {
	t.Helper()
	c.until(t, func() bool {
		res, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		return err == nil && res.Contents[0].Text == want
	})
}

func (c *client) until(t testing.TB, works func() bool) {
	t.Helper()
	for !works() {
		select {
		case <-c.changed:
		case <-time.After(time.Minute):
			t.Fatal("not within a minute")
		}
	}
}

func (c *client) fails(t testing.TB, tool, want string) {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
	require.NoError(t, err)
	assert.True(t, res.IsError)
	assert.Contains(t, res.Content[0].(*mcp.TextContent).Text, want)
}

// A backend that dies stays listed and answers with errors that name it; the other
// goes on; when it returns, everything works again.
func TestBackendThatDiesAndReturns(t *testing.T) {
	for name, p := range protocols {
		for _, opts := range []*mcp.ServerOptions{nil, older} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				maps := newTestServer("maps", opts)
				url := serve(t, false, p.stateless, behind(t, "maps", maps.target()), behind(t, "weather", newTestServer("weather", nil).target()))
				c := listen(t, url, p.version, p.stateless)
				c.waitFor(t, "show_maps", text(t, c.ClientSession, "show_maps"))
				tools(t, c.ClientSession)

				maps.end()
				for range 3 {
					c.fails(t, "show_maps", `backend "maps" (a transport)`)
					_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://maps/view.html"})
					assert.ErrorContains(t, err, `backend "maps" (a transport)`)
					listed := tools(t, c.ClientSession)
					assert.Len(t, listed, 4)
					assert.Contains(t, meta(t, listed["show_maps"]), "ui://maps/view.html")
					assert.Equal(t, "searched weather", text(t, c.ClientSession, "weather__search"))
					assert.Equal(t, "<!doctype html><p>weather", document(t, c.ClientSession, "ui://weather/view.html"))
				}
				maps.begin()
				c.waitFor(t, "maps__search", "searched maps")
				c.waitForDocument(t, "ui://maps/view.html", "<!doctype html><p>maps")
			})
		}
	}
}

// A command that ends is started again.
func TestCommandThatEnds(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	maps := behind(t, "maps", host.Target{Command: []string{program}, Env: []string{asBackend + "=maps"}})
	url := serve(t, false, false, maps, behind(t, "weather", newTestServer("weather", nil).target()))
	c := listen(t, url, "2025-11-25", false)
	for range 2 {
		c.waitFor(t, "show_maps", "maps for ui")
		c.fails(t, "end", `backend "maps" (`+program+`): `)
		assert.Equal(t, "weather for ui", text(t, c.ClientSession, "show_weather"))
		c.waitFor(t, "maps__search", "searched maps")
		assert.Equal(t, "<!doctype html><p>maps", document(t, c.ClientSession, "ui://maps/view.html"))
	}
}

// A server over HTTP that is started again has lost its sessions, and for a time it
// could not be reached.
func TestURLThatReturns(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{"sessions": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			address := listener.Addr().String()
			start := func(listener net.Listener) *http.Server {
				server := newTestServer("maps", nil).server
				web := &http.Server{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts)}
				go web.Serve(listener)
				return web
			}
			web := start(listener)
			url := serve(t, false, false, behind(t, "maps", host.Target{URL: "http://" + address}), behind(t, "weather", newTestServer("weather", nil).target()))
			c := listen(t, url, "2026-07-28", false)
			c.waitFor(t, "show_maps", "maps for ui")

			web.Close()
			c.fails(t, "show_maps", `backend "maps" (http://`+address+`)`)
			assert.Equal(t, "weather for ui", text(t, c.ClientSession, "show_weather"))
			listener, err = net.Listen("tcp", address)
			require.NoError(t, err)
			web = start(listener)
			c.waitFor(t, "show_maps", "maps for ui")

			web.Close() // and back at once, without its sessions
			listener, err = net.Listen("tcp", address)
			require.NoError(t, err)
			web = start(listener)
			defer web.Close()
			assert.Equal(t, "<!doctype html><p>maps", document(t, c.ClientSession, "ui://maps/view.html"))
			c.waitFor(t, "show_maps", "maps for ui")
		})
	}
}

// A backend that is not there when the gateway starts is listed once it is.
func TestBackendThatComesLater(t *testing.T) {
	t.Parallel()
	maps := newTestServer("maps", nil)
	maps.end()
	url := serve(t, false, false, behind(t, "maps", maps.target()), behind(t, "weather", newTestServer("weather", nil).target()))
	c := listen(t, url, "2026-07-28", false)
	assert.Len(t, tools(t, c.ClientSession), 2)
	assert.Equal(t, "searched weather", text(t, c.ClientSession, "search"), "a name that only one backend has")
	maps.begin()
	c.until(t, func() bool { return tools(t, c.ClientSession)["show_maps"] != nil })
	assert.Equal(t, "maps for ui", text(t, c.ClientSession, "show_maps"))
}

// A backend that hangs does not delay the calls of the other, and their lists no longer
// than the gateway waits. One that never answers does not keep the gateway from starting.
func TestBackendThatHangs(t *testing.T) {
	t.Parallel()
	hangs := make(chan struct{})
	released := make(chan struct{})
	var asked atomic.Int32 // while it hangs
	t.Cleanup(func() { close(released) })
	behindWith := func(patience time.Duration) (*testServer, *mcp.ClientSession) {
		maps := newTestServer("maps", nil)
		maps.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method != "tools/list" {
					return next(ctx, method, req)
				}
				select {
				case <-hangs:
					asked.Add(1)
					select {
					case <-released:
					case <-ctx.Done():
					}
					return nil, context.Canceled
				default:
					return next(ctx, method, req)
				}
			}
		})
		silent := host.Target{Transport: func(context.Context) (mcp.Transport, error) {
			near, _ := mcp.NewInMemoryTransports() // nobody reads the other end
			return near, nil
		}}
		backends := []*backend{behind(t, "maps", maps.target()), behind(t, "weather", newTestServer("weather", nil).target()), behind(t, "silent", silent)}
		backends[0].ui.patience = patience
		backends[2].ui.patience, backends[2].ui.options.ConnectTimeout = 50*time.Millisecond, 50*time.Millisecond
		return maps, dial(t, serve(t, false, false, backends...), "2026-07-28", true, nil)
	}
	_, patient := behindWith(time.Hour)
	maps, impatient := behindWith(100 * time.Millisecond)
	for len(tools(t, patient)) < 4 || len(tools(t, impatient)) < 4 { // this machine may be slow
	}
	close(hangs)
	assert.Equal(t, "weather for ui", text(t, patient, "show_weather"))
	assert.Equal(t, "<!doctype html><p>weather", document(t, patient, "ui://weather/view.html"))
	mcp.AddTool(maps.server, &mcp.Tool{Name: "later"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	for asked.Load() == 0 { // the change has not arrived yet
		assert.Len(t, tools(t, impatient), 4, "those listed before")
	}
	kept := false
	for i := 0; i < 20 && !kept; i++ { // a second notice may arrive meanwhile
		before := asked.Load()
		assert.Equal(t, "weather for ui", text(t, impatient, "show_weather"))
		kept = asked.Load() == before
	}
	assert.True(t, kept, "calls need no new list")
}

// A call that the gateway's client cancels is cancelled at the backend. Without
// sessions the SDK's server does not learn of it.
func TestCancel(t *testing.T) {
	t.Parallel()
	maps := newTestServer("maps", nil)
	began, ended := make(chan struct{}), make(chan struct{})
	mcp.AddTool(maps.server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, nil, ctx.Err()
	})
	session := dial(t, serve(t, false, false, behind(t, "maps", maps.target())), "2025-11-25", true, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-began
		cancel()
	}()
	_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"})
	assert.ErrorIs(t, err, context.Canceled)
	<-ended
}

// The program itself, over HTTP and over standard input and output.
func TestRun(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	t.Run("HTTP", func(t *testing.T) {
		server := newTestServer("maps", nil).server
		web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
		defer web.Close()
		defer web.CloseClientConnections()
		ctx, cancel := context.WithCancel(t.Context())
		r, w := io.Pipe()
		ran := make(chan error, 1)
		go func() {
			ran <- run(ctx, []string{"-addr", "127.0.0.1:0", "-backend", "maps=" + web.URL}, w, io.Discard)
		}()
		lines := bufio.NewScanner(r)
		var urls []string
		for _, label := range []string{"all backends: ", "maps alone: "} {
			require.True(t, lines.Scan())
			url, ok := strings.CutPrefix(lines.Text(), label)
			require.True(t, ok, lines.Text())
			urls = append(urls, url)
		}
		for _, url := range urls {
			session := dial(t, url, "2026-07-28", true, nil)
			assert.Equal(t, "maps for ui", text(t, session, "show_maps"))
			session.Close()
		}
		cancel()
		assert.NoError(t, <-ran)
	})
	t.Run("stdio", func(t *testing.T) {
		gateway, err := host.Connect(t.Context(), host.Target{Command: []string{program, "-stdio", "-backend", "maps=" + program}, Env: []string{asGateway + "=1"}}, nil)
		require.NoError(t, err)
		defer gateway.Close()
		result, err := gateway.Call(t.Context(), "show_maps", nil)
		require.NoError(t, err)
		assert.Contains(t, string(result), "maps for ui")
	})
	for _, args := range [][]string{{"-backend", "maps"}, {"-backend", "a=http://x.test", "-backend", "a=http://y.test"}, {"more"}} {
		assert.Error(t, run(t.Context(), args, io.Discard, io.Discard), args)
	}
}

func TestBackoff(t *testing.T) {
	assert.Equal(t, 500*time.Millisecond, backoff(1))
	assert.Equal(t, time.Second, backoff(2))
	assert.Equal(t, 30*time.Second, backoff(10))
	assert.Equal(t, 30*time.Second, backoff(1_000_000))
}
