package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func backend(t testing.TB, name string) Backend {
	t.Helper()
	b, err := New(name)
	require.NoError(t, err)
	return b
}

func mapped(b Backend, r *mcp.CallToolResult) *mcp.CallToolResult {
	r, _ = b.MapCallResult(r)
	return r
}

func valid(uri string) bool { return mcpapps.ToolUIMetadata{ResourceURI: uri}.Validate() == nil }

func TestNew(t *testing.T) {
	for _, name := range []string{"b", "B2", "0", "weather-eu_1.example"} {
		assert.Equal(t, name, backend(t, name).String())
	}
	for _, name := range []string{"", "a/b", ".", "..", "-a", "_a", "a b", "a?", "a#", "a%20b", "ü", "a:1", "a@b", "{a}"} {
		_, err := New(name)
		assert.Error(t, err, "%q", name)
	}
}

func TestNameAndStrip(t *testing.T) {
	b := backend(t, "b")
	for uri, want := range map[string]string{
		"ui://prefab/tool/r.html": "ui://b/prefab/tool/r.html",
		"ui://x":                  "ui://b/x",
		"ui://b/x":                "ui://b/b/x", // not b's yet
		"ui://b":                  "ui://b/b",
		"ui:///x":                 "ui://b//x",
		"ui://x?v=2":              "ui://b/x?v=2",
		"ui://[::1]:80/x":         "ui://b/[::1]:80/x",
	} {
		require.True(t, valid(uri), uri)
		assert.Equal(t, want, b.Name(uri))
		assert.True(t, valid(want), want)
		back, ok := b.Strip(want)
		assert.True(t, ok)
		assert.Equal(t, uri, back)
	}
	for _, uri := range []string{"", "https://b/x", "file:///b/x", "UI://b/x"} {
		assert.Equal(t, uri, b.Name(uri), "another scheme is not renamed")
	}
	for _, uri := range []string{"", "https://b/x", "ui://b", "ui://b/", "ui://c/x", "ui://B/x", "ui://bb/x", "ui://", "ui:///x"} {
		_, ok := b.Strip(uri)
		assert.False(t, ok, uri)
	}
	var none Backend
	assert.Equal(t, "ui://x", none.Name("ui://x"))
	back, ok := none.Strip("ui://x")
	assert.True(t, ok)
	assert.Equal(t, "ui://x", back)
}

// FuzzName: Strip undoes Name, whose result is a valid URI and belongs to no other
// backend.
func FuzzName(f *testing.F) {
	for _, uri := range []string{"ui://x", "ui://b/x", "ui://b/b/x", "ui://b", "ui:///", "ui:////x", "ui://a%C3%A4/%2F", "ui://[::1]/x", "ui://u:p@h:1/x?y=ui://b/z", "ui://?q", "ui://{id}/x", "https://b/x"} {
		f.Add("b", "c", uri)
		f.Add("b", "b.c", uri)
	}
	f.Fuzz(func(t *testing.T, first, second, uri string) {
		b, err := New(first)
		c, err2 := New(second)
		if err != nil || err2 != nil || !valid(uri) {
			return
		}
		named := b.Name(uri)
		if !valid(named) {
			t.Errorf("%q became %q, which is not valid", uri, named)
		}
		if back, ok := b.Strip(named); !ok || back != uri {
			t.Errorf("%q came back as %q, %v", uri, back, ok)
		}
		if twice := b.Name(named); twice == named {
			t.Errorf("%q is not renamed again", named)
		} else if back, _ := b.Strip(twice); back != named {
			t.Errorf("%q came back as %q", twice, back)
		}
		if name, back, ok := Split(named); !ok || name != first || back != uri {
			t.Errorf("Split(%q) is %q, %q, %v", named, name, back, ok)
		}
		if first != second {
			if _, ok := c.Strip(named); ok {
				t.Errorf("%q belongs to %q and to %q", named, first, second)
			}
		}
	})
}

