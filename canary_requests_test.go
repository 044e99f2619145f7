package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The canaries of requests, sessions and transports; see canary_test.go.

func TestCanaryTypedNilParams(t *testing.T) {
	var typedNil, panics bool
	s := mcp.NewServer(costInfo, nil)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				p := req.GetParams()
				typedNil = p != nil && fmt.Sprint(p) == "<nil>"
				func() {
					defer func() { panics = recover() != nil }()
					p.GetMeta()
				}()
			}
			return next(ctx, method, req)
		}
	})
	w, c := dialMemory(t, s), wireClient{"2025-11-25", true}
	w.exchange(t, c, c.line(1, message{"", "initialize", ""}))
	w.exchange(t, c, c.line(2, message{"", "tools/list", ""}))
	assert.True(t, typedNil && panics, "a request without params does not bring a typed nil whose GetMeta panics: the check for it in ClientSupport can go")
}

func TestCanaryStatelessLegacyCapabilities(t *testing.T) {
	var caps = make(map[string]*mcp.ClientCapabilities)
	s := canaryServer(nil, func(method string, req mcp.Request, _ mcp.Result) {
		if ss, ok := req.GetSession().(*mcp.ServerSession); ok && ss != nil && ss.InitializeParams() != nil {
			caps[method] = ss.InitializeParams().Capabilities
		}
	})
	w := dialStreamable(t, s, &mcp.StreamableHTTPOptions{Stateless: true})
	canaryConverse(t, w, wireClient{"2025-06-18", true})
	assert.Contains(t, caps, "tools/list")
	for method, c := range caps {
		if method != "initialize" {
			assert.Nil(t, c, "%s: stateless HTTP has capabilities for an older client: ClientSupport takes what the SDK made up for what the client said", method)
		}
	}
}

func TestCanaryFirstCapabilities(t *testing.T) {
	var said []bool
	s := canaryServer(nil, func(_ string, req mcp.Request, _ mcp.Result) {
		_, ok := req.GetSession().(*mcp.ServerSession).InitializeParams().Capabilities.Extensions["io.modelcontextprotocol/ui"]
		said = append(said, ok)
	})
	w := dialMemory(t, s)
	for id, ui := range []bool{true, false} {
		c := wireClient{modern, ui}
		w.exchange(t, c, c.line(id+1, canaryExchanges[0]))
	}
	assert.Equal(t, []bool{true, true}, said,
		"a session of the newest version does not keep the first request's capabilities any more: ClientSupport may ask it again")
}

func TestCanaryMiddlewareOrder(t *testing.T) {
	var order []string
	s := canaryServer(nil, nil)
	add := func(name string) {
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				order = append(order, name)
				return next(ctx, method, req)
			}
		})
	}
	add("first")
	w, c := dialMemory(t, s), wireClient{modern, true}
	w.exchange(t, c, c.line(1, canaryExchanges[0]))
	add("second")
	w.exchange(t, c, c.line(2, canaryExchanges[0]))
	assert.Equal(t, []string{"first", "second", "first"}, order,
		"middleware added later is not outer, or does not reach open sessions: WithClientSupport, or Enable on a running server, comes too late")
}

func TestCanaryInputRequests(t *testing.T) {
	s := mcp.NewServer(costInfo, nil)
	s.AddResource(&mcp.Resource{URI: canaryURI, Name: "r"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{InputRequests: mcp.InputRequestMap{}}, nil
	})
	w, c := dialMemory(t, s), wireClient{"2025-11-25", true}
	w.exchange(t, c, c.line(1, message{"", "initialize", ""}))
	w.exchange(t, c, c.line(0, message{"", "notifications/initialized", ""}))
	assert.Contains(t, w.exchange(t, c, c.line(2, canaryExchanges[3])), "nil information",
		"input requests without contents reach older clients: the empty Contents that this package adds can go")
}

func TestCanaryVersions(t *testing.T) {
	s := canaryServer(nil, nil)
	all := mcp.SupportedProtocolVersions()
	legacy := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return v >= modern })
	ask := wireClient{modern, true}
	discover, initialize := ask.line(1, message{"", "server/discover", ""}), ask.line(2, message{"", "initialize", ""})
	for _, test := range []struct {
		name string
		dial func(t *testing.T) wire
		want []string
	}{
		{"memory", func(t *testing.T) wire { return dialMemory(t, s) }, all},
		{"sse", func(t *testing.T) wire { return dialSSE(t, s) }, legacy},
		{"stateful", func(t *testing.T) wire { return dialStreamable(t, s, nil) }, legacy},
		{"stateless", func(t *testing.T) wire {
			return dialStreamable(t, s, &mcp.StreamableHTTPOptions{Stateless: true})
		}, all},
	} {
		t.Run(test.name, func(t *testing.T) {
			const broken = "the transport negotiates other versions: the transports' tests and the README's table say what no longer holds"
			var got struct {
				Result struct {
					SupportedVersions []string
					ProtocolVersion   string
				}
				Error *struct{ Data struct{ Supported []string } }
			}
			require.NoError(t, json.Unmarshal([]byte(test.dial(t).exchange(t, ask, discover)), &got))
			versions := got.Result.SupportedVersions
			if got.Error != nil {
				versions = got.Error.Data.Supported
			}
			assert.Equal(t, test.want, versions, broken)
			// Without a discovery first, the handshake is that of the newest
			// version that has one.
			w := test.dial(t)
			require.NoError(t, json.Unmarshal([]byte(w.exchange(t, wireClient{"2025-11-25", true}, initialize)), &got))
			assert.Equal(t, "2025-11-25", got.Result.ProtocolVersion, broken)
		})
	}
}

func TestCanaryTemplates(t *testing.T) {
	s := canaryServer(nil, nil)
	w, c := dialMemory(t, s), wireClient{modern, true}
	for i, test := range []struct {
		uri     string
		matches bool
	}{
		{"ui://canary/other", true},
		{"ui://canary/", true}, // an empty variable
		{"ui://canary/a%2Fb", true},
		{"ui://canary/a/b", false},
	} {
		got := w.exchange(t, c, c.line(i+1, message{"", "resources/read", fmt.Sprintf(`"uri":%q`, test.uri)}))
		assert.Equal(t, test.matches, strings.Contains(got, `"text":"template"`),
			"%s: the SDK matches templates differently: what RegisterAppResourceTemplate says of values no longer holds", test.uri)
	}
}

func TestCanaryPanicInGetServer(t *testing.T) {
	// net/http recovers it, per connection, and logs to the server's log alone.
	srv := httptest.NewUnstartedServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { panic("registration") },
		&mcp.StreamableHTTPOptions{Stateless: true}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.Start()
	defer srv.Close()
	_, err := srv.Client().Do(askRequest(srv.URL, listTools))
	assert.Error(t, err, "a panic in getServer is answered: the README need not warn of mistakes that show as EOF")
}
