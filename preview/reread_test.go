package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/host"
)

// setView changes the document of the test server's tool "both", which announces it.
func setView(s *mcp.Server, uri string, h mcp.ResourceHandler) {
	s.AddResource(&mcp.Resource{URI: uri, Name: "view", MIMEType: "text/html;profile=mcp-app"}, h)
}

// The page loads a view again when its document or its metadata changed, and not for
// any other announcement.
func TestAnnouncedChange(t *testing.T) {
	s := testServer()
	p := startPage(t, s)
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	v := p.waitType("view")
	id, name := str(v["view"]), strings.TrimPrefix(str(v["origin"]), "http://")

	setView(s, "ui://t/view.html", appHandler("<!doctype html><title>changed</title>", map[string]any{"csp": map[string]any{"connectDomains": []string{"https://api.example"}}}))
	e := p.waitType("reload")
	assert.Equal(t, id, str(e["view"]))
	assert.Equal(t, "ui://t/view.html", str(e["uri"]))
	assert.Equal(t, "37", string(e["bytes"]))
	assert.Equal(t, "the server announced a change", str(e["reason"]))
	assert.Contains(t, str(e["csp"]), "connect-src 'self' https://api.example")
	resp, body := p.get(name, p.run.sandboxPort, "/view")
	assert.Equal(t, "<!doctype html><title>changed</title>", body)
	assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "https://api.example")
	// The new document gets input and result again.
	p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}},{"op":"message","view":%[1]q,"msg":{"jsonrpc":"2.0","method":"ui/notifications/initialized"}}]`, id, fmt.Sprintf(initializeParams, "{}")))
	assert.Contains(t, string(p.waitSent("tool-input")), `{"n":1}`)
	p.waitSent("tool-result")

	// The same again, and then its title: one more load.
	setView(s, "ui://t/view.html", appHandler("<!doctype html><title>changed</title>", map[string]any{"csp": map[string]any{"connectDomains": []string{"https://api.example"}}}))
	time.Sleep(3 * announcements)
	setView(s, "ui://t/view.html", appHandler("<!doctype html><title>changed again</title>", nil))
	assert.Equal(t, "43", string(p.waitType("reload")["bytes"]))
}

// A server that announces a change with each read does not make the page load its view
// ten times a second for ever.
func TestAnnouncesEachRead(t *testing.T) {
	s := testServer()
	var reads atomic.Int64
	var each mcp.ResourceHandler
	each = func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		n := reads.Add(1)
		go setView(s, "ui://t/view.html", each)
		return appHandler(fmt.Sprint("<!doctype html><title>", n, "</title>"), nil)(ctx, req)
	}
	setView(s, "ui://t/view.html", each)
	p := startPage(t, s)
	for p.run.announced.Allow() {
	}
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	p.waitType("view")
	p.waitType("reload")
	before, began := reads.Load(), time.Now()
	time.Sleep(time.Second)
	p.waitType("reload")
	assert.LessOrEqual(t, reads.Load()-before, int64(time.Since(began).Seconds())+2)
}

// A document that can't be made covers the view until it can, and then changes
// nothing if it is what it was.
func TestDocumentThatCantBeMade(t *testing.T) {
	s := testServer()
	p := startPage(t, s)
	p.do(`[{"op":"open","call":"1","tool":"both","args":{},"console":true}]`)
	p.waitType("view")
	fails := func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "bundle: ui/a.ts:3:4: no", Data: json.RawMessage(`{"io.github.mcpapps-go/buildError":{"file":"ui/a.ts","line":3,"column":4,"text":"no","excerpt":["x"],"excerptLine":1}}`)}
	}
	setView(s, "ui://t/view.html", fails)
	e := p.waitType("build")
	assert.Equal(t, "true", string(e["failed"]))
	assert.Equal(t, "ui/a.ts 3 4 no", fmt.Sprint(str(e["file"]), " ", string(e["line"]), " ", string(e["column"]), " ", str(e["text"])))
	setView(s, "ui://t/view.html", appHandler("<!doctype html><title>v</title>", nil))
	assert.Equal(t, "false", string(p.waitType("build")["failed"]))
	for _, e := range p.seen {
		assert.NotEqual(t, "reload", str(e["type"]))
	}

	// One that is opened meanwhile is shown once its document is there, on the page
	// for people; another page learns of the failure.
	setView(s, "ui://t/view.html", fails)
	p.waitType("build")
	p.do(`[{"op":"open","call":"2","tool":"both","args":{"n":2},"console":true}]`)
	id := str(p.waitType("opening")["view"])
	p.waitType("build")
	p.do(`[{"op":"open","call":"3","tool":"both","args":{}}]`)
	assert.Contains(t, str(p.waitType("failed")["text"]), "ui/a.ts:3:4: no")
	setView(s, "ui://t/view.html", appHandler("<!doctype html><title>there</title>", nil))
	p.wait("the second view", func(e map[string]json.RawMessage) bool {
		return str(e["type"]) == "view" && str(e["view"]) == id
	})
}

// A document that is no longer there is read at the URI that its tool names by now.
func TestDocumentThatMoved(t *testing.T) {
	s := testServer()
	p := startPage(t, s)
	p.do(`[{"op":"open","call":"1","tool":"both","args":{}}]`)
	p.waitType("view")
	s.AddTool(&mcp.Tool{Name: "both", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "ui://t/view.html?v=2"})}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	setView(s, "ui://t/view.html?v=2", appHandler("<!doctype html><title>2</title>", nil))
	s.RemoveResources("ui://t/view.html")
	p.wait("the document at its new URI", func(e map[string]json.RawMessage) bool {
		return str(e["type"]) == "reload" && str(e["uri"]) == "ui://t/view.html?v=2"
	})
}

// A server that does not make its documents of files on disk is started again after an
// edit, as is one in another language whose documents stay the same; a server that
// writes a watched file each time it starts is not started again for ever.
func TestNeedsProgram(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	app := func(uri string, files ...any) *appclient.App {
		return &appclient.App{URI: uri, Contents: &mcp.ResourceContents{Meta: mcp.Meta{"io.github.mcpapps-go/files": files}}}
	}
	newEditor := func(p *Preview) *editor {
		return &editor{busy: map[string]int{}, dirs: []string{file("watched")}, sources: sources{embedded: []string{file("a.css"), file("data.sql")}}}
	}
	p := startPage(t, testServer()).run
	e := newEditor(p)
	needs := func(shown bool, names ...string) bool {
		var files []string
		for _, n := range names {
			files = append(files, file(n))
		}
		return e.needsProgram(p, files, shown)
	}
	p.documents.add(app("ui://t/view.html", file("a.css")))
	assert.False(t, p.documents.has(file("a.css")), "of a server that the preview did not start")
	p.documents.believed = true
	// Of a server that does not say what its documents are made of.
	p.documents.add(app("ui://t/view.html"))
	assert.False(t, needs(true, "a.css"))
	assert.True(t, needs(false, "a.css"))
	assert.False(t, needs(true, "watched/a.py"))
	assert.True(t, needs(false, "watched/a.py"))
	assert.False(t, needs(false, "new.css"), "a file that is not embedded")
	require.NoError(t, os.Mkdir(file("watched"), 0o755))
	require.NoError(t, os.WriteFile(file("watched/a.py"), nil, 0o644))
	e.shown = time.Now().Add(time.Minute)
	assert.False(t, needs(false, "watched/a.py"), "an edit that the last read had already")
	e.shown = time.Time{}
	// Of one that does.
	e = newEditor(p)
	p.documents.add(app("ui://t/view.html", file("a.css"), file("watched/b.css")))
	assert.False(t, needs(false, "a.css"))
	assert.True(t, needs(false, "data.sql"))
	assert.True(t, needs(true, "a.css", "data.sql"))
	assert.False(t, needs(false, "watched/b.css"))
	// Of one that writes a file when it starts.
	e = newEditor(p)
	e.last = time.Now()
	for range 3 {
		assert.True(t, needs(false, "watched/log"))
	}
	assert.False(t, needs(false, "watched/log"))
	e.last = time.Now().Add(-time.Minute)
	assert.True(t, needs(false, "watched/log"), "a while after a start it is an edit")
}

// An edit in a watched folder is shown without a command, too: of a server that runs
// elsewhere.
func TestWatchDirs(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(page, []byte("<!doctype html><title>1</title>"), 0o644))
	s := testServer()
	setView(s, "ui://t/view.html", func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		return appHandler(string(text), nil)(t.Context(), req)
	})
	p := startPageFor(t, host.Target{Server: s}, &Options{WatchDirs: []string{dir}})
	p.do(`[{"op":"open","call":"1","tool":"both","args":{}}]`)
	p.waitType("view")
	for n := range 3 {
		require.NoError(t, os.WriteFile(page, fmt.Appendf(nil, "<!doctype html><title>more %d</title>", n), 0o644))
		e := p.waitType("reload")
		assert.Contains(t, str(e["reason"]), "page.html changed")
	}
}

// What a document posts reaches the page and the program with its positions, and only
// what it may post.
func TestConsole(t *testing.T) {
	s := testServer()
	const doc = "<!doctype html>\n<title>v</title><script>x</script>"
	setView(s, "ui://t/view.html", appHandler(doc, nil))
	var mu sync.Mutex
	var events []ConsoleEntry
	p := startPageFor(t, host.Target{Server: s}, &Options{Event: func(e Event) {
		if e.Kind == EventConsole {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e.Console)
		}
	}})
	p.do(`[{"op":"open","call":"1","tool":"both","args":{}}]`)
	v := p.waitType("view")
	_, body := p.get(strings.TrimPrefix(str(v["origin"]), "http://"), p.run.sandboxPort, "/view")
	assert.Equal(t, doc, body, "a page that does not ask for the console gets the document as it is")

	p.do(`[{"op":"open","call":"2","tool":"both","args":{},"console":true}]`)
	v = p.waitType("view")
	id, origin := str(v["view"]), str(v["origin"])
	_, body = p.get(strings.TrimPrefix(origin, "http://"), p.run.sandboxPort, "/view")
	assert.Equal(t, "<!doctype html>\n"+p.run.script+"<title>v</title><script>x</script>", body)
	_, proxy := p.get(strings.TrimPrefix(origin, "http://"), p.run.sandboxPort, "/")
	assert.NotContains(t, proxy, "currentScript.remove")
	resp, missing := p.get(strings.TrimPrefix(origin, "http://"), p.run.sandboxPort, "/other")
	assert.Equal(t, "404 not found\n", fmt.Sprint(resp.StatusCode, " ", missing))

	column := 25 + len(p.run.script) // of the script in the second line
	post := func(entries string) {
		p.do(fmt.Sprintf(`[{"op":"console","view":%q,"entries":[%s]}]`, id, entries))
	}
	now := time.Now().UnixMilli()
	post(fmt.Sprintf(`3, null, {"level":"loud","kind":"console"}, {"level":"info","kind":"connect","text":"forged"}, {"level":"info","kind":"console","text":{}},
		{"time":%d,"level":"error","kind":"exception","text":"x is not defined","source":%q,"line":2,"column":%d,"stack":"ReferenceError: x\n    at wrapped (%[2]s:2:20)\n    at show (%[2]s:2:%[3]d)\n    at https://cdn.example/a.js:7:8\n    at <anonymous>"}`, now, origin+"/view?x#y", column))
	e := p.waitType("console")
	assert.JSONEq(t, fmt.Sprintf(`{"type":"console","view":%q,"time":%d,"level":"error","kind":"exception","text":"x is not defined",
		"position":{"source":"document","line":2,"column":25,"mapped":false},"stack":["show document:2:25","https://cdn.example/a.js:7:8"]}`, id, now), marshal(t, e))
	post(`{"level":"debug","kind":"console","text":"y"}`)
	e = p.waitType("console")
	assert.Equal(t, "y", str(e["text"]))
	assert.NotContains(t, e, "position")

	// A view that writes without end.
	many := strings.TrimSuffix(strings.Repeat(`{"level":"info","kind":"console","text":"z"},`, 2*consoleBurst), ",")
	post(many)
	e = p.wait("the rest", func(e map[string]json.RawMessage) bool { return strings.HasPrefix(str(e["text"]), "left out ") })
	assert.Equal(t, "warning", str(e["level"]))
	mu.Lock()
	defer mu.Unlock()
	assert.Less(t, len(events), 2*consoleBurst)
	assert.Equal(t, "document:2:25", events[0].Position.String())
}

func marshal(t *testing.T, v any) string {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// Stacks of all browsers are read.
func TestFrames(t *testing.T) {
	p := places{address: "http://v.localhost:1/view"}
	for stack, want := range map[string][]string{
		"Error: x\n    at f (http://v.localhost:1/view:3:4)\n    at http://v.localhost:1/view:5:6": {"f document:3:4", "document:5:6"},
		"    at async Object.g [as h] (http://v.localhost:1/view?q#h:3:4)":                         {"async Object.g [as h] document:3:4"},
		"    at new C (blob:http://v.localhost:1/0-1:3:4)":                                         {"new C blob:http://v.localhost:1/0-1:3:4"},
		"    at eval (eval at f (http://v.localhost:1/view:1:1), <anonymous>:7:8)":                 nil,
		"f@http://v.localhost:1/view:3:4\n@http://v.localhost:1/view:5:6\nasync*g@http://x/y:7:8":  {"f document:3:4", "document:5:6", "async*g http://x/y:7:8"},
		"at f (http://v.localhost:1/viewer:3:4)":                                                   {"f http://v.localhost:1/viewer:3:4"},
		"at f (http://v.localhost:1/view:0:4)\nat f (x:99999999999:1)":                             nil,
		strings.Repeat("at f (http://v.localhost:1/view:3:4)\n", 100):                              nil,
	} {
		_, got := p.find(posted{Stack: stack})
		if want == nil && len(stack) > 1000 {
			assert.Len(t, got, consoleFrames)
			continue
		}
		assert.Equal(t, want, got, stack)
	}
}