// Values before and after renaming, as JSON.
func TestRenaming(t *testing.T) {
	b := backend(t, "b")
	check := func(name, before, after string, v any, rename func() any) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(before), v), name)
		was, err := json.Marshal(v)
		require.NoError(t, err)
		got, err := json.Marshal(rename())
		require.NoError(t, err)
		var want, have any
		require.NoError(t, json.Unmarshal([]byte(after), &want))
		require.NoError(t, json.Unmarshal(got, &have))
		assert.Equal(t, want, have, name)
		still, err := json.Marshal(v)
		require.NoError(t, err)
		assert.Equal(t, string(was), string(still), "%s: the original is not changed", name)
	}
	var tool mcp.Tool
	check("tool",
		`{"name":"get-time","title":"T","description":"D","inputSchema":{"type":"object"},"icons":[{"src":"https://i"}],"_meta":{"ui":{"resourceUri":"ui://x","visibility":["app"],"later":1},"ui/resourceUri":"ui://x","ui.resourceUri":"ui://x","openai/outputTemplate":"ui://o","vendor":{"uri":"ui://v"}}}`,
		`{"name":"get-time","title":"T","description":"D","inputSchema":{"type":"object"},"icons":[{"src":"https://i"}],"_meta":{"ui":{"resourceUri":"ui://b/x","visibility":["app"],"later":1},"ui/resourceUri":"ui://b/x","ui.resourceUri":"ui://b/x","openai/outputTemplate":"ui://b/o","vendor":{"uri":"ui://v"}}}`,
		&tool, func() any { return b.Tool(&tool) })
	tool = mcp.Tool{}
	check("odd metadata",
		`{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":"ui://x","ui/resourceUri":7,"openai/outputTemplate":"https://o"}}`,
		`{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":"ui://x","ui/resourceUri":7,"openai/outputTemplate":"https://o"}}`,
		&tool, func() any { return b.Tool(&tool) })
	var resource mcp.Resource
	check("resource",
		`{"name":"r","uri":"ui://x","mimeType":"text/html;profile=mcp-app","size":3,"_meta":{"ui":{"csp":{"connectDomains":["https://a"]}}}}`,
		`{"name":"r","uri":"ui://b/x","mimeType":"text/html;profile=mcp-app","size":3,"_meta":{"ui":{"csp":{"connectDomains":["https://a"]}}}}`,
		&resource, func() any { return b.Resource(&resource) })
	var file mcp.Resource
	check("file", `{"name":"r","uri":"file:///x"}`, `{"name":"r","uri":"file:///x"}`, &file, func() any { return b.Resource(&file) })
	var template mcp.ResourceTemplate
	check("template",
		`{"name":"r","uriTemplate":"ui://{deck}/view{?q}"}`, `{"name":"r","uriTemplate":"ui://b/{deck}/view{?q}"}`,
		&template, func() any { return b.ResourceTemplate(&template) })
	var read mcp.ReadResourceResult
	check("read result",
		`{"_meta":{"v":1},"ttlMs":5,"cacheScope":"private","contents":[{"uri":"ui://x","mimeType":"text/html;profile=mcp-app","text":"ui://x","_meta":{"ui":{"domain":"d"}}},null,{"uri":"file:///y","blob":"eA=="}]}`,
		`{"_meta":{"v":1},"ttlMs":5,"cacheScope":"private","contents":[{"uri":"ui://b/x","mimeType":"text/html;profile=mcp-app","text":"ui://x","_meta":{"ui":{"domain":"d"}}},null,{"uri":"file:///y","blob":"eA=="}]}`,
		&read, func() any { return b.ReadResult(&read) })
	var call mcp.CallToolResult
	check("call result",
		`{"_meta":{"ui":{"resourceUri":"ui://x"},"ui/resourceUri":"ui://x"},"isError":true,"structuredContent":{"uri":"ui://x"},"content":[{"type":"text","text":"ui://x"},{"type":"resource_link","uri":"ui://x","name":"n"},{"type":"resource_link","uri":"https://x","name":"n"},{"type":"resource","resource":{"uri":"ui://x","text":"<p>"}}]}`,
		`{"_meta":{"ui":{"resourceUri":"ui://b/x"},"ui/resourceUri":"ui://b/x"},"isError":true,"structuredContent":{"uri":"ui://x"},"content":[{"type":"text","text":"ui://x"},{"type":"resource_link","uri":"ui://b/x","name":"n"},{"type":"resource_link","uri":"https://x","name":"n"},{"type":"resource","resource":{"uri":"ui://b/x","text":"<p>"}}]}`,
		&call, func() any { return mapped(b, &call) })

	const meta = `"_meta":{"ui":{"resourceUri":"ui://%[1]sx"},"ui/resourceUri":"ui://%[1]sx"}`
	blocks := `{"content":[
		{"type":"text","text":"ui://x",` + meta + `},
		{"type":"image","data":"eA==","mimeType":"image/png",` + meta + `},
		{"type":"audio","data":"eA==","mimeType":"audio/ogg",` + meta + `},
		{"type":"resource_link","uri":"ui://%[1]sx","name":"n",` + meta + `},
		{"type":"resource","resource":{"uri":"ui://%[1]sx","text":"<p>",` + meta + `},` + meta + `}]}`
	call = mcp.CallToolResult{}
	check("metadata of each block", fmt.Sprintf(blocks, ""), fmt.Sprintf(blocks, "b/"), &call, func() any { return mapped(b, &call) })
	sampled := `{"role":"user","content":[
		{"type":"tool_use","id":"1","name":"t","input":{"uri":"ui://x"},` + meta + `},
		{"type":"tool_result","toolUseId":"1","structuredContent":{"uri":"ui://x"},` + meta + `,"content":[{"type":"resource_link","uri":"ui://%[1]sx","name":"n"},{"type":"resource","resource":{"uri":"ui://%[1]sx","text":"<p>"}}]}]}`
	//lint:ignore SA1019 deprecated, and still on the wire of older versions
	var message mcp.SamplingMessageV2
	check("sampling message", fmt.Sprintf(sampled, ""), fmt.Sprintf(sampled, "b/"), &message, func() any {
		out := message
		out.Content = nil
		for _, c := range message.Content {
			out.Content = append(out.Content, b.Content(c))
		}
		return &out
	})

	typed := b.Tool(&mcp.Tool{Meta: mcp.Meta{"ui": mcpapps.ToolUIMetadata{ResourceURI: "ui://x"}}})
	assert.Equal(t, map[string]any{"resourceUri": "ui://b/x"}, typed.Meta["ui"])

	assert.Nil(t, b.Tool(nil))
	assert.Nil(t, b.Resource(nil))
	assert.Nil(t, b.ResourceTemplate(nil))
	assert.Nil(t, b.ReadResult(nil))
	assert.Nil(t, mapped(b, nil))
	//lint:ignore SA1019 deprecated, and still on the wire of older versions
	for _, c := range []mcp.Content{nil, (*mcp.TextContent)(nil), (*mcp.ImageContent)(nil), (*mcp.AudioContent)(nil), (*mcp.ToolUseContent)(nil), (*mcp.ToolResultContent)(nil), (*mcp.ResourceLink)(nil), (*mcp.EmbeddedResource)(nil), &mcp.TextContent{}, &mcp.EmbeddedResource{}} {
		assert.NotPanics(t, func() { b.Content(c) })
	}
	assert.Nil(t, b.Tool(&mcp.Tool{}).Meta)
	assert.Nil(t, mapped(b, &mcp.CallToolResult{}).Content)
}

