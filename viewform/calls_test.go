package viewform_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The form is opened, submitted and asked for with the same answers in each era and
// over each transport.
func TestSubmit(t *testing.T) {
	for _, version := range []string{older, modern} {
		for name, connect := range connections(version) {
			t.Run(version+"/"+name, func(t *testing.T) {
				var o orders
				s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
				c := connect(t, s)
				raw := c.call("remove", removes)
				key := keyOf(t, raw)
				r := decode(t, raw)
				assert.Len(t, r.Content, 2)
				assert.Contains(t, r.Content[0].Text, "Nothing is done yet")
				assert.Contains(t, r.Content[0].Text, "confirm: "+key)
				assert.Nil(t, r.Value)
				assert.JSONEq(t, `{"state":"open"}`, c.submit(key, ""))
				assert.Zero(t, o.count())

				const done = `{"state":"done","text":"Removed 3 orders.","value":{"count":3}}`
				assert.Equal(t, done, c.submit(key, `{"ids":[1,2,3]}`))
				assert.Equal(t, done, c.submit(key, `{"ids":[4]}`), "submitted again")
				assert.Equal(t, done, c.submit(key, ""))
				raw = c.call("remove", confirming(key))
				assert.Equal(t, key, keyOf(t, raw))
				r = decode(t, raw)
				assert.Equal(t, "Removed 3 orders.", r.Content[0].Text)
				assert.JSONEq(t, `{"count":3}`, string(r.Value))
				assert.Equal(t, []removal{{IDs: []int{1, 2, 3}}}, o.done)
			})
		}
	}
}

// connections returns the ways to connect to a server with a version.
func connections(version string) map[string]func(*testing.T, *mcp.Server) *client {
	all := map[string]func(*testing.T, *mcp.Server) *client{
		"memory": func(t *testing.T, s *mcp.Server) *client { return dial(t, s, version, ui) },
		"stateless": func(t *testing.T, s *mcp.Server) *client {
			return dialHTTP(t, streamable(s, true), "", version, ui)
		},
	}
	if version < modern { // stateful HTTP negotiates nothing newer
		all["stateful"] = func(t *testing.T, s *mcp.Server) *client {
			return dialHTTP(t, streamable(s, false), "ann", version, ui)
		}
	}
	return all
}

// A client that declares no views has the work done at once, and so has each one that
// the author names; the view of such a call shows a form that is done.
func TestAtOnce(t *testing.T) {
	for _, version := range []string{older, modern} {
		var o orders
		s, st := newServer(viewform.Form[removal, removed]{Do: o.remove})
		raw := dial(t, s, version, none).call("remove", removes)
		r := decode(t, raw)
		require.Len(t, r.Content, 1, raw)
		assert.Equal(t, "Removed 2 orders.", r.Content[0].Text)
		assert.JSONEq(t, `{"count":2}`, string(r.Value))
		assert.NotContains(t, r.Meta, "mcpapps/data")
		assert.Equal(t, 1, o.count())
		assert.Empty(t, st.docs)
	}
	var o orders
	s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove, Direct: func(_ context.Context, req *mcp.CallToolRequest) bool {
		return req.Params.Meta["example.com/trusted"] == true
	}})
	c := dial(t, s, modern, ui)
	raw := c.call("remove", removes, `"example.com/trusted":true`)
	assert.Equal(t, "Removed 2 orders.", decode(t, raw).Content[0].Text)
	assert.JSONEq(t, `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`, c.submit(keyOf(t, raw), removes))
	assert.Equal(t, 1, o.count())
	c.open()
	raw = c.call("remove", removes, `"example.com/trusted":true`, byView)
	assert.Contains(t, raw, "Nothing is done yet", "a view's call opens a form")
	assert.Equal(t, 1, o.count())
}

