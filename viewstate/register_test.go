package viewstate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

// boardServer has the tool of views, and two that tell what the library makes of a caller.
func boardServer(st viewstate.Store, o *viewstate.Options) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "board", Version: "1"}, nil)
	viewstate.Register(s, st, o)
	text := func(text string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	mcp.AddTool(s, &mcp.Tool{Name: "id"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		id, ok := viewstate.For(ctx, req, []byte("secret"), "board 7")
		return text(fmt.Sprint(id, ok)), nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "read"}, func(ctx context.Context, req *mcp.CallToolRequest, in struct{ ID string }) (*mcp.CallToolResult, any, error) {
		r, err := st.Get(ctx, viewstate.KeyFor(ctx, req, in.ID))
		return text(fmt.Sprint(string(r.Value), r.Version, err)), nil, nil
	})
	return s
}

func TestLoadAndSave(t *testing.T) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		s := boardServer(viewstate.NewMemory(nil), nil)
		c := connect(t, tr, s, "")
		for i, step := range []struct{ arguments, want string }{
			{`{"id":"a"}`, `{"state":null,"version":0}`},
			{`{"id":"a","version":0,"state":{"q": "<&\u00e9" , "n":9007199254740993}}`, `{"version":1}`},
			{`{"id":"a"}`, `{"state":{"q":"<&\u00e9","n":9007199254740993},"version":1}`},
			{`{"id":"b"}`, `{"state":null,"version":0}`},
			{`{"id":"a","version":0,"state":{}}`, `{"conflict":true,"state":{"q":"<&\u00e9","n":9007199254740993},"version":1}`},
			{`{"id":"a","version":1,"state":{}}`, `{"version":2}`},
			{`{"id":"a"}`, `{"state":{},"version":2}`},
			{`{"id":"a","version":1,"state":null}`, `{"conflict":true,"state":{},"version":2}`},
			{`{"id":"a","version":2,"state":null}`, `{"version":0}`},
			{`{"id":"a"}`, `{"state":null,"version":0}`},
			{`{"id":"a","version":2,"state":{"n":1}}`, `{"conflict":true,"state":null,"version":0}`},
			{`{"id":"a","version":2,"state":null}`, `{"conflict":true,"state":null,"version":0}`},
			{`{"id":"a","version":0,"state": null }`, `{"version":0}`},
			{`{"id":"a","version":0,"state":{"n":1}}`, `{"version":1}`},
		} {
			assert.Equal(t, step.want, c.state(step.arguments), "step %d: %s", i, step.arguments)
		}
		assert.Equal(t, `{"n":1}1 <nil>`, c.call("read", `{"ID":"a"}`), "the author's program reads it")
		// Another session of the same client.
		assert.Equal(t, `{"state":{"n":1},"version":1}`, connect(t, tr, s, "").state(`{"id":"a"}`))
	})
}

func TestListed(t *testing.T) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		viewstate.Register(s, viewstate.NewMemory(nil), nil)
		var list struct{ Tools []json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(connect(t, tr, s, "").Result(t, "tools/list", `{}`)), &list))
		require.Len(t, list.Tools, 1)
		assert.JSONEq(t, `{
			"name":"view_state","title":"View state",
			"description":"For views only: loads and saves what a view remembers, such as filters and drafts.",
			"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":false},
			"inputSchema":{"type":"object","required":["id"],"additionalProperties":false,"properties":{
				"id":{"type":"string","description":"The id of the state, which the view has from a tool's result"},
				"version":{"type":"integer","minimum":0,"description":"The version that the save replaces, 0 if it replaces nothing"},
				"state":{"type":["object","null"],"description":"The state to save; null to delete it; absent to load it"}}},
			"_meta":{"ui":{"visibility":["app"]}}}`, string(list.Tools[0]))
	})
}

