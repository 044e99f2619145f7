package rawclient_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// A failed test keeps its message.
type failed struct {
	testing.TB
	message string
}

func (f *failed) Errorf(format string, args ...any) { f.message += fmt.Sprintf(format, args...) }

func (f *failed) FailNow() { runtime.Goexit() }

// TestUnexpectedRequest: a request of a server that a test does not expect, or whose answer
// fails the test, ends the test with the request in its message. The server does not wait.
func TestUnexpectedRequest(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	ended := make(chan error, 1)
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		_, err := req.Session.Elicit(context.WithoutCancel(ctx), &mcp.ElicitParams{Message: "Where?"})
		ended <- err
		return nil, nil, err
	})
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		if tr.Version >= rawclient.Modern || strings.Contains(t.Name(), "stateless") {
			return // the SDK sends no requests here
		}
		for _, answers := range []bool{false, true} {
			f := &failed{TB: t}
			config := rawclient.Config{Capabilities: `{"elicitation":{}}`}
			if answers {
				config.Answer = func(method string, _ json.RawMessage) string {
					require.Equal(f, "roots/list", method)
					return `{}`
				}
			}
			c := tr.Dial(t, s, config)
			stopped := make(chan bool)
			go func() {
				defer close(stopped)
				c.Call(f, "ask", `{}`)
			}()
			<-stopped
			assert.Contains(t, f.message, "elicitation/create")
			assert.ErrorContains(t, <-ended, "not expected")
		}
	})
}

// TestParams: what a test sends arrives with its spaces, escapes and order in each version,
// and with its user over HTTP.
func TestParams(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		user := ""
		if info := auth.TokenInfoFromContext(ctx); info != nil {
			user = info.UserID
		} else if req.Extra != nil && req.Extra.TokenInfo != nil {
			user = req.Extra.TokenInfo.UserID
		}
		text := fmt.Sprintf("%s of %q in %v", req.Params.Arguments, user, req.Params.Meta["place"])
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		echo := func(user, params string) string {
			var got struct{ Content []struct{ Text string } }
			c := tr.Dial(t, s, rawclient.Config{User: user, Meta: map[string]any{"place": "Oslo"}})
			require.NoError(t, json.Unmarshal([]byte(c.Result(t, "tools/call", params)), &got))
			return got.Content[0].Text
		}
		user := ""
		if tr.HTTP {
			user = "ann"
		}
		place := "<nil>" // the older versions have it in the handshake only
		if tr.Version >= rawclient.Modern {
			place = "Oslo"
		}
		const arguments = `{ "b": "\u0041", "a" : 1e2 }`
		if !strings.Contains(t.Name(), "memory") { // it carries messages, not bytes
			assert.Equal(t, fmt.Sprintf("%s of %q in %s", arguments, user, place), echo("ann", `{"name":"echo","arguments":`+arguments+`}`))
		}
		assert.Equal(t, `{} of "" in Bergen`, echo("", `{"name":"echo","arguments":{},"_meta":{"place":"Bergen"}}`))
	})
}
