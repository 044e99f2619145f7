package preview

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/openai"
)

// entryServer returns a server with entrypoints, whose calls the test sees.
type entryServer struct {
	*mcp.Server
	mu   sync.Mutex
	seen []*mcp.CallToolParamsRaw
}

func newEntryServer() *entryServer {
	s := &entryServer{Server: testServer()}
	for name, meta := range map[string]mcp.Meta{
		"board": {"ui": map[string]any{"resourceUri": "ui://t/view.html", "visibility": []string{"app"}},
			"openai/ui": map[string]any{"entrypoints": []any{map[string]any{"type": "global", "quickAction": map[string]any{"title": "New", "icons": []any{map[string]any{"src": "https://n.example/i.svg"}}, "target": map[string]any{"type": "tool", "name": "plain", "arguments": map[string]any{"n": 1}}}}, map[string]any{"type": "thread"}}}},
		"editor": {"ui": map[string]any{"resourceUri": "ui://t/view.html"},
			"openai/ui": map[string]any{"entrypoints": []any{map[string]any{"type": "file", "extensions": []string{".note"}}}}},
		"wrong": {"openai/ui": map[string]any{"entrypoints": []any{map[string]any{"type": "settings"}}}},
		"plain": nil,
	} {
		tool := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, Meta: meta}
		s.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.seen = append(s.seen, req.Params)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name}}}, nil
		})
	}
	return s
}

// call returns the last call that the server got: its arguments, and of its _meta what
// belongs to OpenAI's layer.
func (s *entryServer) call(t *testing.T) (args string, meta map[string]any) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(t, s.seen)
	last := s.seen[len(s.seen)-1]
	meta = map[string]any{}
	for k, v := range last.Meta {
		if strings.HasPrefix(k, "openai/") {
			meta[k] = v
		}
	}
	return string(last.Arguments), meta
}

// desktop is a host with all entrypoints.
var desktop = &compat.Profile{ID: "desktop", Name: "Desktop", Entrypoints: says([]string{"global", "thread", "file"})}