// A result that names no ui:// URI is returned itself; one that does, is copied.
func TestMapCallResultReportsChanges(t *testing.T) {
	b := backend(t, "b")
	const link = `{"type":"resource_link","uri":"https://x","name":"n"}`
	for name, c := range map[string]struct{ before, after string }{
		"empty":            {`{"content":[]}`, ""},
		"no content":       {`{"content":null}`, ""},
		"text":             {`{"_meta":{"v":{"resourceUri":"ui://x"}},"content":[{"type":"text","text":"ui://x","_meta":{"v":1}},` + link + `],"structuredContent":{"uri":"ui://x"},"isError":true}`, ""},
		"another's URI":    {`{"_meta":{"ui":{"resourceUri":"https://x"},"ui/resourceUri":"https://x"},"content":[{"type":"resource","resource":{"uri":"file:///x","text":"t","_meta":{"ui":{}}}}]}`, ""},
		"ui of a bad type": {`{"_meta":{"ui":"ui://x","ui/resourceUri":7},"content":[]}`, ""},
		"the result's view": {`{"_meta":{"ui":{"resourceUri":"ui://x","v":1},"ui/resourceUri":"ui://x"},"content":[]}`,
			`{"_meta":{"ui":{"resourceUri":"ui://b/x","v":1},"ui/resourceUri":"ui://b/x"},"content":[]}`},
		"its flat key alone": {`{"_meta":{"ui/resourceUri":"ui://x"},"content":[]}`, `{"_meta":{"ui/resourceUri":"ui://b/x"},"content":[]}`},
		"one block of two": {`{"_meta":{"v":1},"content":[` + link + `,{"type":"resource_link","uri":"ui://x","name":"n"}]}`,
			`{"_meta":{"v":1},"content":[` + link + `,{"type":"resource_link","uri":"ui://b/x","name":"n"}]}`},
		"an embedded resource": {`{"content":[{"type":"resource","resource":{"uri":"ui://x","text":"t"}}]}`,
			`{"content":[{"type":"resource","resource":{"uri":"ui://b/x","text":"t"}}]}`},
	} {
		var r mcp.CallToolResult
		require.NoError(t, json.Unmarshal([]byte(c.before), &r), name)
		was, err := json.Marshal(&r)
		require.NoError(t, err)
		got, changed := b.MapCallResult(&r)
		assert.Equal(t, c.after != "", changed, name)
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		if c.after == "" {
			assert.Same(t, &r, got, name)
		} else {
			assert.NotSame(t, &r, got, name)
			assert.JSONEq(t, c.after, string(raw), name)
			// The SDK writes into the _meta of what a handler returns.
			if got.Meta != nil {
				got.Meta["written"] = true
			}
		}
		still, err := json.Marshal(&r)
		require.NoError(t, err)
		assert.Equal(t, string(was), string(still), "%s: the original is not changed", name)
	}
	var none Backend
	r := &mcp.CallToolResult{Meta: mcp.Meta{"ui/resourceUri": "ui://x"}}
	got, changed := none.MapCallResult(r)
	assert.False(t, changed)
	assert.Same(t, r, got)
	got, changed = b.MapCallResult(nil)
	assert.False(t, changed)
	assert.Nil(t, got)
}

