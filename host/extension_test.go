package host

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program answers methods that MCP Apps does not have, and reads of its own URIs. What
// it leaves is answered as without it.
func TestAnswer(t *testing.T) {
	var asked []string
	opts := &BridgeOptions{
		AllowRead: func(string) bool { return true },
		Answer: func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, bool, error) {
			asked = append(asked, method)
			var p struct{ URI string }
			_ = json.Unmarshal(params, &p)
			switch {
			case method == "x/write" || method == "resources/read" && p.URI == "host://1":
				return json.RawMessage(`{"done":"` + p.URI + `"}`), true, nil
			case method == "x/refused":
				return nil, false, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "why"}
			case method == "x/fails":
				return nil, true, errors.New("no luck")
			case method == "x/odd":
				return json.RawMessage(`[]`), true, nil
			}
			return nil, false, nil
		},
	}
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for _, c := range []struct{ method, params, want string }{
			{"x/write", `{"uri":"a"}`, `"result":{"done":"a"}`},
			{"resources/read", `{"uri":"host://1"}`, `"result":{"done":"host://1"}`},
			{"resources/read", `{"uri":"file:///secret"}`, `"text":"secret"`},
			{"x/refused", `{}`, `"error":{"code":-32602,"message":"why"}`},
			{"x/fails", `{}`, `"error":{"code":-32603,"message":"no luck"}`},
			{"x/odd", `{}`, `the host's Answer callback did not return a result for x/odd: it must be a JSON object`},
			{"x/other", `{}`, `"error":{"code":-32601,"message":"no such method: \"x/other\""}`},
			{"initialize", `{}`, `views begin with ui/initialize`},
			{"ui/message", `{}`, `"error":{"code":-32601`},
		} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, c.method, c.params)
			assert.Contains(t, v.takeOne(), c.want, c.method)
		}
		assert.Equal(t, []string{"x/write", "resources/read", "resources/read", "x/refused", "x/fails", "x/odd", "x/other"}, asked)
	})
}

// The view is told of features beyond MCP Apps.
func TestExperimental(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{Experimental: map[string]any{"x/y": struct{}{}}})
		assert.JSONEq(t, `{"experimental":{"x/y":{}}}`, string(newView(t, b).initialize(`{}`)["hostCapabilities"]))
		b.Close(t.Context(), nil)
		_, err := NewBridge(nil, &BridgeOptions{Experimental: map[string]any{"x": make(chan int)}})
		assert.ErrorContains(t, err, "BridgeOptions.Experimental can't be encoded as JSON")
	})
}

// The _meta of a message reaches the program, and the program's that of an update of the
// model context the view.
func TestMetaOfMessagesAndModelContexts(t *testing.T) {
	var metas []mcp.Meta
	answer := mcp.Meta{"x/id": "1"}
	opts := &BridgeOptions{
		Message: func(_ context.Context, m *ViewMessage) error {
			metas = append(metas, m.Meta)
			return nil
		},
		UpdateModelContext: func(_ context.Context, c *ModelContext) error {
			c.AnswerMeta = answer
			return nil
		},
	}
	withServer(t, opts, func(t *testing.T, s *Connection, b *Bridge, v *scriptedView) {
		v.handshake()
		for _, meta := range []string{`{"a":1}`, `5`, `null`} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"t"}],"_meta":%s}}`, meta)
			assert.Contains(t, v.takeOne(), `"result":{}`, meta)
		}
		assert.Equal(t, []mcp.Meta{{"a": 1.0}, nil, nil}, metas)
		for _, want := range []string{`"result":{"_meta":{"x/id":"1"}}`, `"result":{}`, `can't be encoded as JSON`} {
			v.post(`{"jsonrpc":"2.0","id":1,"method":"ui/update-model-context","params":{}}`)
			assert.Contains(t, v.takeOne(), want)
			if answer = nil; want == `"result":{}` {
				answer = mcp.Meta{"x": make(chan int)}
			}
		}
	})
}

// The calls of a program have the _meta of their context, those of a view do not.
func TestWithCallMeta(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		inBubble(t, func(t *testing.T) {
			s, err := Connect(t.Context(), Target{Server: testServer()}, &ConnectOptions{ProtocolVersion: version})
			require.NoError(t, err)
			defer s.Close()
			given := mcp.Meta{"x/locale": "nn", "progressToken": 7, "io.modelcontextprotocol/clientInfo": "forged"}
			ctx := WithCallMeta(t.Context(), given)
			given["x/locale"] = "changed later"
			metaOf := func(raw json.RawMessage, err error) map[string]any {
				t.Helper()
				require.NoError(t, err)
				var result struct{ Content []struct{ Text string } }
				require.NoError(t, json.Unmarshal(raw, &result))
				assert.NotContains(t, result.Content[0].Text, "forged")
				meta := map[string]any{}
				require.NoError(t, json.Unmarshal([]byte(result.Content[0].Text), &meta))
				for k := range meta {
					if reservedMeta(k) {
						delete(meta, k) // the SDK's
					}
				}
				return meta
			}
			call := func(ctx context.Context) map[string]any { t.Helper(); return metaOf(s.Call(ctx, "meta", nil)) }
			assert.Empty(t, call(t.Context()))
			assert.Equal(t, map[string]any{"x/locale": "nn"}, call(ctx))
			assert.Equal(t, map[string]any{"x/other": 1.0}, call(WithCallMeta(ctx, mcp.Meta{"x/other": 1})))
			assert.Empty(t, call(WithCallMeta(ctx, nil)))

			b, err := s.Open(ctx, "meta-view", nil, nil)
			require.NoError(t, err)
			v := newView(t, b)
			assert.Equal(t, map[string]any{"x/locale": "nn"}, metaOf(b.WaitResult(t.Context())))
			v.handshake()
			v.take() // input and result
			v.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"meta","arguments":{}}}`)
			assert.NotContains(t, v.takeOne(), "x/locale")
		})
	}
}
