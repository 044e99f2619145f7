package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

// legacyClient connects to a server through LegacyForms, and returns what is on the wire.
type legacyClient struct {
	conn mcp.Connection
	id   int
}

func dialLegacy(t *testing.T, s *mcp.Server, server, client mcp.Transport, version, capabilities string) *legacyClient {
	t.Helper()
	ss, err := s.Connect(t.Context(), openai.LegacyForms(server), nil)
	require.NoError(t, err)
	conn, err := client.Connect(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() {
		conn.Close()
		ss.Close()
	})
	c := &legacyClient{conn: conn}
	if version < rawclient.Modern {
		c.exchange(t, "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"raw","version":"1"},"_meta":{"x":12345678901234567890}}`, version, capabilities))
		c.write(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

func (c *legacyClient) write(t *testing.T, line string) {
	t.Helper()
	m, err := jsonrpc.DecodeMessage([]byte(line))
	require.NoError(t, err)
	require.NoError(t, c.conn.Write(context.Background(), m))
}

// exchange sends a request, answers what the server asks with the answers in turn, and
// returns the result and what the server asked.
func (c *legacyClient) exchange(t *testing.T, method, params string, answers ...string) (result string, asked []string) {
	t.Helper()
	c.id++
	c.write(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	// Far more than the server ever takes: a question that it asks in the wrong way may
	// never be answered.
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		m, err := readWithin(ctx, c.conn)
		require.NoError(t, err, "%s: the server sent no answer and asked nothing more; asked so far: %q", method, asked)
		data, err := jsonrpc.EncodeMessage(m)
		require.NoError(t, err)
		if res, ok := m.(*jsonrpc.Response); ok {
			require.NoError(t, res.Error)
			return string(res.Result), asked
		}
		require.Less(t, len(asked), len(answers), "%s", data)
		c.write(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, memberOf(t, string(data), "id"), answers[len(asked)]))
		asked = append(asked, string(data))
	}
}

// readWithin reads a message until the context ends, also from connections that do not end
// with it.
func readWithin(ctx context.Context, conn mcp.Connection) (jsonrpc.Message, error) {
	type read struct {
		m   jsonrpc.Message
		err error
	}
	done := make(chan read, 1)
	go func() {
		m, err := conn.Read(ctx)
		done <- read{m, err}
	}()
	select {
	case r := <-done:
		return r.m, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestLegacyForms: older clients with the extension get its own request, through the
// wrapped transport only, and all others get what they get without it.
func TestLegacyForms(t *testing.T) {
	s, forms := formServer(), openai.NewForms(nil)
	addMove(s, forms, "move", whereSchema, tagsSchema)
	addMove(s, forms, "plain", plainSchema)
	addMove(s, forms, "tag", tagsSchema)
	for name, dial := range map[string]func() (server, client mcp.Transport){
		"memory": func() (mcp.Transport, mcp.Transport) {
			ct, st := mcp.NewInMemoryTransports()
			return st, ct
		},
		"stdio": func() (mcp.Transport, mcp.Transport) {
			fromClient, toServer := io.Pipe()
			fromServer, toClient := io.Pipe()
			return &mcp.IOTransport{Reader: fromClient, Writer: toClient}, &mcp.IOTransport{Reader: fromServer, Writer: toServer}
		},
	} {
		t.Run(name, func(t *testing.T) {
			st, ct := dial()
			c := dialLegacy(t, s, st, ct, rawclient.Older, extendedCaps)
			result, asked := c.exchange(t, "tools/call", `{"name":"move","arguments":{}}`,
				`{"action":"accept","content":{"n":"8"}}`, `{"action":"accept","content":{"n":"7"}}`, `{"action":"accept","content":{"tags":["a"]}}`)
			assert.Equal(t, `accept{"n":"7"} accept{"tags":["a"]}`, readRound(t, result).text())
			require.Len(t, asked, 3)
			for i, want := range []string{
				`{"mode":"form","message":"Question 1?","requestedSchema":` + whereSchema + `}`,
				`{"mode":"form","message":"Question 1?\n\nPlease correct this: \"Note\" must be one of the choices, not \"8\".","requestedSchema":` + whereSchema + `}`,
				`{"mode":"form","message":"Question 2?","requestedSchema":` + tagsSchema + `}`,
			} {
				assert.Equal(t, `"openai/elicitation/create"`, memberOf(t, asked[i], "method"))
				assert.JSONEq(t, want, memberOf(t, asked[i], "params"))
			}
			result, _ = c.exchange(t, "tools/call", `{"name":"move","arguments":{}}`, `{"action":"decline","content":{"n":"7"}}`, `{"action":"cancel"}`)
			assert.Equal(t, "declinenull cancelnull", readRound(t, result).text())
			result, _ = c.exchange(t, "tools/call", `{"name":"move","arguments":{}}`, `{"action":"accept"}`, `{"action":"accept"}`, `{"action":"accept"}`)
			assert.Contains(t, readRound(t, result).text(), "it was asked 3 times")

			st, ct = dial()
			c = dialLegacy(t, s, st, ct, rawclient.Older, formCaps)
			result, _ = c.exchange(t, "tools/call", `{"name":"tag","arguments":{}}`)
			assert.Contains(t, readRound(t, result).text(), "does not show this form")
			result, asked = c.exchange(t, "tools/call", `{"name":"plain","arguments":{}}`, `{"action":"accept","content":{"n":2}}`)
			assert.Equal(t, `accept{"n":2}`, readRound(t, result).text())
			assert.Equal(t, `"elicitation/create"`, memberOf(t, asked[0], "method"))

			st, ct = dial()
			c = dialLegacy(t, s, st, ct, rawclient.Modern, extendedCaps)
			result, _ = c.exchange(t, "tools/call", `{"name":"move","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":`+extendedCaps+`}}`)
			assert.Contains(t, readRound(t, result).InputRequests, "form1", "the newer version asks by its result")
		})
	}
}

// TestLegacyFormsMark: a client can't claim to be behind the transport.
func TestLegacyFormsMark(t *testing.T) {
	s := formServer()
	addMove(s, openai.NewForms(nil), "move", tagsSchema)
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	defer ss.Close()
	conn, err := ct.Connect(t.Context())
	require.NoError(t, err)
	defer conn.Close() // first, so that a call that waits for an answer ends
	c := &legacyClient{conn: conn}
	c.exchange(t, "initialize", `{"protocolVersion":"2025-11-25","capabilities":`+extendedCaps+`,"clientInfo":{"name":"raw","version":"1"},"_meta":{"mcpapps/legacyForms":true}}`)
	c.write(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	result, asked := c.exchange(t, "tools/call", `{"name":"move","arguments":{}}`)
	assert.Empty(t, asked)
	assert.Contains(t, readRound(t, result).text(), "does not show this form")
}

// TestLegacyFormsLeavesTheRest: other elicitations, and their _meta, pass as they are, and
// what the extension's _meta stands beside stays.
func TestLegacyFormsLeavesTheRest(t *testing.T) {
	s := formServer()
	var meta mcp.Meta
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, any, error) {
		meta = req.Session.InitializeParams().Meta
		_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Meta: in, Message: "m", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
		return nil, nil, err
	})
	ct, st := mcp.NewInMemoryTransports()
	c := dialLegacy(t, s, st, ct, rawclient.Older, formCaps)
	for arguments, want := range map[string][2]string{
		`{"a":1}`:                           {`"elicitation/create"`, `{"a":1}`},
		`{"openai/elicitation":1}`:          {`"elicitation/create"`, `{"openai/elicitation":1}`},
		`{"openai/elicitation":{"form":1}}`: {`"elicitation/create"`, `{"openai/elicitation":{"form":1}}`},
		`{"a":1,"openai/elicitation":{"requestedSchema":{"type":"object","properties":{}}}}`: {`"openai/elicitation/create"`, `{"a":1}`},
	} {
		_, asked := c.exchange(t, "tools/call", `{"name":"ask","arguments":`+arguments+`}`, `{"action":"cancel"}`)
		require.Len(t, asked, 1)
		assert.Equal(t, want[0], memberOf(t, asked[0], "method"))
		assert.JSONEq(t, want[1], memberOf(t, memberOf(t, asked[0], "params"), "_meta"))
	}
	assert.Len(t, meta, 2, "the client's _meta and the mark")
}
