package check

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
)

// TestOpenAIKinds shows that each rule of OpenAI's layer is one of the check's, but
// those of forms, which no server sends to a check.
func TestOpenAIKinds(t *testing.T) {
	for kind := openairules.Kind(0); kind < openairules.Kinds; kind++ {
		if kind == openairules.Field || kind == openairules.Answer {
			assert.NotContains(t, openaiRules, kind)
			continue
		}
		assert.NotNil(t, openaiRules[kind], "kind %d", kind)
	}
}

// calling is a connection that notes the calls of tools.
type calling struct {
	rpc.Conn
	mu    sync.Mutex
	calls []string
}

func (c *calling) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if method == "tools/call" {
		args, _ := json.Marshal(params["arguments"])
		c.mu.Lock()
		name, _ := params["name"].(string)
		c.calls = append(c.calls, name+string(args))
		c.mu.Unlock()
	}
	return c.Conn.Call(ctx, method, params)
}

// TestOpenAICalls shows which tools a check calls because a capability names them:
// those that say that they only read, of a server on this machine.
func TestOpenAICalls(t *testing.T) {
	const both = `{"capabilities":{"extensions":{"openai/settings":{"readTool":"read","updateTool":"update"},"openai/mentions":{"searchTool":"find"}}},
		"tools":{"show":null,
			"read":{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
			"update":{"name":"update","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
			"other":{"name":"other","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
			"find":{"name":"find","inputSchema":{"type":"object","required":["query"]},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"visibility":["app"]}}}}}`
	for name, c := range map[string]struct {
		patch  string
		remote bool
		calls  []Call
		want   []string
	}{
		"as ChatGPT calls them":    {patch: `{}`, want: []string{`read{}`, `find{"query":""}`}},
		"elsewhere":                {patch: `{}`, remote: true},
		"elsewhere and named":      {patch: `{}`, remote: true, calls: []Call{{Tool: "find", Arguments: map[string]any{"query": "x"}}}, want: []string{`find{"query":"x"}`}},
		"named":                    {patch: `{}`, calls: []Call{{Tool: "read"}}, want: []string{`read{}`, `find{"query":""}`}},
		"by no capability":         {patch: `{"capabilities":{"extensions":null}}`},
		"that write":               {patch: `{"tools":{"read":{"annotations":{"readOnlyHint":false}},"find":{"annotations":{"destructiveHint":true}}}}`},
		"that need more":           {patch: `{"tools":{"read":{"inputSchema":{"required":["a"]}},"find":{"inputSchema":{"required":["query","a"]}}}}`},
		"by a capability for both": {patch: `{"capabilities":{"extensions":{"openai/settings":{"readTool":"find"},"openai/mentions":null}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var conns []*calling
			o, err := (&Options{Calls: c.calls}).withDefaults()
			require.NoError(t, err)
			f := newFake(t, both, c.patch)
			_, err = run(t.Context(), &o, &dialer{local: !c.remote, oneAtATime: true, connect: func(ctx context.Context) (rpc.Conn, error) {
				conn, err := f.connect(ctx)
				conns = append(conns, &calling{Conn: conn})
				return conns[len(conns)-1], err
			}})
			require.NoError(t, err)
			var got []string
			for _, conn := range conns {
				got = append(got, conn.calls...)
			}
			assert.Equal(t, c.want, got)
		})
	}
}
