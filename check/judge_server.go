package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// capability judges how the server advertises the extension.
func (c *collector) capability(s *surface) {
	at := place{method: s.hello.method}
	caps := s.hello.caps
	misplaced := ""
	for _, where := range slices.Sorted(maps.Keys(caps)) {
		switch m, _ := caps[where].(map[string]any); {
		case where == mcpapps.ExtensionID:
			misplaced = pointer("capabilities", where)
		case where != "extensions" && has(m, mcpapps.ExtensionID):
			misplaced = pointer("capabilities", where, mcpapps.ExtensionID)
		default:
			continue
		}
		c.add("capability-place", at.at(misplaced), "the extension stands at %s", misplaced)
	}
	ext, _ := caps["extensions"].(map[string]any)
	settings, ok := ext[mcpapps.ExtensionID]
	extAt := at.at(pointer("capabilities", "extensions", mcpapps.ExtensionID))
	if _, isObject := settings.(map[string]any); ok && !isObject {
		c.add("capability-type", extAt, "the extension's settings must be an object, not %s", shown(settings))
	}
	if caps["extensions"] != nil && ext == nil {
		c.add("capability-type", at.at("/capabilities/extensions"), "extensions must be an object, not %s", shown(caps["extensions"]))
	} else if !ok && misplaced == "" && s.hasApps() {
		c.add("capability-missing", at.at("/capabilities/extensions"), "the server has apps and does not advertise %s", mcpapps.ExtensionID)
	}
	if caps["resources"] == nil && s.hasApps() {
		c.add("capability-resources", at.at("/capabilities/resources"), "the server has apps and does not advertise resources")
	}
}

// gated compares what a client that declares the extension sees with what one
// sees that does not.
func (c *collector) gated(with, without *surface) {
	plain := make(map[string]*tool)
	for _, t := range without.tools {
		plain[t.name] = t
	}
	if without.ended || len(without.tools) == 0 && len(with.tools) > 0 && len(without.failures) > 0 {
		return
	}
	for _, t := range with.tools {
		if t.uri == "" {
			continue
		}
		at := place{tool: t.name, method: "tools/list"}
		if p := plain[t.name]; p == nil {
			c.add("capability-gated", at, "the tool is listed only for clients that declare the extension")
		} else if p.uri == "" || nested(t) && !nested(p) {
			c.add("capability-gated", at.at("/_meta/ui"), "the tool names its view only to clients that declare the extension")
		}
	}
}

// nested reports whether a tool has the specification's key for its view, which
// is all that some hosts read.
func nested(t *tool) bool {
	ui, _ := t.meta["ui"].(map[string]any)
	return has(ui, "resourceUri")
}

func has(m map[string]any, key string) bool {
	v, ok := m[key]
	return ok && v != nil
}

