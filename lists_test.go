package mcpapps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listAll returns the answers to tools/list of all pages, as they stand on the
// wire.
func listAll(t *testing.T, s *mcp.Server) []string {
	t.Helper()
	w, c := dialMemory(t, s), wireClient{modern, true}
	var pages []string
	cursor := ""
	for id := 1; ; id++ {
		params := ""
		if cursor != "" {
			params = fmt.Sprintf(`"cursor":%q`, cursor)
		}
		page := w.exchange(t, c, c.line(id, message{"", "tools/list", params}))
		pages = append(pages, page)
		var msg struct{ Result mcp.ListToolsResult }
		require.NoError(t, json.Unmarshal([]byte(page), &msg))
		if cursor = msg.Result.NextCursor; cursor == "" {
			return pages
		}
	}
}

// TestListSameBytes does the same to a server of the bare SDK and to one of
// this package, which encodes schemas once, and lists both before and after.
func TestListSameBytes(t *testing.T) {
	copying := func(next mcp.MethodHandler) mcp.MethodHandler { // each time another *Tool
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.ListToolsResult); ok {
				c := *r
				c.Tools = nil
				for _, t := range r.Tools {
					tt := *t
					tt.Description += " Copied."
					c.Tools = append(c.Tools, &tt)
				}
				return &c, err
			}
			return res, err
		}
	}
	reusing := func() mcp.Middleware { // the same *Tool for another tool
		var mu sync.Mutex
		var pool []*mcp.Tool
		calls := 0
		return func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				res, err := next(ctx, method, req)
				if r, ok := res.(*mcp.ListToolsResult); ok {
					mu.Lock()
					defer mu.Unlock()
					calls++
					for len(pool) < len(r.Tools) {
						pool = append(pool, new(mcp.Tool))
					}
					c := *r
					c.Tools = slices.Clone(pool[:len(r.Tools)])
					for i := range c.Tools {
						*c.Tools[i] = *r.Tools[(i+calls)%len(r.Tools)]
					}
					return &c, err
				}
				return res, err
			}
		}
	}
	outer := func(next mcp.MethodHandler) mcp.MethodHandler { // sees our result and changes it
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.ListToolsResult); ok {
				slices.Reverse(r.Tools)
				for _, t := range r.Tools {
					t.Title = strings.ToUpper(t.Name)
					t.InputSchema = map[string]any{"type": "object", "x": t.InputSchema}
				}
			}
			return res, err
		}
	}
	other := func(context.Context, *mcp.CallToolRequest, searchFilter) (*mcp.CallToolResult, []searchHit, error) {
		return nil, nil, nil
	}
	cache := mcp.NewSchemaCache()
	tests := []struct {
		name   string
		opts   mcp.ServerOptions
		before func(s *mcp.Server) // before any registration
		change func(s *mcp.Server) // between two lists
	}{
		{name: "nothing"},
		{name: "removal", change: func(s *mcp.Server) { s.RemoveTools(costTool(0).Name, costTool(7).Name) }},
		{name: "addition", change: func(s *mcp.Server) { mcp.AddTool(s, costTool(30), other) }},
		{name: "replacement", change: func(s *mcp.Server) { mcp.AddTool(s, costTool(3), other) }},
		{name: "replacement by a map", change: func(s *mcp.Server) {
			t := costTool(3)
			t.InputSchema = map[string]any{"type": "object", "title": "<&>\u2028"}
			mcp.AddTool(s, t, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
		}},
		{name: "replacement by a raw tool", change: func(s *mcp.Server) {
			t := costTool(3)
			t.InputSchema = json.RawMessage(`{ "type" : "object", "title":"<\u0026>" }`)
			s.AddTool(t, nil)
		}},
		{name: "characters that JSON may escape", change: func(s *mcp.Server) {
			t := costTool(3)
			t.InputSchema = &jsonschema.Schema{
				Type: "object", Description: "<b>&amp;</b> \u2028 \u2029 \x00 \x7f é \U0001f600 \"\\\xff",
				Properties:    map[string]*jsonschema.Schema{"<p>": {Const: jsonschema.Ptr[any]("&")}, "a b": {Default: json.RawMessage(`"<\u003c"`)}},
				PropertyOrder: []string{"<p>", "a b"},
				Extra:         map[string]any{"x-<": []any{"&", 1.5, nil}},
			}
			s.AddTool(t, nil)
		}},
		{name: "pages", opts: mcp.ServerOptions{PageSize: 4}, change: func(s *mcp.Server) { s.RemoveTools(costTool(3).Name) }},
		{name: "a shared SchemaCache", opts: mcp.ServerOptions{SchemaCache: cache}},
		{name: "inner middleware that copies", before: func(s *mcp.Server) { s.AddReceivingMiddleware(copying) }},
		{name: "inner middleware that reuses", before: func(s *mcp.Server) { s.AddReceivingMiddleware(reusing()) },
			change: func(s *mcp.Server) { mcp.AddTool(s, costTool(3), other) }},
		{name: "outer middleware", change: func(s *mcp.Server) { s.AddReceivingMiddleware(outer) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := func(s *mcp.Server, add func(*mcp.Server, int, bool)) (before, after []string) {
				if test.before != nil {
					test.before(s)
				}
				for i := range 8 {
					add(s, i, false)
				}
				before = listAll(t, s)
				if test.change != nil {
					test.change(s)
				}
				return before, listAll(t, s)
			}
			bareBefore, bareAfter := list(bareCost(&test.opts, 0, false), addBare)
			oursBefore, oursAfter := list(oursCost(&test.opts, 0, false), addOurs)
			assert.Equal(t, bareBefore, oursBefore, "before")
			assert.Equal(t, bareAfter, oursAfter, "after")
			if test.change != nil {
				assert.NotEqual(t, bareBefore, bareAfter, "the change can be seen")
			}
		})
	}
}

// TestListSharedSchemaCache lists servers of one SchemaCache at once: they share
// schemas and their encodings, and nothing else.
func TestListSharedSchemaCache(t *testing.T) {
	opts := &mcp.ServerOptions{SchemaCache: mcp.NewSchemaCache()}
	want := listAll(t, bareCost(nil, 3, false))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				assert.Equal(t, want, listAll(t, oursCost(opts, 3, false)))
			}
		})
	}
	wg.Wait()
}