// A host reads the apps of both backends through a gateway, by the URIs in its list.
func TestThroughAGateway(t *testing.T) {
	front := mcp.NewServer(&mcp.Implementation{Name: "gateway", Version: "1"}, nil)
	upstream := map[string]*mcp.ClientSession{}
	for _, name := range []string{"maps", "weather"} {
		server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "show", InputSchema: map[string]any{"type": "object"}, Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://view.html"}}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
		server.AddResource(&mcp.Resource{Name: "view", URI: "ui://view.html", MIMEType: mcpapps.MIMEType}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "ui://view.html", MIMEType: mcpapps.MIMEType, Text: "<p>" + name}}}, nil
		})
		cs := connect(t, server)
		upstream[name] = cs
		b := backend(t, name)
		for tool, err := range cs.Tools(t.Context(), nil) {
			require.NoError(t, err)
			tool = b.Tool(tool)
			tool.Name = name + "__" + tool.Name
			front.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
		}
		for resource, err := range cs.Resources(t.Context(), nil) {
			require.NoError(t, err)
			front.AddResource(b.Resource(resource), func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				name, uri, ok := Split(req.Params.URI)
				if !ok {
					return nil, mcp.ResourceNotFoundError(req.Params.URI)
				}
				res, err := upstream[name].ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
				return backend(t, name).ReadResult(res), err
			})
		}
	}
	cs := connect(t, front)
	var docs []string
	tools, err := appclient.ListToolsForModel(t.Context(), cs, nil)
	require.NoError(t, err)
	for _, tool := range tools {
		m, err := mcpapps.ToolUI(tool)
		require.NoError(t, err)
		app, err := appclient.ReadApp(t.Context(), cs, m.ResourceURI, nil)
		require.NoError(t, err)
		docs = append(docs, tool.Name+" "+app.URI+" "+app.HTML)
	}
	assert.Equal(t, []string{"maps__show ui://maps/view.html <p>maps", "weather__show ui://weather/view.html <p>weather"}, docs)
}

func connect(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	ct, st := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	return cs
}