// versions compares two versions of one server.
func (c *collector) versions(a, b *surface) {
	if b.ended || len(b.failures) > 0 {
		return
	}
	at := place{method: "tools/list"}
	mine, theirs := byName(a.tools), byName(b.tools)
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		at := place{method: "tools/list", tool: name}
		if t := theirs[name]; t == nil {
			c.add("server-versions", at, "the tool is listed on %s and not on %s", a.hello.version, b.hello.version)
		} else if key := differs(mine[name].obj, t.obj); key != "" {
			c.add("server-versions", at.at(pointer(key)), "%s differs between %s and %s", key, a.hello.version, b.hello.version)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if mine[name] == nil {
			at.tool = name
			c.add("server-versions", at, "the tool is listed on %s and not on %s", b.hello.version, a.hello.version)
		}
	}
	for _, r := range b.resources {
		i := slices.IndexFunc(a.resources, func(q *resource) bool { return q.uri == r.uri })
		if i >= 0 && !reflect.DeepEqual(r.meta["ui"], a.resources[i].meta["ui"]) {
			at := place{method: "resources/list", uri: r.uri}
			c.add("server-versions", at.at("/_meta/ui"), "_meta.ui differs between %s and %s", a.hello.version, b.hello.version)
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(b.reads)) {
		r, q := a.reads[uri], b.reads[uri]
		at := place{method: "resources/read", uri: uri}
		if r == nil || r.err != nil || q.err != nil || len(r.items) == 0 || len(q.items) == 0 {
			continue
		}
		i, j := r.items[0], q.items[0]
		switch {
		case !equal(i.text, j.text) || !equal(i.blob, j.blob):
			c.add("server-versions", at, "the document differs between %s and %s", a.hello.version, b.hello.version)
		case i.mime != j.mime:
			c.add("server-versions", at.at("/mimeType"), "the media type differs between %s and %s", a.hello.version, b.hello.version)
		case !reflect.DeepEqual(i.ui(), j.ui()):
			c.add("server-versions", at.at("/_meta/ui"), "_meta.ui differs between %s and %s", a.hello.version, b.hello.version)
		}
	}
}

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func byName(tools []*tool) map[string]*tool {
	m := make(map[string]*tool, len(tools))
	for _, t := range tools {
		m[t.name] = t
	}
	return m
}

// differs returns the first key of two objects that differs, "" if none does.
func differs(a, b map[string]any) string {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if !reflect.DeepEqual(a[k], b[k]) {
			return k
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[k]; !ok {
			return k
		}
	}
	return ""
}

// maxResult is how many characters of a result one host takes.
const maxResult = 150_000

// result judges what a call gave.
func (c *collector) result(r *result, docs map[string]bool) {
	at := place{tool: r.tool.name, method: "tools/call"}
	if r.err != nil {
		c.add("result-failed", at, "%s", answered(r.err))
		return
	}
	if r.obj["isError"] == true {
		c.add("result-failed", at, "the call's result is an error: %s", errorText(r.obj["content"]))
		return
	}
	if len(r.raw) > maxResult {
		c.add("result-size", at, "the result has %d bytes", len(r.raw))
	}
	if fault := resultFault(r); fault != "" {
		c.add("result-type", at, "the result is not one of the protocol's: %s", shorten(fault))
	}
	content, _ := r.obj["content"].([]any)
	text := false
	for _, b := range content {
		block, _ := b.(map[string]any)
		s, _ := block["text"].(string)
		text = text || block["type"] == "text" && strings.TrimSpace(s) != ""
	}
	if s, ok := r.obj["content"].(string); ok {
		c.add("result-text", at.at("/content"), "content must be a list, not %s", quote(s)).
			Remedy = `write "content": [{"type": "text", "text": "…"}]`
	} else if !text {
		c.add("result-text", at.at("/content"), "content has no text: %s", shown(r.obj["content"]))
	}
	structured, has := r.obj["structuredContent"]
	if _, isObject := structured.(map[string]any); has && !isObject {
		c.add("result-structured-type", at.at("/structuredContent"), "structuredContent must be an object, not %s", shown(structured))
	} else if !has && r.tool.obj["outputSchema"] != nil {
		c.add("result-structured-missing", at.at("/structuredContent"), "the tool declares an outputSchema and returned no structuredContent")
	}
	if where, ok := holdsHTML(r.obj, docs); ok {
		c.add("result-html", at.at(where), "the result holds the view's HTML")
	}
}

// errorText returns what a result that is an error says.
func errorText(content any) string {
	list, _ := content.([]any)
	for _, b := range list {
		block, _ := b.(map[string]any)
		if s, _ := block["text"].(string); s != "" {
			return strconv.Quote(shortenText(s))
		}
	}
	return shown(content)
}

// resultFault says why clients can't decode a result, "" if they can.
func resultFault(r *result) string {
	for _, key := range []string{"content", "isError", "_meta"} {
		if v, ok := r.obj[key]; ok && v == nil {
			return key + " is null: leave it out"
		}
	}
	var te *json.UnmarshalTypeError
	if err := json.Unmarshal(r.raw, new(mcp.CallToolResult)); errors.As(err, &te) {
		return te.Field + " has the wrong type"
	} else if err != nil {
		return err.Error()
	}
	return ""
}

// holdsHTML returns the pointer of a text in a value that is a document of the
// server's, or that is one of the kind.
func holdsHTML(v any, docs map[string]bool) (at string, ok bool) {
	switch v := v.(type) {
	case string:
		head := strings.ToLower(begin(v))
		if strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") {
			return "", true
		}
		if len(v) > 100 && docs[v] {
			return "", true
		}
	case []any:
		for i, e := range v {
			if p, ok := holdsHTML(e, docs); ok {
				return pointer(i) + p, true
			}
		}
	case map[string]any:
		if v["mimeType"] == mcpapps.MIMEType && (has(v, "text") || has(v, "blob")) {
			return "", true
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if p, ok := holdsHTML(v[k], docs); ok {
				return pointer(k) + p, true
			}
		}
	}
	return "", false
}

