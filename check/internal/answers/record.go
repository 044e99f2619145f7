package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// A surface is what a server shows to one client: the model that rules judge.
// Entries are kept as they came.
type surface struct {
	hello     *hello
	tools     []*tool
	resources []*resource
	reads     map[string]*read
	results   []*result
	failures  []failure
	timeouts  int
	ended     bool // the connection, before all was fetched
}

// A failure is what kept a part of the surface from being fetched.
type failure struct {
	at   place
	code string // of the finding
	err  error
	raw  json.RawMessage
}

// A tool is an entry of tools/list.
type tool struct {
	index      int
	raw        json.RawMessage
	obj        map[string]any
	name       string
	meta       map[string]any
	uri        string // that hosts read; "" for none
	model, app bool   // who may call it
	twice      bool   // there is another, different one of its name
}

// A resource is an entry of resources/list.
type resource struct {
	obj  map[string]any
	uri  string
	meta map[string]any
}

// A read is the answer to resources/read.
type read struct {
	uri   string
	err   error
	items []item
	meta  map[string]any
	bad   bool // the result is no read result
}

// An item is one of a read's contents.
type item struct {
	obj        map[string]any
	uri, mime  string
	text, blob *string
}

func newTool(index int, raw json.RawMessage) (*tool, error) {
	t := &tool{index: index, raw: raw, model: true, app: true}
	if err := json.Unmarshal(raw, &t.obj); err != nil || t.obj == nil {
		return nil, errors.New("it is not an object")
	}
	t.name, _ = t.obj["name"].(string)
	if t.name == "" {
		return nil, errors.New("it has no name")
	}
	if s, ok := t.obj["inputSchema"]; !ok || s == nil {
		return nil, errors.New("it has no inputSchema")
	}
	t.meta, _ = t.obj["_meta"].(map[string]any)
	if flat, ok := t.meta[mcpapps.LegacyResourceURIKey].(string); ok {
		t.uri = flat
	}
	if ui, ok := t.meta["ui"]; ok && ui != nil {
		var m mcpapps.ToolUIMetadata
		_ = unmarshalAny(ui, &m) // what is wrong with it is for the rules
		if obj, ok := ui.(map[string]any); ok && obj["resourceUri"] != nil {
			t.uri = m.ResourceURI
		}
		if m.Visibility != nil {
			t.model = slices.Contains(m.Visibility, mcpapps.VisibilityModel)
			t.app = slices.Contains(m.Visibility, mcpapps.VisibilityApp)
		}
	}
	if !strings.HasPrefix(t.uri, "ui://") || strings.Contains(t.uri, "{") {
		t.uri = ""
	}
	return t, nil
}

// unmarshalAny decodes a value that is decoded already into a type with a
// decoder of its own.
func unmarshalAny(v any, into json.Unmarshaler) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return into.UnmarshalJSON(raw)
}

// depth is how much of the surface to fetch.
type depth int

const (
	lists depth = iota
	documents
	everything // results too
)

// fetch fetches the surface. It goes on after whatever it can, and what it
// can't get is a failure in the surface.
func fetch(ctx context.Context, c *client, h *hello, d depth, o *Options, callable func(*tool) (map[string]any, bool)) *surface {
	s := &surface{hello: h, reads: make(map[string]*read)}
	if d == everything && !c.modern() {
		if _, err := c.call(ctx, "ping", map[string]any{}); err != nil {
			s.fail(place{method: "ping"}, "server-ping", err)
		}
	}
	s.list(ctx, c, "tools/list", "tools", o, func(i int, raw json.RawMessage) error {
		t, err := newTool(i, raw)
		if err != nil {
			return err
		}
		s.tools = append(s.tools, t)
		return decodes(t.obj, new(mcp.Tool))
	})
	first := make(map[string]*tool)
	for _, t := range s.tools {
		if other := first[t.name]; other == nil {
			first[t.name] = t
		} else if !bytes.Equal(t.raw, other.raw) {
			t.twice, other.twice = true, true
		}
	}
	if h.caps["resources"] != nil || s.hasApps() {
		s.list(ctx, c, "resources/list", "resources", o, func(_ int, raw json.RawMessage) error {
			r, err := newResource(raw)
			if err != nil {
				return err
			}
			s.resources = append(s.resources, r)
			return decodes(r.obj, new(mcp.Resource))
		})
	}
	if d >= documents {
		for _, uri := range s.appURIs() {
			if s.ended {
				break
			}
			s.reads[uri] = s.read(ctx, c, uri)
		}
	}
	if d == everything {
		for _, t := range s.tools {
			if s.ended {
				break
			}
			if args, ok := callable(t); ok {
				s.results = append(s.results, s.call(ctx, c, t, args))
			}
		}
	}
	return s
}

