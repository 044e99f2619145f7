package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
)

// exampleURI is the app of the server that examples are patches of.
const exampleURI = "ui://example/view.html"

// fake is a server made of JSON: the one in testdata/server.json and patches of
// it, each applied to what the one before left.
type fake struct {
	t       testing.TB
	patches []map[string]any
}

// newFake takes patches, in which "ui" and "document" are short for the _meta.ui
// and the text of the server's app, the former in the list too.
func newFake(t testing.TB, patches ...string) *fake {
	f := &fake{t: t}
	for _, text := range patches {
		var patch map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &patch), text)
		item := map[string]any{}
		if ui, ok := patch["ui"]; ok {
			item["_meta"] = map[string]any{"ui": ui}
			f.patches = append(f.patches, map[string]any{"resources": map[string]any{exampleURI: maps.Clone(item)}})
		}
		if doc, ok := patch["document"]; ok {
			item["text"] = doc
		}
		if len(item) > 0 {
			f.patches = append(f.patches, map[string]any{"documents": map[string]any{exampleURI: item}})
		}
		f.patches = append(f.patches, patch)
	}
	return f
}

func (f *fake) connect(context.Context) (rpc.Conn, error) {
	raw, err := os.ReadFile("testdata/server.json")
	require.NoError(f.t, err)
	var base map[string]any
	require.NoError(f.t, json.Unmarshal(raw, &base))
	w := &fakeWire{server: base}
	for _, patch := range f.patches {
		w.patch(patch)
		for _, key := range []string{"versions", "withoutUI", "answers"} { // with nulls to keep
			if p, ok := patch[key]; ok {
				w.server[key] = p
			}
		}
	}
	return w, nil
}

// checkFake checks the server, in one version of each generation or in all.
func checkFake(t testing.TB, opts *Options, allVersions bool, f *fake) *Report {
	t.Helper()
	o, err := opts.withDefaults()
	require.NoError(t, err)
	r, err := run(t.Context(), &o, &dialer{connect: f.connect, local: true, allVersions: allVersions})
	require.NoError(t, err)
	return r
}

// merge applies an RFC 7396 merge patch.
func merge(to, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	obj, _ := to.(map[string]any)
	obj = maps.Clone(obj)
	if obj == nil {
		obj = make(map[string]any)
	}
	for k, v := range p {
		if v == nil {
			delete(obj, k)
		} else {
			obj[k] = merge(obj[k], v)
		}
	}
	return obj
}

type fakeWire struct{ server map[string]any }

func (w *fakeWire) object(key string) map[string]any {
	m, _ := w.server[key].(map[string]any)
	return m
}

func (w *fakeWire) values(key string) []any {
	list := []any{}
	m := w.object(key)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[k])
	}
	return list
}

func (w *fakeWire) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if meta, ok := params["_meta"].(map[string]any); ok {
		w.as(meta["io.modelcontextprotocol/protocolVersion"], meta["io.modelcontextprotocol/clientCapabilities"])
	}
	var res any
	switch method {
	case "initialize":
		w.as(params["protocolVersion"], params["capabilities"])
		res = map[string]any{"protocolVersion": params["protocolVersion"], "capabilities": w.server["capabilities"], "serverInfo": map[string]any{"name": "example", "version": "1"}}
	case "server/discover":
		res = map[string]any{"supportedVersions": []string{rpc.NewestVersion}, "capabilities": w.server["capabilities"]}
	case "ping":
		res = map[string]any{}
	case "tools/list":
		more, _ := w.server["extraTools"].([]any)
		page := map[string]any{"tools": append(w.values("tools"), more...), "nextCursor": w.server["nextCursor"]}
		switch at, _ := params["cursor"].(string); w.server["nextCursor"] {
		case nil:
			delete(page, "nextCursor")
		case "$new":
			page["nextCursor"] = at + "."
		case "$pages":
			if page["nextCursor"] = at + "."; at != "" {
				page["tools"] = []any{}
			}
			if at == ".." {
				delete(page, "nextCursor")
			}
		}
		res = page
	case "resources/list":
		res = map[string]any{"resources": w.values("resources")}
	case "resources/read":
		item := w.object("documents")[params["uri"].(string)]
		if item == nil {
			return nil, &jsonrpc.Error{Code: -32002, Message: "Resource not found"}
		}
		item = merge(item, map[string]any{})
		if n, ok := w.server["padTo"].(float64); ok {
			text := item.(map[string]any)["text"].(string)
			item.(map[string]any)["text"] = text + strings.Repeat(" ", max(int(n)-len(text), 0))
		}
		more, _ := w.server["extraContents"].([]any)
		read := map[string]any{"contents": append([]any{item}, more...)}
		if meta, ok := w.server["readMeta"]; ok {
			read["_meta"] = meta
		}
		res = read
	case "tools/call":
		res = w.object("results")[params["name"].(string)]
		if res == nil {
			res = map[string]any{"content": []any{map[string]any{"type": "text", "text": "done"}}}
		}
		if n, ok := w.server["padResultTo"].(float64); ok {
			res = map[string]any{"content": []any{map[string]any{"type": "text", "text": strings.Repeat("x", int(n))}}}
		}
	}
	if a, ok := w.object("answers")[method]; ok {
		res = a
		a, _ := a.(map[string]any)
		switch {
		case a["$error"] != nil:
			e := a["$error"].(map[string]any)
			return nil, &jsonrpc.Error{Code: int64(e["code"].(float64)), Message: e["message"].(string)}
		case a["$hang"] != nil:
			<-ctx.Done()
			return nil, rpc.ErrTimeout
		case a["$flood"] != nil:
			return nil, rpc.ErrFlood
		case a["$die"] != nil:
			return nil, fmt.Errorf("%w: the server's process ended", rpc.ErrClosed)
		}
	}
	return json.Marshal(res)
}

// as makes the server the one that a client with this version and these
// capabilities sees.
func (w *fakeWire) as(version, capabilities any) {
	v, _ := version.(string)
	w.patch(w.object("versions")[v])
	if caps, _ := capabilities.(map[string]any); caps["extensions"] == nil {
		w.patch(w.server["withoutUI"])
	}
}

func (w *fakeWire) patch(patch any) {
	if patch != nil {
		w.server = merge(w.server, patch).(map[string]any)
	}
}

func (w *fakeWire) Notify(context.Context, string, map[string]any) error { return nil }

func (w *fakeWire) StrayLines() []string {
	var lines []string
	list, _ := w.server["noise"].([]any)
	for _, l := range list {
		lines = append(lines, l.(string))
	}
	return lines
}

func (w *fakeWire) Forgotten() int {
	n, _ := w.server["forgotten"].(float64)
	return int(n)
}

func (w *fakeWire) Close() {}