func TestExtensions(t *testing.T) {
	for name, c := range map[string]struct {
		sets []string
		want string
	}{
		"none":         {[]string{`{}`, `null`}, `null`},
		"null is {}":   {[]string{`{"a/x":null}`}, `{"a/x":{}}`},
		"true is {}":   {[]string{`{"a/x":true}`, `{"a/x":{"y":1}}`}, `{"a/x":{"y":1}}`},
		"side by side": {[]string{`{"a/x":{}}`, `{"b/y":{"z":[2,1]}}`}, `{"a/x":{},"b/y":{"z":[1,2]}}`},
		"media types": {[]string{`{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}`, `{"io.modelcontextprotocol/ui":{}}`, `{"io.modelcontextprotocol/ui":{"mimeTypes":["text/a","text/html;profile=mcp-app"]}}`},
			`{"io.modelcontextprotocol/ui":{"mimeTypes":["text/a","text/html;profile=mcp-app"]}}`},
		"settings": {[]string{`{"a/x":{"on":false,"n":1,"s":"b","o":{"p":{}},"k":[]}}`, `{"a/x":{"on":true,"n":2,"s":"a","o":{"q":null},"k":"v"}}`}, `{"a/x":{"on":true,"n":2,"s":"b","o":{"p":{},"q":null},"k":[]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var sets []map[string]any
			for _, raw := range c.sets {
				var set map[string]any
				require.NoError(t, json.Unmarshal([]byte(raw), &set))
				sets = append(sets, set)
			}
			got, err := json.Marshal(Extensions(sets...))
			require.NoError(t, err)
			assert.JSONEq(t, c.want, string(got))
		})
	}
	assert.Equal(t, map[string]any{"a/x": map[string]any{}}, Extensions(map[string]any{"a/x": func() {}}), "what can't be sent is {}")
	assert.Equal(t, map[string]any{"a/x": map[string]any{"m": []any{"t"}}}, Extensions(map[string]any{"a/x": map[string]any{"m": []string{"t"}}}), "typed settings")
}

// The union is the same in any order and grouping, is not changed by adding an
// argument again, and does not change its arguments.
func TestExtensionsInAnyOrder(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sets := make([]map[string]any, 1+rng.IntN(5))
		for i := range sets {
			sets[i] = map[string]any{}
			for range rng.IntN(4) {
				sets[i][string(rune('a'+rng.IntN(3)))+"/x"] = randomJSON(rng, 3)
			}
		}
		before, err := json.Marshal(sets)
		require.NoError(t, err)
		want := Extensions(sets...)
		for range 5 {
			shuffled := slices.Clone(sets)
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			require.Equal(t, want, Extensions(shuffled...), "seed %d", seed)
			cut := rng.IntN(len(sets) + 1)
			require.Equal(t, want, Extensions(Extensions(shuffled[:cut]...), Extensions(shuffled[cut:]...)), "seed %d", seed)
		}
		require.Equal(t, want, Extensions(append(sets, want)...), "seed %d", seed)
		after, err := json.Marshal(sets)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after))
	}
}

// The cost of a union grows with the settings' size, not with size times depth.
func TestExtensionsOfDeepSettings(t *testing.T) {
	const depth, size = 900, 1 << 20 // the SDK decodes to a depth of 1,000
	raw := `{"a/x":{"k":` + strings.Repeat(`[0,`, depth) + `"` + strings.Repeat("x", size) + `"` + strings.Repeat(`]`, depth) + `}}`
	var set map[string]any
	require.NoError(t, json.Unmarshal([]byte(raw), &set))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := Extensions(set)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(50*size))
	assert.Equal(t, got, Extensions(set, got))
}

// What one backend declares is not examined once more for each other backend.
func TestExtensionsWithOneLargeList(t *testing.T) {
	const size = 10_000
	large := make([]any, size)
	for i := range large {
		large[i] = []any{float64(i)}
	}
	sets := []map[string]any{{"a/x": map[string]any{"k": large}}}
	for i := range 100 {
		sets = append(sets, map[string]any{"a/x": map[string]any{"k": []any{strings.Repeat("x", i)}}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := Extensions(sets...)
	runtime.ReadMemStats(&after)
	assert.Len(t, got["a/x"].(map[string]any)["k"], size+100)
	assert.Less(t, after.Mallocs-before.Mallocs, uint64(50*size))
}

func randomJSON(rng *rand.Rand, depth int) any {
	n := 7
	if depth == 0 {
		n = 4
	}
	switch rng.IntN(n) {
	case 0:
		return nil
	case 1:
		return rng.IntN(2) == 0
	case 2:
		return float64(rng.IntN(3))
	case 3:
		return strings.Repeat("s", rng.IntN(3))
	case 4:
		list := make([]any, rng.IntN(4))
		for i := range list {
			list[i] = randomJSON(rng, depth-1)
		}
		return list
	default:
		obj := map[string]any{}
		for range rng.IntN(4) {
			obj[string(rune('a'+rng.IntN(4)))] = randomJSON(rng, depth-1)
		}
		return obj
	}
}

// Split accepts only what Name returns, for names that New accepts.
func TestSplitRefusesWhatNewRefuses(t *testing.T) {
	for _, uri := range []string{"ui://-maps/view.html", "ui://.maps/view.html", "ui://ma ps/view.html", "ui://ma%20ps/view.html", "ui:///view.html", "ui://maps", "ui://maps/", "https://maps/view.html", ""} {
		_, _, ok := Split(uri)
		assert.False(t, ok, uri)
	}
}

// Each input that a backend controls costs time in proportion to its size. The
// limits are ten times and more what is normal; quadratic costs are a hundred times.
func TestHostileSizes(t *testing.T) {
	b, err := New("maps")
	require.NoError(t, err)
	bounded := func(name string, f func()) {
		t.Helper()
		before := cputime.Used()
		f()
		assert.Less(t, cputime.Used()-before, 5*time.Second, name)
	}
	nested := func(n int, leaf string) map[string]any {
		raw := `{"a/x":` + strings.Repeat(`{"k":`, n) + leaf + strings.Repeat(`}`, n) + `}`
		var set map[string]any
		require.NoError(t, json.Unmarshal([]byte(raw), &set))
		return set
	}
	// As deep as encoding/json decodes, and with something to copy at each depth.
	const deep = 2000
	wide := `"` + strings.Repeat("x", 1000) + `"`
	bounded("nested objects of two backends", func() { Extensions(nested(deep, "1"), nested(deep, wide)) })
	fat := `{"a/x":` + strings.Repeat(`{"l":[3,2,1,{"m":"n"}],"k":`, deep) + "1" + strings.Repeat(`}`, deep) + `}`
	var first, second map[string]any
	require.NoError(t, json.Unmarshal([]byte(fat), &first))
	require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(fat, "[3,", "[4,")), &second))
	bounded("objects with lists", func() { Extensions(first, second, first, second) })
	var keys []map[string]any
	for i := range 50 {
		set := map[string]any{}
		for j := range 500 {
			set[fmt.Sprintf("a/%d-%d", i, j)] = map[string]any{"k": j}
		}
		keys = append(keys, set)
	}
	bounded("many backends with many extensions", func() { assert.Len(t, Extensions(keys...), 25_000) })
	list := make([]any, 20_000)
	for i := range list {
		list[i] = map[string]any{"k": i % 10_000, "l": "x"}
	}
	bounded("a long list", func() {
		Extensions(map[string]any{"a/x": map[string]any{"l": list}}, map[string]any{"a/x": map[string]any{"l": list}})
	})

	long := "ui://" + strings.Repeat("/x", 1<<20)
	bounded("a long URI", func() {
		renamed := b.Name(long)
		original, ok := b.Strip(renamed)
		assert.True(t, ok && original == long)
		_, _, _ = Split(long[:len(long)-1])
		_, _ = New(strings.Repeat("x", 1<<20))
		b.Resource(&mcp.Resource{URI: long})
		b.ResourceTemplate(&mcp.ResourceTemplate{URITemplate: "ui://" + strings.Repeat("{x}", 1<<20)})
	})
	big := mcp.Meta{"ui.resourceUri": long}
	for i := range 20_000 {
		big[fmt.Sprint(i)] = i
	}
	bounded("a large _meta", func() { b.Tool(&mcp.Tool{Name: "t", Meta: big}) })
	blocks := make([]mcp.Content, 20_000)
	items := make([]*mcp.ResourceContents, len(blocks))
	for i := range blocks {
		blocks[i] = &mcp.ResourceLink{URI: "ui://x"}
		items[i] = &mcp.ResourceContents{URI: "ui://x"}
	}
	requests := mcp.InputRequestMap{}
	for i := range 10_000 {
		requests[fmt.Sprint(i)] = &mcp.ElicitParams{}
	}
	bounded("many blocks, items and requests", func() {
		b.MapCallResult(&mcp.CallToolResult{Content: blocks, InputRequests: requests})
		b.ReadResult(&mcp.ReadResourceResult{Contents: items, InputRequests: requests})
	})
	var within mcp.Content = &mcp.TextContent{Text: "x", Meta: mcp.Meta{"ui/resourceUri": "ui://x"}}
	for range 10_000 {
		//lint:ignore SA1019 deprecated, and still on the wire
		within = &mcp.ToolResultContent{Content: []mcp.Content{within}}
	}
	bounded("tool results in tool results", func() { b.Content(within) })
}