// fail notes a failure, in the words of its kind.
func (s *surface) fail(at place, code string, err error) {
	if s.ended {
		return
	}
	switch {
	case errors.Is(err, errTimeout):
		s.timeouts++
		if code != "server-ping" || errors.Is(err, errSlow) {
			code = "server-timeout"
		}
	case errors.Is(err, errFlood):
		code = "server-flood"
	case errors.Is(err, errClosed):
		code = "server-died"
	}
	s.ended = fatal(err) || s.timeouts >= 3 // a server that hangs would take all day
	s.failures = append(s.failures, failure{at: at, code: code, err: err})
}

// list follows a list to its end.
func (s *surface) list(ctx context.Context, c *client, method, key string, o *Options, entry func(int, json.RawMessage) error) {
	if s.ended {
		return
	}
	at := place{method: method}
	params := map[string]any{}
	seen := map[string]bool{}
	for n := 0; ; {
		raw, err := c.call(ctx, method, params)
		if err != nil {
			if method == "resources/list" && s.hello.caps["resources"] == nil {
				return // a server need not list
			}
			s.fail(at, "server-list-failed", err)
			return
		}
		var page map[string]json.RawMessage
		var entries []json.RawMessage
		if json.Unmarshal(raw, &page) != nil || json.Unmarshal(page[key], &entries) != nil || entries == nil { // null is no list either
			s.failures = append(s.failures, failure{at: at.at("/" + key), code: "server-list-failed", err: errors.New("the result has no list of " + key), raw: raw})
			return
		}
		for _, e := range entries {
			if n >= o.MaxEntries {
				s.failures = append(s.failures, failure{at: at, code: "server-list-endless", err: errors.New("the list has more than " + plural(n, "entry"))})
				return
			}
			if err := entry(n, e); err != nil {
				s.failures = append(s.failures, failure{at: at.at(pointer(key, n)), code: "server-entry", err: err, raw: e})
			}
			n++
		}
		var next *string
		for _, key := range []string{"nextCursor", "_meta"} {
			if string(page[key]) == "null" { // clients on the TypeScript SDK take no such list
				s.failures = append(s.failures, failure{at: at.at("/" + key), code: "server-list-failed", err: errors.New(key + " is null: leave it out")})
			}
		}
		if len(page["nextCursor"]) > 0 && json.Unmarshal(page["nextCursor"], &next) != nil {
			s.failures = append(s.failures, failure{at: at.at("/nextCursor"), code: "server-list-failed", err: errors.New("nextCursor is not a string"), raw: page["nextCursor"]})
			return
		}
		switch {
		case next == nil || *next == "":
			return
		case seen[*next]:
			s.failures = append(s.failures, failure{at: at.at("/nextCursor"), code: "server-list-endless", err: errors.New("the cursor " + quote(*next) + " comes twice")})
			return
		case len(seen) > 1000:
			s.failures = append(s.failures, failure{at: at, code: "server-list-endless", err: errors.New("the list is not at its end after " + plural(n, "entry"))})
			return
		}
		seen[*next] = true
		params = map[string]any{"cursor": *next}
	}
}

func newResource(raw json.RawMessage) (*resource, error) {
	r := &resource{}
	if err := json.Unmarshal(raw, &r.obj); err != nil || r.obj == nil {
		return nil, errors.New("it is not an object")
	}
	uri, ok := r.obj["uri"].(string)
	if !ok {
		return nil, errors.New("it has no uri")
	}
	if _, ok := r.obj["name"].(string); !ok {
		return nil, errors.New("it has no name")
	}
	r.uri = uri
	r.meta, _ = r.obj["_meta"].(map[string]any)
	return r, nil
}