func TestRejected(t *testing.T) {
	c := inProcess(t, boardServer(viewstate.NewMemory(nil), &viewstate.Options{MaxBytes: 40, Rate: 1000}))
	nested := func(levels int) string { // of arrays in the object
		return `{"id":"a","version":0,"state":{"a":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}}`
	}
	for arguments, want := range map[string]string{
		`{}`:                         "error: the arguments: ",
		`{"id":7}`:                   "error: the arguments: ",
		`{"id":"a","more":1}`:        "error: the arguments: ",
		`{"ID":"a"}`:                 "error: the arguments: ",
		`{"id":"a","version":"1"}`:   "error: the arguments: ",
		`{"id":"a","version":-1}`:    "error: the arguments: ",
		`{"id":"a","version":1.5}`:   "error: the arguments: ",
		`{"id":"a","version":1e300}`: "error: the arguments: ",
		`{"id":""}`:                  "error: the id has 0 characters: it must have 1 to 128",
		`{"id":"` + strings.Repeat("é", 129) + `"}`:                              "error: the id has 129 characters: it must have 1 to 128",
		`{"id":"form\u0000a"}`:                                                   "error: the id has a control character",
		`{"id":"a\u0085"}`:                                                       "error: the id has a control character",
		`{"id":"a","version":1}`:                                                 "error: version without state: leave it out to load the state",
		`{"id":"a","state":{}}`:                                                  "error: state without version: send the version that the save replaces, 0 if it replaces nothing",
		`{"id":"a","version":0,"state":[]}`:                                      "error: the state must be an object, or null to delete it",
		`{"id":"a","version":0,"state":"{}"}`:                                    "error: the state must be an object, or null to delete it",
		`{"id":"a","version":0,"state":false}`:                                   "error: the state must be an object, or null to delete it",
		`{"id":"a","version":0,"state":{"a":"` + strings.Repeat("b", 33) + `"}}`: "error: the state has 41 bytes: it must have at most 40",
	} {
		assert.True(t, strings.HasPrefix(c.state(arguments), want), "%s: %s", arguments, c.state(arguments))
	}
	assert.Equal(t, `{"state":null,"version":0}`, c.state(`{"id":"`+strings.Repeat("é", 128)+`"}`))
	assert.Equal(t, `{"state":null,"version":0}`, c.state(`{"id":"a"}`), "nothing was saved")
	assert.Equal(t, `{"version":1}`, c.state(`{"id":"a","version":0,"state": { "a" : "`+strings.Repeat("b", 32)+`" } }`), "spaces don't count")

	c = inProcess(t, boardServer(viewstate.NewMemory(nil), nil))
	assert.Equal(t, "error: the state is nested more than 64 levels deep", c.state(nested(64)))
	assert.Equal(t, `{"version":1}`, c.state(nested(63)))
	assert.Equal(t, `{"version":1}`, c.state(`{"id":"b","version":0,"state":{"a":"`+strings.Repeat(`[{\"`, 100)+`"}}`), "brackets in a string")
	full := `{"id":"c","version":0,"state":{"a":"` + strings.Repeat("b", 64<<10-8)
	assert.Equal(t, "error: the state has 65537 bytes: it must have at most 65536", c.state(full+`b"}}`))
	assert.Equal(t, `{"version":1}`, c.state(full+`"}}`))
}

// TestUsers: with the id of another user's document, a user reads and changes nothing.
func TestUsers(t *testing.T) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		t.Parallel() // a save of a version that is not there waits
		if !tr.HTTP {
			t.Log("this transport has no users")
			return
		}
		s := boardServer(viewstate.NewMemory(nil), nil)
		ada, bob, nobody := connect(t, tr, s, "ada"), connect(t, tr, s, "bob"), connect(t, tr, s, "")
		assert.Equal(t, `{"version":1}`, ada.state(`{"id":"x","version":0,"state":{"by":"ada"}}`))
		for _, c := range []*client{bob, nobody} {
			assert.Equal(t, `{"state":null,"version":0}`, c.state(`{"id":"x"}`))
			assert.Equal(t, `{"conflict":true,"state":null,"version":0}`, c.state(`{"id":"x","version":1,"state":{"by":"another"}}`))
			assert.Equal(t, `{"conflict":true,"state":null,"version":0}`, c.state(`{"id":"x","version":1,"state":null}`))
			assert.Equal(t, `{"version":1}`, c.state(`{"id":"x","version":0,"state":{"by":"another"}}`))
			assert.Equal(t, `{"version":0}`, c.state(`{"id":"x","version":1,"state":null}`))
		}
		assert.Equal(t, `{"state":{"by":"ada"},"version":1}`, ada.state(`{"id":"x"}`))
		assert.Equal(t, `{"state":{"by":"ada"},"version":1}`, connect(t, tr, s, "ada").state(`{"id":"x"}`))
		assert.Contains(t, bob.call("read", `{"ID":"x"}`), viewstate.ErrNotFound.Error())
	})
}

// TestFor: an id by subject is the same for a user's calls, another for other users, and
// missing where nobody knows who calls.
func TestFor(t *testing.T) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		s := boardServer(viewstate.NewMemory(nil), nil)
		id := func(token string) string { return connect(t, tr, s, token).call("id", `{}`) }
		if !tr.HTTP {
			assert.Regexp(t, `^[\w-]{22}true$`, id(""))
			assert.Equal(t, id(""), id(""))
			return
		}
		assert.Regexp(t, `^[\w-]{22}true$`, id("ada"))
		assert.Equal(t, id("ada"), id("ada"))
		assert.NotEqual(t, id("ada"), id("bob"))
		assert.Equal(t, "false", id(""))
	})
}