// Direct decides alone: a client without views for which it returns false is asked to
// have the user agree, and its call with the key does the work, once.
func TestDirectDecides(t *testing.T) {
	for _, version := range []string{older, modern} {
		var o orders
		var asked []mcpapps.Support
		failing := true
		s, st := newServer(viewform.Form[removal, removed]{
			Direct: func(ctx context.Context, req *mcp.CallToolRequest) bool {
				asked = append(asked, mcpapps.ClientSupport(ctx, req))
				return false
			},
			Do: func(ctx context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
				if failing {
					return nil, removed{}, errors.New("locked")
				}
				return o.remove(ctx, req, in)
			},
		})
		c := dial(t, s, version, none)
		raw := c.call("remove", removes)
		r := decode(t, raw)
		require.Len(t, r.Content, 1, raw)
		said, key, ok := strings.Cut(r.Content[0].Text, "confirm: ")
		require.True(t, ok, raw)
		assert.Equal(t, "Nothing is done yet. Ask the user, and after they agree call remove again with the same arguments and ", said)
		assert.NotContains(t, r.Meta, "mcpapps/data")
		assert.False(t, r.IsError)
		assert.Nil(t, r.Value)
		assert.Equal(t, []mcpapps.Support{mcpapps.SupportNone}, asked)
		require.Len(t, st.docs, 1)

		raw = c.call("remove", confirming(key))
		assert.True(t, decode(t, raw).IsError, raw)
		assert.Contains(t, raw, `locked\nTo try again`)
		failing = false
		for range 2 {
			r = decode(t, c.call("remove", confirming(key)))
			assert.Len(t, r.Content, 1)
			assert.Equal(t, "Removed 2 orders.", r.Content[0].Text)
			assert.JSONEq(t, `{"count":2}`, string(r.Value))
		}
		assert.Equal(t, 1, o.count())
		before := len(asked)
		keyOf(t, c.call("remove", removes, byView))
		assert.Len(t, asked, before, "a view has views, whatever its client says")
	}
}

// What a handler may return, as [mcp.AddTool] answers it.
func TestAtOnceResults(t *testing.T) {
	var res *mcp.CallToolResult
	var out any
	var fail error
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	viewform.Register(s, &mcp.Tool{Name: "remove"}, view(), viewform.Form[removal, any]{Store: newStore(), Do: func(context.Context, *mcp.CallToolRequest, removal) (*mcp.CallToolResult, any, error) {
		return res, out, fail
	}})
	c := dial(t, s, older, none)
	call := func() string {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.call("remove", removes)), &m))
		delete(m, "_meta")
		data, err := json.Marshal(m)
		require.NoError(t, err)
		return string(data)
	}
	assert.JSONEq(t, `{"content":[{"type":"text","text":"Done."}]}`, call())
	out = removed{2}
	assert.JSONEq(t, `{"content":[{"type":"text","text":"{\"count\":2}"}],"structuredContent":{"count":2}}`, call())
	out = (*removed)(nil)
	assert.JSONEq(t, `{"content":[{"type":"text","text":"Done."}]}`, call())
	out = []int{1}
	assert.JSONEq(t, `{"content":[{"type":"text","text":"[1]"}]}`, call())
	out, res = nil, &mcp.CallToolResult{StructuredContent: map[string]any{"a": 1}}
	assert.JSONEq(t, `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`, call())
	assert.Nil(t, res.Content, "the handler's result is not changed")
	res = &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}
	assert.JSONEq(t, `{"content":[{"type":"text","text":"no"}],"isError":true}`, call())
	fail = errors.New("locked")
	assert.JSONEq(t, `{"content":[{"type":"text","text":"locked"}],"isError":true}`, call())
	fail, res, out = nil, nil, func() {}
	assert.Contains(t, c.call("remove", removes), "can't be encoded as JSON")
	fail = &jsonrpc.Error{Code: -32000, Message: "sign in"}
	assert.Contains(t, c.call("remove", removes), "sign in")
}

