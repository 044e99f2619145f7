package viewform_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// What Prepare returns is in the answers of the open form, whatever the host drops of
// the result that opened it, and after a submission that failed; Prepare runs once.
func TestPrepare(t *testing.T) {
	for _, version := range []string{older, modern} {
		for name, connect := range connections(version) {
			t.Run(version+"/"+name, func(t *testing.T) {
				var o orders
				var got []string
				failing := true
				s, st := newServer(viewform.Form[removal, removed]{
					Prepare: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (any, error) {
						got = append(got, fmt.Sprintf("%s %s %v", req.Params.Name, req.Params.Arguments, in.IDs))
						return map[string]int{"affected": len(in.IDs)}, ctx.Err()
					},
					Do: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
						if failing {
							return nil, removed{}, errors.New("locked")
						}
						return o.remove(ctx, req, in)
					},
				})
				c := connect(t, s)
				raw := c.call("remove", `{"ids":[1,2],"confirm":null}`)
				assert.NotContains(t, raw, "affected", "the model does not read it")
				key := keyOf(t, raw)
				assert.Equal(t, `{"state":"open","data":{"affected":2}}`, c.submit(key, ""))
				assert.NotContains(t, c.call("remove", confirming(key)), "affected")
				const failed = `{"state":"open","error":"locked","data":{"affected":2}}`
				assert.Equal(t, failed, c.submit(key, removes))
				assert.Equal(t, failed, c.submit(key, ""))
				assert.Equal(t, failed, c.submit(key, `{"ids":[3]}`))
				failing = false
				const done = `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`
				assert.Equal(t, done, c.submit(key, removes))
				assert.Equal(t, done, c.submit(key, ""))
				assert.Equal(t, []string{`remove {"ids":[1,2]} [1 2]`}, got)
				c.call("remove", removes, byView)
				assert.Len(t, got, 2, "a form that a view opens")
				assert.Len(t, st.docs, 2)
			})
		}
	}
}

// After an error of Prepare, or too much data, no form is open.
func TestPrepareFails(t *testing.T) {
	var data any
	var fail error
	var o orders
	calls := 0
	s, st := newServer(viewform.Form[removal, removed]{Do: o.remove, Prepare: func(context.Context, *mcp.CallToolRequest, removal) (any, error) {
		calls++
		return data, fail
	}})
	c := dial(t, s, modern, ui)
	refused := func(want string) {
		t.Helper()
		raw := c.call("remove", removes)
		assert.Contains(t, raw, want)
		assert.True(t, decode(t, raw).IsError)
		assert.Len(t, decode(t, raw).Content, 1)
		assert.NotContains(t, raw, "mcpapps/data")
		assert.Empty(t, st.docs)
	}
	fail = errors.New("order 2 does not exist")
	refused(`{"type":"text","text":"order 2 does not exist"}`)
	fail, data = nil, strings.Repeat("x", 64<<10-1)
	refused("the data of the form has 65537 bytes of JSON, and may have 65536: return less from Form.Prepare")
	data = func() {}
	refused("can't be encoded as JSON")
	fail = &jsonrpc.Error{Code: -32000, Message: "sign in"}
	raw := c.call("remove", removes)
	assert.Contains(t, raw, "sign in")
	assert.NotContains(t, raw, "isError", "as mcp.AddTool answers it")
	assert.Empty(t, st.docs)
	assert.Equal(t, 4, calls)

	c.call("remove", `{"ids":"x"}`)
	c.Capabilities = none
	assert.Contains(t, c.call("remove", removes), "Removed 2 orders.")
	c.Capabilities = ui
	assert.Contains(t, c.call("remove", confirming("NOSUCHFORM")), "without confirm")
	assert.Equal(t, 4, calls, "no form was asked for")

	fail, data = nil, strings.Repeat("x", 64<<10-2)
	assert.Contains(t, c.submit(c.open(), ""), `{"state":"open","data":"xxx`)
	for _, nothing := range []any{nil, (*removal)(nil)} {
		data = nothing
		assert.Equal(t, `{"state":"open"}`, c.submit(c.open(), ""))
	}
}