// TestWithoutUser: over HTTP without a user, whoever has an id has the document.
func TestWithoutUser(t *testing.T) {
	rawclient.EachTransport(t, func(t *testing.T, tr rawclient.Transport) {
		s := boardServer(viewstate.NewMemory(&viewstate.MemoryOptions{PerOwner: 1}), nil)
		c := connect(t, tr, s, "")
		assert.Equal(t, `{"version":1}`, c.state(`{"id":"x","version":0,"state":{"n":1}}`))
		assert.Equal(t, `{"version":1}`, c.state(`{"id":"y","version":0,"state":{"n":2}}`))
		want := `{"state":{"n":1},"version":1}`
		if !tr.HTTP { // x and y have one owner
			want = `{"state":null,"version":0}`
		}
		assert.Equal(t, want, connect(t, tr, s, "").state(`{"id":"x"}`))
	})
}

// TestTooOften: the rate is one owner's on all servers of a store, such as one for each
// request.
func TestTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := viewstate.NewMemory(nil)
		o := &viewstate.Options{Rate: 4}
		clients := []*client{inProcess(t, boardServer(st, o)), inProcess(t, boardServer(st, o))}
		save := func(version int) string {
			return clients[version%2].state(fmt.Sprintf(`{"id":"a","version":%d,"state":{}}`, version))
		}
		for version := range 8 {
			assert.Equal(t, fmt.Sprintf(`{"version":%d}`, version+1), save(version))
		}
		assert.Equal(t, `{"retry":250}`, save(8))
		assert.Equal(t, `{"retry":250}`, clients[1].state(`{"id":"b","version":0,"state":{}}`), "another document of the owner's")
		assert.Equal(t, `{"retry":250}`, clients[1].state(`{"id":"a","version":8,"state":null}`))
		assert.Equal(t, `{"state":{},"version":8}`, clients[0].state(`{"id":"a"}`), "loading is free")
		time.Sleep(249*time.Millisecond + time.Microsecond)
		assert.Equal(t, `{"retry":1}`, save(8))
		time.Sleep(time.Millisecond)
		assert.Equal(t, `{"version":9}`, save(8))
	})
}

type failing struct{ viewstate.Store }

func (failing) Get(context.Context, viewstate.Key) (viewstate.Record, error) {
	return viewstate.Record{}, errors.New("dial tcp 10.0.0.7: refused")
}

func (failing) Put(context.Context, viewstate.Key, []byte, int64) (viewstate.Record, error) {
	return viewstate.Record{}, errors.New("dial tcp 10.0.0.7: refused")
}

// TestStoreFails: the error is for the author, and the view gets an answer.
func TestStoreFails(t *testing.T) {
	var log bytes.Buffer
	c := inProcess(t, boardServer(failing{}, &viewstate.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
	for arguments, want := range map[string]string{
		`{"id":"a"}`:                          "error: the state can't be loaded now: try again later",
		`{"id":"a","version":0,"state":{}}`:   "error: the state can't be saved now: try again later",
		`{"id":"a","version":1,"state":null}`: "error: the state can't be saved now: try again later",
	} {
		log.Reset()
		assert.Equal(t, want, c.state(arguments))
		assert.Contains(t, log.String(), "10.0.0.7")
	}
}

// TestForeignDocument: what an author's program stores under a view's id breaks nothing.
func TestForeignDocument(t *testing.T) {
	st := viewstate.NewMemory(nil)
	c := inProcess(t, boardServer(st, nil))
	for id, value := range map[string]string{"a": "", "b": "\xff", "c": "[1]", "d": `{"a":`} {
		_, err := st.Put(t.Context(), viewstate.KeyFor(t.Context(), nil, id), []byte(value), 0)
		require.NoError(t, err)
		assert.Equal(t, `{"state":null,"version":1}`, c.state(`{"id":"`+id+`"}`))
		assert.Equal(t, `{"version":2}`, c.state(`{"id":"`+id+`","version":1,"state":{}}`))
	}
}

func TestPanics(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	assert.PanicsWithValue(t, "viewstate.Register: the store is nil: pass viewstate.NewMemory(nil), or viewstate.NewSQL for one that outlives the process", func() { viewstate.Register(s, nil, nil) })
	assert.PanicsWithValue(t, "viewstate.Register: the server is nil", func() { viewstate.Register(nil, viewstate.NewMemory(nil), nil) })
	o := viewstate.Options{MaxBytes: -1, Rate: -1}
	viewstate.Register(s, viewstate.NewMemory(nil), &o)
	assert.Equal(t, viewstate.Options{MaxBytes: -1, Rate: -1}, o)
	viewstate.Register(s, viewstate.NewMemory(nil), &viewstate.Options{Rate: int(time.Hour)}) // again, and as often as one likes
}