// Where nobody knows whether the client shows forms, the model asks the user and calls
// again with the key, which does the work once.
func TestUnknownSupport(t *testing.T) {
	for _, version := range []string{older, modern} {
		var o orders
		s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
		c := dial(t, s, version, unsaid)
		raw := c.call("remove", removes)
		key := keyOf(t, raw)
		assert.Equal(t, "Nothing is done yet. If a form is shown, the user decides in it. If no form is shown, ask the user, and after they agree call remove again with the same arguments and confirm: "+key, decode(t, raw).Content[0].Text)
		assert.Contains(t, c.call("remove", confirming(key), byView), "Nothing is done yet", "a view submits with the other tool")
		assert.Contains(t, c.call("remove", fmt.Sprintf(`{"confirm":%q}`, key)), `"isError":true`, "without arguments")
		assert.Zero(t, o.count())
		for range 2 {
			raw = c.call("remove", confirming(key))
			assert.Equal(t, "Removed 2 orders.", decode(t, raw).Content[0].Text)
			assert.Equal(t, key, keyOf(t, raw))
		}
		assert.Equal(t, 1, o.count())
		assert.JSONEq(t, `{"state":"done","text":"Removed 2 orders.","value":{"count":2}}`, c.submit(key, `{"ids":[1,2]}`))
		assert.Equal(t, 1, o.count())
		assert.Contains(t, c.call("remove", fmt.Sprintf(`{"confirm":%q}`, key)), "Removed 2 orders.", "the outcome needs no arguments")
	}
}

// Where the client shows forms, the model's call with the key does nothing.
func TestModelDoesNotConfirm(t *testing.T) {
	var o orders
	s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
	c := dial(t, s, modern, ui)
	key := c.open()
	raw := c.call("remove", confirming(key))
	assert.Equal(t, key, keyOf(t, raw))
	assert.Contains(t, decode(t, raw).Content[0].Text, "the user has not submitted the form")
	assert.Zero(t, o.count())
	// The client of a connector whose other client has opened the form.
	c.Capabilities = none
	r := decode(t, c.call("remove", confirming(key)))
	assert.Equal(t, "Removed 2 orders.", r.Content[0].Text)
	assert.Len(t, r.Content, 1)
	assert.Equal(t, 1, o.count())
	// What models write for an argument that they leave out.
	for _, empty := range []string{`""`, `null`} {
		assert.Contains(t, c.call("remove", `{"ids":[1],"confirm":`+empty+`}`), "Removed 1 orders.")
	}
}

// A form that is not in the store is gone, and submitting it does nothing.
func TestGone(t *testing.T) {
	var o orders
	s, st := newServer(viewform.Form[removal, removed]{Do: o.remove})
	c := dial(t, s, modern, ui)
	key := c.open()
	st.clear()
	for _, k := range []string{key, "yes", "", "NOSUCHFORM", strings.Repeat("A", 100)} {
		if k != "" {
			assert.Equal(t, `{"state":"gone"}`, c.submit(k, removes), k)
			assert.Equal(t, `{"state":"gone"}`, c.submit(k, ""), k)
			for _, caps := range []string{ui, none} {
				c.Capabilities = caps
				raw := c.call("remove", confirming(k))
				assert.Contains(t, raw, "call remove without confirm")
				assert.NotContains(t, raw, "isError")
			}
		}
	}
	assert.Zero(t, o.count())
	assert.Empty(t, st.docs)
}

// The forms of another tool and of another user do not exist, and what else is in the
// store is not a form.
func TestForeignForms(t *testing.T) {
	for _, version := range []string{older, modern} {
		var o orders
		s, st := newServer(viewform.Form[removal, removed]{Do: o.remove})
		viewform.Register(s, &mcp.Tool{Name: "purge"}, view(), viewform.Form[removal, removed]{Do: o.remove, Store: st})
		h := streamable(s, true)
		ann, bob := dialHTTP(t, h, "ann", version, ui), dialHTTP(t, h, "bob", version, ui)
		key := ann.open()
		assert.Equal(t, `{"state":"gone"}`, bob.submit(key, removes))
		assert.Equal(t, `{"state":"gone"}`, bob.submit(key, ""))
		assert.Contains(t, bob.call("remove", confirming(key)), "without confirm")
		assert.Contains(t, ann.call("purge_submit", submission(key, removes)), "gone")
		assert.Zero(t, o.count())
		assert.Contains(t, ann.submit(key, removes), "done")
		assert.Equal(t, `{"state":"gone"}`, bob.submit(key, ""))
		for id := range st.docs {
			assert.NotContains(t, string(id[:]), key)
			assert.NotContains(t, string(st.docs[id].Value), key)
		}
		other := viewstate.New()
		_, err := st.Put(t.Context(), viewstate.KeyFor(t.Context(), &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: "ann"}}}, other), []byte(`{"state":"open"}`), 0)
		require.NoError(t, err)
		assert.Equal(t, `{"state":"gone"}`, ann.submit(other, removes))
		assert.Equal(t, 1, o.count())
	}
}