// opened opens a view by a command and lets it connect. It returns the view's name and
// the answer to ui/initialize.
func (p *pageScript) opened(t *testing.T, command string) (id, greeting string) {
	t.Helper()
	p.do("[" + command + "]")
	id = str(p.waitType("view")["view"])
	p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	greeting = string(p.waitSent(`"id":0`))
	p.fromView(id, `{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	p.waitSent("ui/notifications/tool-result")
	return id, greeting
}

func (p *pageScript) fromView(id, msg string) {
	p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, id, msg))
}

// waitResult returns the next event with the result of a call.
func (p *pageScript) waitResult(call string) map[string]json.RawMessage {
	p.t.Helper()
	return p.wait("result of "+call, func(e map[string]json.RawMessage) bool { return str(e["type"]) == "result" && str(e["call"]) == call })
}

// answerTeardown waits until the view is asked to clean up, and answers.
func (p *pageScript) answerTeardown(id string) {
	var request struct{ ID json.RawMessage }
	require.NoError(p.t, json.Unmarshal(p.waitSent("ui/resource-teardown"), &request))
	p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, request.ID))
}

// lastSeen returns the last event of a type among those that a wait has passed.
func (p *pageScript) lastSeen(name string) map[string]json.RawMessage {
	for _, e := range slices.Backward(p.seen) {
		if str(e["type"]) == name {
			return e
		}
	}
	return nil
}

// The page gets the entrypoints of the tools, with their problems, and which of them a
// host has.
func TestListedEntrypoints(t *testing.T) {
	p := startPageFor(t, host.Target{Server: newEntryServer().Server}, &Options{Emulate: desktop})
	var hosts []hostEntry
	require.NoError(t, json.Unmarshal(p.waitType("hosts")["hosts"], &hosts))
	has := map[string][]string{}
	for _, h := range hosts {
		has[h.ID] = h.Entries
	}
	assert.Equal(t, []string{"global", "thread", "file"}, has["desktop"])
	assert.Equal(t, []string{"global", "thread"}, has["chatgpt"])
	assert.Nil(t, has["claude-web"])
	for _, f := range factsOf(desktop, time.Now(), false) {
		if f.Title == "OpenAI's entrypoints" {
			assert.Equal(t, "emulated", f.Shown)
		}
	}

	var tools []struct {
		Name    string
		Unasked bool
		entrypoints
	}
	require.NoError(t, json.Unmarshal(p.waitType("tools")["tools"], &tools))
	for _, tool := range tools {
		assert.Equal(t, tool.Name == "board" || tool.Name == "editor", tool.Unasked, "%s: a user may open a view that is for apps alone", tool.Name)
		switch tool.Name {
		case "board":
			assert.Equal(t, []entrypoint{{Type: "global", Shortcut: &shortcut{Title: "New", Tool: "plain", Arguments: map[string]any{"n": 1.0}}}, {Type: "thread"}}, tool.Entrypoints)
		case "editor":
			assert.Equal(t, []entrypoint{{Type: "file", Extensions: []string{".note"}}}, tool.Entrypoints)
		case "wrong":
			require.Len(t, tool.EntryProblems, 1)
			assert.Contains(t, tool.EntryProblems[0], "settings")
		default:
			assert.Empty(t, tool.Entrypoints)
		}
	}
}

// A global entrypoint calls the tool with {}, gives the view its deep link, and each call
// has the hints of the host.
func TestOpenAGlobalEntrypoint(t *testing.T) {
	s := newEntryServer()
	p := startPageFor(t, host.Target{Server: s.Server}, &Options{Emulate: desktop})
	id, greeting := p.opened(t, `{"op":"open","call":"1","tool":"board","args":{},"host":"desktop","context":{"locale":"nb-NO","userAgent":"a","timeZone":"Europe/Oslo","displayMode":"fullscreen"},"entry":{"type":"global","path":"/n/7?tab=2"}}`)
	assert.Contains(t, greeting, `"openai/deepLink":{"url":"/n/7?tab=2"}`)
	assert.Contains(t, greeting, `"experimental":{"openai/message":{},"openai/modelContext":{}}`)
	args, opening := s.call(t)
	assert.Equal(t, `{}`, args)
	hints := map[string]any{"openai/locale": "nb-NO", "openai/userAgent": "a", "openai/userLocation": map[string]any{"timezone": "Europe/Oslo"}, "openai/subject": opening["openai/subject"], "openai/session": opening["openai/session"]}
	assert.Equal(t, hints, opening)
	assert.Greater(t, len(opening["openai/subject"].(string)), 20)
	assert.NotEqual(t, opening["openai/subject"], opening["openai/session"])

	// The path changes while the view is open, and stays when the page's context does.
	p.do(fmt.Sprintf(`[{"op":"link","view":%q,"text":"/n/8"}]`, id))
	assert.Contains(t, string(p.waitSent(`host-context-changed`)), `"params":{"openai/deepLink":{"url":"/n/8"}}`)
	p.do(fmt.Sprintf(`[{"op":"context","view":%q,"context":{"locale":"de-DE"}}]`, id))
	assert.Contains(t, string(p.waitSent(`host-context-changed`)), `"params":{"locale":"de-DE"}`)
	p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	assert.Contains(t, string(p.waitSent(`"id":0`)), `"openai/deepLink":{"url":"/n/8"}`, "the document loads again")
	p.fromView(id, `{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	for path, want := range map[string]string{"n": "must begin with /", "/n#a": "must not have a fragment"} {
		p.do(fmt.Sprintf(`[{"op":"link","view":%q,"text":%q}]`, id, path))
		assert.Contains(t, str(p.waitType("error")["text"]), want)
	}
	p.do(fmt.Sprintf(`[{"op":"link","view":%q,"text":""}]`, id))
	assert.Contains(t, string(p.waitSent(`host-context-changed`)), `"openai/deepLink":{"url":"/"}`)

	// The view can't set what is the host's to say.
	p.fromView(id, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plain","arguments":{},"_meta":{"openai/resource":{"path":"/etc/passwd"},"openai/subject":"forged","openai/own":1}}}`)
	p.waitSent(`"id":5`)
	_, meta := s.call(t)
	hints["openai/locale"], hints["openai/own"] = "de-DE", 1.0
	delete(hints, "openai/userAgent")
	delete(hints, "openai/userLocation")
	assert.Equal(t, hints, meta)
	p.fromView(id, `{"jsonrpc":"2.0","id":6,"method":"openai/resources/write","params":{"uri":"host-resource://x","text":""}}`)
	assert.Contains(t, string(p.waitSent(`"id":6`)), `-32601`, "there is no file")

	p.do(`[{"op":"call","call":"2","tool":"plain","args":{},"host":"desktop","context":{"locale":"nb-NO"}}]`)
	p.waitResult("2")
	_, meta = s.call(t)
	assert.Equal(t, map[string]any{"openai/locale": "nb-NO", "openai/subject": opening["openai/subject"], "openai/session": opening["openai/session"]}, meta)
}

// A view can't forge the hints of the host, also those that the host does not send.
func TestForgedHints(t *testing.T) {
	forged := mcp.Meta{
		"openai/locale": "fr", "webplus/i18n": "fr", "openai/userAgent": "forged", "openai/userLocation": map[string]any{"city": "Forged"},
		"openai/subject": "forged", "openai/session": "forged", "openai/organization": "forged",
	}
	all := openai.RequestHints(&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: forged}})
	for i := range reflect.TypeFor[openai.Hints]().NumField() {
		require.False(t, reflect.ValueOf(all).Field(i).IsZero(), "the test does not forge %s", reflect.TypeFor[openai.Hints]().Field(i).Name)
	}

	s := newEntryServer()
	p := startPageFor(t, host.Target{Server: s.Server}, &Options{Emulate: desktop})
	id, _ := p.opened(t, `{"op":"open","call":"1","tool":"board","args":{},"host":"desktop","context":{},"entry":{"type":"global"}}`)
	_, sent := s.call(t)
	meta, err := json.Marshal(forged)
	require.NoError(t, err)
	p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plain","arguments":{},"_meta":%s}}`, meta))
	p.waitSent(`"id":5`)
	s.mu.Lock()
	defer s.mu.Unlock()
	got := openai.RequestHints(&mcp.CallToolRequest{Params: s.seen[len(s.seen)-1]})
	assert.Equal(t, openai.Hints{Subject: sent["openai/subject"].(string), Session: sent["openai/session"].(string)}, got)
}

// Under a host without entrypoints nothing of OpenAI's is sent, and none can be opened.
func TestHostWithoutEntrypoints(t *testing.T) {
	s := newEntryServer()
	p := startPageFor(t, host.Target{Server: s.Server}, nil)
	for _, id := range []string{"", "claude-web"} {
		view, greeting := p.opened(t, fmt.Sprintf(`{"op":"open","call":"1","tool":"board","args":{},"host":%q,"context":{"locale":"nb-NO"}}`, id))
		assert.NotContains(t, greeting, "openai/deepLink")
		assert.NotContains(t, greeting, "experimental")
		_, meta := s.call(t)
		assert.Empty(t, meta)
		p.fromView(view, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plain","arguments":{}}}`)
		p.waitSent(`"id":5`)
		_, meta = s.call(t)
		assert.Empty(t, meta)
		p.fromView(view, `{"jsonrpc":"2.0","id":6,"method":"ui/update-model-context","params":{"content":[]}}`)
		if id == "" {
			assert.Contains(t, string(p.waitSent(`"id":6`)), `"result":{}`)
		}
	}
	for id, entry := range map[string]string{"": "global", "claude-web": "global", "chatgpt": "file"} {
		p.do(fmt.Sprintf(`[{"op":"open","call":"x","tool":"editor","args":{},"host":%q,"entry":{"type":%q}}]`, id, entry))
		assert.Equal(t, fmt.Sprintf("the host has no entrypoint of the type %q: choose another host", entry), str(p.waitResult("x")["error"]))
	}
}

// A view that was opened for a file reads and writes it through the page alone, and each
// tool call has the path of the copy.
func TestOpenAFile(t *testing.T) {
	s := newEntryServer()
	p := startPageFor(t, host.Target{Server: s.Server}, &Options{Emulate: desktop})
	args := `{"file":{"name":"a.note","resourceUri":"host-resource://x1"}}`
	id, greeting := p.opened(t, fmt.Sprintf(`{"op":"open","call":"1","tool":"editor","args":%s,"host":"desktop","context":{},"entry":{"type":"file","data":%q}}`, args, base64.StdEncoding.EncodeToString([]byte("one"))))
	assert.Contains(t, greeting, `"openai/resource":{}`)
	assert.NotContains(t, greeting, "deepLink")
	given, meta := s.call(t)
	assert.JSONEq(t, args, given)
	path := meta["openai/resource"].(map[string]any)["path"].(string)
	assert.True(t, filepath.IsAbs(path))
	assert.Equal(t, "a.note", filepath.Base(path))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "one", string(content))

	next := 10
	ask := func(method, params string) string {
		next++
		p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, next, method, params))
		return string(p.waitSent(fmt.Sprintf(`"id":%d`, next)))
	}
	read := ask("resources/read", `{"uri":"host-resource://x1"}`)
	etag := etagOf([]byte("one"))
	assert.Contains(t, read, fmt.Sprintf(`"result":{"contents":[{"_meta":{"openai/resource":{"etag":%q,"writable":true}},"text":"one","uri":"host-resource://x1"}]}`, etag))
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1","_meta":{"openai/resource":{"representation":"blob"}}}`), `"blob":"b25l"`)
	assert.Contains(t, ask("resources/subscribe", `{"uri":"host-resource://x1"}`), `"result":{}`)

	saved := func(text string) string {
		return fmt.Sprintf(`"result":{"etag":%q,"outcome":"saved"}`, etagOf([]byte(text)))
	}
	assert.Contains(t, ask("openai/resources/write", fmt.Sprintf(`{"uri":"host-resource://x1","text":"two","ifMatch":%q}`, etag)), saved("two"))
	content, _ = os.ReadFile(path)
	assert.Equal(t, "two", string(content))
	assert.Contains(t, ask("openai/resources/write", fmt.Sprintf(`{"uri":"host-resource://x1","text":"three","ifMatch":%q}`, etag)), fmt.Sprintf(`"result":{"etag":%q,"outcome":"conflict"}`, etagOf([]byte("two"))))
	// A tool of the server changes the file: the view reads that.
	require.NoError(t, os.WriteFile(path, []byte{0xff, 0}, 0o600))
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1"}`), `"blob":"/wA="`)
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1","_meta":{"openai/resource":{"representation":"text"}}}`), `-32602`)
	require.NoError(t, os.Truncate(path, maxFile+1))
	for _, answer := range []string{ask("resources/read", `{"uri":"host-resource://x1"}`), ask("openai/resources/write", `{"uri":"host-resource://x1","text":"","ifMatch":"v"}`)} {
		assert.Contains(t, answer, `"error":{"code":-32603`)
		assert.NotContains(t, answer, filepath.Dir(path))
	}
	assert.Contains(t, ask("openai/resources/write", fmt.Sprintf(`{"uri":"host-resource://x1","text":%q}`, strings.Repeat("x", maxFile+1))), fmt.Sprintf(`"result":{"maxBytes":%d,"outcome":"too-large"}`, maxFile))

	p.fromView(id, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plain","arguments":{}}}`)
	p.waitSent(`"id":5`)
	_, meta = s.call(t)
	assert.Equal(t, map[string]any{"path": path}, meta["openai/resource"])

	// Names in another case are others.
	assert.NotContains(t, ask("resources/read", `{"uri":"file:///etc/passwd","URI":"host-resource://x1"}`), `"result"`)
	assert.NotContains(t, ask("resources/subscribe", `{"URI":"host-resource://x1"}`), `"result"`)
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o600))
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1","_META":{"openai/resource":{"representation":"blob"}}}`), `"text":"one"`)
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1","_meta":{"openai/resource":{"Representation":"blob"}}}`), `"text":"one"`)

	// The twin has the file as well, and keeps it when the first view is closed.
	p.do(fmt.Sprintf(`[{"op":"twin","view":%q,"context":{"theme":"dark"}}]`, id))
	twin := str(p.waitType("view")["view"])
	p.fromView(twin, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	p.waitSent(`"id":0`)
	p.fromView(twin, `{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	closeView := func(id string) {
		p.do(fmt.Sprintf(`[{"op":"close","view":%q}]`, id))
		p.answerTeardown(id)
		p.waitType("closed")
	}
	closeView(id)
	id = twin
	assert.Contains(t, ask("resources/read", `{"uri":"host-resource://x1"}`), `"text":"one"`)
	// The copy is removed with the last view.
	closeView(twin)
	assert.NoDirExists(t, filepath.Dir(path))
}

// tempFile returns the file host-resource://x1 with a content, which is removed with the test.
func tempFile(t testing.TB, content string) *openedFile {
	f, err := openFile("a.note", "host-resource://x1", []byte(content))
	require.NoError(t, err)
	f.addUser(nil)
	t.Cleanup(func() { f.removeUser(nil) })
	return f
}

// Writes that come while the copy is removed leave nothing behind, and fail afterwards.
func TestRemovedFile(t *testing.T) {
	for range 20 {
		f := tempFile(t, "")
		write := json.RawMessage(`{"uri":"host-resource://x1","text":"` + strings.Repeat("x", 10000) + `"}`)
		var writers sync.WaitGroup
		for range 8 {
			writers.Go(func() { _, _ = f.write(write) })
		}
		f.removeUser(nil)
		writers.Wait()
		assert.NoDirExists(t, filepath.Dir(f.path))
		_, err := f.write(write)
		assert.ErrorContains(t, err, "can't be read or written")
		_, err = f.read(nil)
		assert.ErrorContains(t, err, "can't be read or written")
	}
}

// The vectors of a write.
func TestWriteOfAFile(t *testing.T) {
	f := tempFile(t, "")
	for params, want := range map[string]string{
		`{"text":""}`: "", `{"blob":""}`: "", `{"blob":"Y2Fk"}`: "cad", `{"text":"t","_meta":{}}`: "t",
	} {
		_, err := f.write(json.RawMessage(`{"uri":"host-resource://x1",` + params[1:]))
		require.NoError(t, err, params)
		content, err := os.ReadFile(f.path)
		require.NoError(t, err)
		assert.Equal(t, want, string(content), params)
	}
	for params, want := range map[string]string{
		`{"uri":"host-resource://x1","blob":"Y2F"}`:              "base64",
		`{"uri":"host-resource://x1","blob":"Y2F\nk"}`:           "base64",
		`{"uri":"host-resource://x1","text":"a","blob":"Y2Fk"}`:  "exactly one",
		`{"uri":"host-resource://x1"}`:                           "exactly one",
		`{"uri":" ","text":"a"}`:                                 "uri must be",
		`{"text":"a"}`:                                           "uri must be",
		`{"uri":"host-resource://x2","text":"a"}`:                "uri must be",
		`{"uri":"host-resource://x1","text":"a","ifMatch":""}`:   "ifMatch is empty",
		`{"uri":"host-resource://x1","text":"a","ifMatch":null}`: "ifMatch must be a string",
		`{"uri":"host-resource://x1","text":1}`:                  "text must be a string",
		`{"uri":"host-resource://x1","text":"a","mode":1}`:       `"mode" is not a parameter`,
		`null`: "must be an object", `[]`: "must be an object", ``: "must be an object",
	} {
		_, err := f.write(json.RawMessage(params))
		assert.ErrorContains(t, err, want, params)
		var answer *jsonrpc.Error
		if assert.ErrorAs(t, err, &answer, params) {
			assert.EqualValues(t, jsonrpc.CodeInvalidParams, answer.Code)
		}
	}
	for _, asked := range []string{`{"representation":"other"}`, `{"representation":1}`, `5`} {
		_, err := f.read(json.RawMessage(`{"openai/resource":` + asked + `}`))
		assert.Error(t, err, asked)
	}
	_, err := f.read(json.RawMessage(`5`))
	assert.ErrorContains(t, err, "_meta must be an object")
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "a\x00"} {
		_, err := openFile(name, "host-resource://x", nil)
		assert.ErrorContains(t, err, "is not the name of a file", name)
	}
	_, err = openFile("a", "file:///a", nil)
	assert.ErrorContains(t, err, "is not the URI of a host's file")
	_, err = openFile("a", "host-resource://a", make([]byte, maxFile+1))
	assert.ErrorContains(t, err, "the preview opens at most")
}

// Options of messages, and the removal of a model context.
func TestMessagesAndModelContextsOfOpenAI(t *testing.T) {
	p := startPageFor(t, host.Target{Server: newEntryServer().Server}, &Options{Emulate: desktop})
	id, _ := p.opened(t, `{"op":"open","call":"1","tool":"board","args":{},"host":"desktop","context":{}}`)
	next := 10
	ask := func(method, params string) string {
		next++
		p.fromView(id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, next, method, params))
		return string(p.waitSent(fmt.Sprintf(`"id":%d`, next)))
	}
	message := func(options string) string {
		return ask("ui/message", fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"t"}],"_meta":{"openai/message":%s}}`, options))
	}
	for options, want := range map[string]string{`{}`: `"active"false`, `{"target":"new","send":false}`: `"new"true`} {
		assert.Contains(t, message(options), `"result":{}`)
		action := p.lastSeen("action")
		assert.Equal(t, want, string(action["target"])+string(action["draft"]))
	}
	for _, options := range []string{`{"target":"other"}`, `{"target":1}`, `{"send":"no"}`, `{"more":1}`, `null`, `[]`} {
		assert.Contains(t, message(options), `"isError":true`, options)
	}

	assert.Contains(t, ask("ui/update-model-context", `{"content":[{"type":"text","text":"a"}]}`), `"result":{"_meta":{"openai/modelContext":{"updateId":"update-1"}}}`)
	assert.Contains(t, ask("ui/update-model-context", `{"structuredContent":{"a":1}}`), `"updateId":"update-2"`)
	// The state is in the context when the document loads again, and null once removed.
	p.do(fmt.Sprintf(`[{"op":"reload","view":%q}]`, id))
	assert.Contains(t, string(p.waitSent(`host-context-changed`)), `"params":{"openai/modelContext":{"structuredContent":{"a":1},"updateId":"update-2"}}`)
	p.do(fmt.Sprintf(`[{"op":"remove-context","view":%q,"text":"update-1"}]`, id))
	assert.Equal(t, "the view has told the model something else since", str(p.waitType("error")["text"]))
	p.do(fmt.Sprintf(`[{"op":"remove-context","view":%q,"text":"update-2"}]`, id))
	assert.Contains(t, string(p.waitSent(`host-context-changed`)), `"params":{"openai/modelContext":null}`)
}

// What a view asks about its file is answered without a panic, and without the path.
func FuzzFileRequests(f *testing.F) {
	for _, seed := range []string{
		`{"uri":"host-resource://x1","text":"a","ifMatch":"v"}`, `{"uri":"host-resource://x1","blob":"Y2F"}`, `{"uri":null}`, `{"_meta":5}`, `[]`, ``,
		`{"uri":"host-resource://x1","_meta":{"openai/resource":{"representation":"blob"}}}`, `{"uri":"host-resource://x1","_meta":{"openai/resource":null}}`,
	} {
		f.Add(seed)
	}
	file := tempFile(f, "one")
	f.Fuzz(func(t *testing.T, params string) {
		for _, method := range []string{"resources/read", "resources/subscribe", "openai/resources/write", "other"} {
			result, handled, err := file.answer(t.Context(), method, json.RawMessage(params))
			assert.NotContains(t, string(result), filepath.Dir(file.path))
			switch {
			case err != nil:
				assert.NotContains(t, err.Error(), filepath.Dir(file.path))
			case handled:
				assert.True(t, json.Valid(result), "%s", result)
			}
		}
		var options any
		if json.Unmarshal([]byte(params), &options) == nil {
			_, _, _ = messageOptions(options)
		}
	})
}