// callable decides whether to call a tool, and with what: only what the author
// named, or what says itself that it does no harm and needs nothing, beyond any
// other reading of what it says.
func callable(o *Options, auto bool) func(*tool) (map[string]any, bool) {
	named := make(map[string]map[string]any)
	for _, call := range o.Calls {
		named[call.Tool] = call.Arguments
	}
	return func(t *tool) (map[string]any, bool) {
		if args, ok := named[t.name]; ok {
			return args, true
		}
		if !auto || t.uri == "" || !t.model || t.twice {
			return nil, false
		}
		for key := range t.meta {
			if plain(key) == "uivisibility" { // no host reads it there, but it says something
				return nil, false
			}
		}
		hints, _ := t.obj["annotations"].(map[string]any)
		destructive := hints["destructiveHint"]
		return nil, hints["readOnlyHint"] == true && (destructive == nil || destructive == false) && takesNothing(t.obj["inputSchema"])
	}
}

// takesNothing reports whether a schema plainly lets an object be empty.
func takesNothing(v any) bool {
	schema, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for key, v := range schema {
		switch key {
		case "required":
			if list, ok := v.([]any); v != nil && (!ok || len(list) > 0) {
				return false
			}
		case "minProperties":
			if v != 0.0 {
				return false
			}
		case "properties": // the third draft's way to require one
			properties, _ := v.(map[string]any)
			for _, p := range properties {
				if p, ok := p.(map[string]any); ok && p["required"] == true {
					return false
				}
			}
		case "allOf", "anyOf", "oneOf", "not", "if", "const", "enum", "extends",
			"$ref", "$dynamicRef", "$recursiveRef": // whatever that is
			return false
		}
	}
	return true
}

// unknownCalls returns an error for the calls of tools that are not there.
func unknownCalls(o *Options, s *surface) error {
	tools := byName(s.tools)
	for _, call := range o.Calls {
		if tools[call.Tool] == nil && !s.ended {
			near := ""
			if n := newToolbox(s.tools).nearest(call.Tool); n != "" {
				near = fmt.Sprintf(": the nearest is %q", n)
			}
			return fmt.Errorf("check: Options.Calls names the tool %q, which the server does not list%s", call.Tool, near)
		}
	}
	return nil
}

// each calls f with 0 to n-1, some at a time.
func each(n int, f func(int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0), 8) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		}()
	}
	wg.Wait()
}

// surface judges a whole surface.
func (c *collector) surface(s *surface) {
	c.failures(s)
	c.capability(s)
	for _, t := range s.tools {
		c.tool(t)
	}
	tools := newToolbox(s.tools)
	listed := make(map[string]*resource)
	for _, r := range s.resources {
		if listed[r.uri] == nil {
			listed[r.uri] = r
		}
	}
	named := make(map[string]bool)
	for _, t := range s.tools {
		named[t.uri] = true
	}
	uris := s.appURIs()
	apps := make([]collector, len(uris))
	texts := make([]string, len(uris))
	each(len(uris), func(i int) {
		texts[i] = apps[i].app(uris[i], listed[uris[i]], s.reads[uris[i]], tools)
	})
	docs := slices.DeleteFunc(texts, func(doc string) bool { return doc == "" })
	for i, uri := range uris {
		c.merge(&apps[i])
		if !named[uri] {
			c.add("resource-unused", place{uri: uri, method: "resources/list"}, "no tool names the app")
		}
	}
	c.tools(s, docs)
	known := make(map[string]bool)
	if len(s.results) > 0 {
		for _, doc := range docs {
			known[doc] = true
		}
	}
	called := make(map[string]bool)
	for _, r := range s.results {
		called[r.tool.name] = true
		c.result(r, known)
	}
	for _, t := range s.tools {
		if t.uri != "" && t.model && !called[t.name] && !s.ended {
			c.add("result-unchecked", place{tool: t.name, method: "tools/call"}, "the tool was not called")
		}
	}
}