// What the user submits is validated against the author's schema before anything
// happens.
func TestInvalidArguments(t *testing.T) {
	var o orders
	s, _ := newServer(viewform.Form[removal, removed]{Do: o.remove})
	c := dial(t, s, modern, ui)
	key := c.open()
	for arguments, want := range map[string]string{
		`{}`:                                    "confirm is missing",
		`{"confirm":""}`:                        "confirm is missing",
		`{"confirm":7}`:                         "not a string",
		`{"confirm":"K","other":1}`:             "other members",
		`[]`:                                    "",
		submission(key, `null`):                 "values is not an object",
		submission(key, `[]`):                   "values is not an object",
		submission(key, `{}`):                   `ids`,
		submission(key, `{"ids":["a"]}`):        "ids",
		submission(key, `{"ids":[1],"more":1}`): "more",
	} {
		r := c.call("remove_submit", arguments, byView)
		assert.Contains(t, r, want, arguments)
		if want != "" {
			assert.True(t, decode(t, r).IsError, arguments)
		}
	}
	for arguments, want := range map[string]string{
		`{}`:                       "ids",
		`{"ids":1}`:                "ids",
		`{"ids":[1],"confirm":1}`:  "not a string",
		`{"ids":[1],"Confirm":""}`: "Confirm",
	} {
		r := c.call("remove", arguments)
		assert.True(t, decode(t, r).IsError, arguments)
		assert.Contains(t, r, want, arguments)
	}
	assert.Equal(t, `{"state":"open"}`, c.submit(key, ""))
	assert.Zero(t, o.count())
	// A view that opens again gets the key among the arguments.
	assert.Contains(t, c.submit(key, confirming(key)), "done")
	assert.Equal(t, []removal{{IDs: []int{1, 2}}}, o.done)
}

// Do gets the request as if the tool had been called with what was submitted.
func TestRequestOfDo(t *testing.T) {
	var got []string
	f := viewform.Form[removal, removed]{Do: func(_ context.Context, req *mcp.CallToolRequest, in removal) (*mcp.CallToolResult, removed, error) {
		got = append(got, fmt.Sprintf("%s %s %v", req.Params.Name, req.Params.Arguments, viewform.CalledByView(req)))
		return nil, removed{1}, nil
	}}
	s, _ := newServer(f)
	c := dial(t, s, modern, ui)
	assert.Equal(t, `{"state":"done","value":{"count":1}}`, c.submit(c.open(), `{"reason":"old","ids":[3]}`))
	c.call("remove_submit", submission(c.open(), `{"ids":[4]}`))
	c.Capabilities = none
	c.call("remove", `{"ids":[5],"confirm":null}`)
	assert.Equal(t, []string{`remove {"ids":[3],"reason":"old"} true`, `remove {"ids":[4]} false`, `remove {"ids":[5]} false`}, got)
}

// Requests that no client can send cause no panic.
func TestCalledByView(t *testing.T) {
	assert.False(t, viewform.CalledByView(nil))
	assert.False(t, viewform.CalledByView(&mcp.CallToolRequest{}))
	for _, v := range []any{nil, "", "model", 1, map[string]any{}, []any{"app"}} {
		assert.False(t, viewform.CalledByView(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{"mcpapps/caller": v}}}), v)
	}
	assert.True(t, viewform.CalledByView(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{"mcpapps/caller": "app"}}}))
}