// decodes says where an entry has a value of another type than the protocol's,
// in which null is of no type: clients on the TypeScript SDK take no list with
// one. What is in the metadata has rules of its own.
func decodes(obj map[string]any, into any) error {
	for _, key := range entryKeys {
		if v, ok := obj[key]; ok && v == nil {
			return fmt.Errorf("%s is null: leave it out", key)
		}
	}
	if hints, ok := obj["annotations"].(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(hints)) {
			if hints[key] == nil {
				return fmt.Errorf("annotations.%s is null: leave it out", key)
			}
		}
	}
	obj = maps.Clone(obj)
	delete(obj, "_meta")
	raw, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var te *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, into); errors.As(err, &te) {
		return fmt.Errorf("%s has the wrong type: it is a JSON %s", te.Field, te.Value)
	} else if err != nil {
		return err
	}
	return nil
}

// entryKeys are the optional keys of tools and resources in lists.
var entryKeys = []string{"title", "description", "outputSchema", "annotations", "icons", "execution", "mimeType", "size", "_meta"}

// hasApps reports whether any tool opens a view.
func (s *surface) hasApps() bool {
	return slices.ContainsFunc(s.tools, func(t *tool) bool { return t.uri != "" })
}

// appURIs returns the URIs of all apps: what tools name, and what is listed as
// an app.
func (s *surface) appURIs() []string {
	var uris []string
	has := make(map[string]bool)
	add := func(uri string) {
		if !has[uri] {
			has[uri] = true
			uris = append(uris, uri)
		}
	}
	for _, t := range s.tools {
		if t.uri != "" {
			add(t.uri)
		}
	}
	for _, r := range s.resources {
		if strings.HasPrefix(r.uri, "ui://") {
			add(r.uri)
		}
	}
	return uris
}

func (s *surface) read(ctx context.Context, c *client, uri string) *read {
	r := &read{uri: uri}
	raw, err := c.call(ctx, "resources/read", map[string]any{"uri": uri})
	if err != nil {
		r.err = err
		s.fail(place{method: "resources/read", uri: uri}, "resource-unreadable", err)
		return r
	}
	var res struct { // decoded in one pass: documents are long
		Contents []map[string]any `json:"contents"`
		Meta     map[string]any   `json:"_meta"`
	}
	if json.Unmarshal(raw, &res) != nil {
		r.bad = true
		return r
	}
	r.meta = res.Meta
	for _, obj := range res.Contents {
		if obj == nil {
			r.bad = true
			return r
		}
		i := item{obj: obj, text: stringPtr(obj["text"]), blob: stringPtr(obj["blob"])}
		i.uri, _ = obj["uri"].(string)
		i.mime, _ = obj["mimeType"].(string)
		r.items = append(r.items, i)
	}
	return r
}

func stringPtr(v any) *string {
	if s, ok := v.(string); ok {
		return &s
	}
	return nil
}

// ui returns the _meta.ui of the item.
func (i *item) ui() any {
	meta, _ := i.obj["_meta"].(map[string]any)
	return meta["ui"]
}

// A result is the answer to tools/call.
type result struct {
	tool *tool
	raw  json.RawMessage
	obj  map[string]any
	err  error
}

func (s *surface) call(ctx context.Context, c *client, t *tool, args map[string]any) *result {
	if args == nil {
		args = map[string]any{}
	}
	r := &result{tool: t}
	r.raw, r.err = c.call(ctx, "tools/call", map[string]any{"name": t.name, "arguments": args})
	if r.err != nil {
		if fatal(r.err) || errors.Is(r.err, errTimeout) {
			s.fail(place{method: "tools/call", tool: t.name}, "server-timeout", r.err)
		}
		return r
	}
	if err := json.Unmarshal(r.raw, &r.obj); err != nil || r.obj == nil {
		r.err = errors.New("the result is not an object")
	}
	return r
}
