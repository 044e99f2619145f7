package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// notesView is what the view of the test sends, one message after the other.
var notesView = []string{
	`{"method":"ui/notifications/sandbox-proxy-ready"}`,
	`{"id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{"availableDisplayModes":["inline","fullscreen"]},"protocolVersion":"2026-01-26"}}`,
	`{"method":"ui/notifications/initialized"}`,
	`{"id":2,"method":"tools/call","params":{"name":"notes.add","arguments":{"text":"new"}}}`,
	`{"id":3,"method":"tools/call","params":{"name":"notes.board","arguments":{},"_meta":{"openai/locale":"de-DE"}}}`,
	`{"id":4,"method":"tools/call","params":{"name":"notes.add","arguments":{}}}`,
	`{"id":5,"method":"tools/list"}`,
	`{"id":6,"method":"resources/list"}`,
	`{"id":7,"method":"resources/read","params":{"uri":"` + notesURI + `"}}`,
	`{"id":8,"method":"ui/open-link","params":{"url":"https://example.com/help"}}`,
	`{"id":9,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"hi"}]}}`,
	`{"id":10,"method":"ui/update-model-context","params":{"content":[{"type":"text","text":"two notes"}]}}`,
	`{"id":11,"method":"ui/download-file","params":{"contents":[{"type":"resource","resource":{"uri":"file:///a","text":"x"}}]}}`,
	`{"id":12,"method":"ui/request-display-mode","params":{"mode":"fullscreen"}}`,
	`{"method":"ui/notifications/size-changed","params":{"width":480,"height":640}}`,
	`{"method":"notifications/message","params":{"level":"info","data":"a log"}}`,
	`{"id":13,"method":"ping"}`,
	// The document is loaded again.
	`{"id":1,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`,
	`{"method":"ui/notifications/initialized"}`,
	`{"method":"ui/notifications/request-teardown"}`,
}

// notesPlaces are the members of messages to the view in which package openai adds something.
var notesPlaces = []string{
	".result.hostContext.toolInfo.tool._meta",
	".result.tools", ".result.tools[]._meta", ".result.resources[]._meta", ".result.contents[]._meta",
}

// A conversation is what each side of a host gets, in its order.
type conversation struct {
	ToServer, ToView, ToProgram []string
	// places are the members of messages to the view that had something of package openai.
	places map[string]bool
	failed int // requests of the view

	mu sync.Mutex
}

// add adds an entry to a list of the conversation.
func (c *conversation) add(list *[]string, words ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*list = append(*list, fmt.Sprintln(words...))
}

// sent is the transport to the view. It records what the view gets.
func (c *conversation) sent(msg json.RawMessage) error {
	var m map[string]any
	if err := json.Unmarshal(msg, &m); err != nil {
		return err
	}
	at := make(map[string]bool)
	withoutOpenAI(m, "", at)
	plain, err := json.Marshal(m)
	c.add(&c.ToView, string(plain))
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.places, at)
	if m["error"] != nil {
		c.failed++
	}
	return err
}

// received is a middleware of the server that records what it gets.
func (c *conversation) received(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		params, err := json.Marshal(req.GetParams())
		c.add(&c.ToServer, method, string(params), err)
		return next(ctx, method, req)
	}
}

// options returns those of a program that offers everything and records what it is told.
func (c *conversation) options(p *compat.Profile) *host.BridgeOptions {
	told := func(words ...any) { c.add(&c.ToProgram, words...) }
	return &host.BridgeOptions{
		Emulation: host.Emulate(p),
		Context: host.HostContext{
			Theme: host.ThemeLight, DisplayMode: host.DisplayInline,
			AvailableDisplayModes: []host.DisplayMode{host.DisplayInline, host.DisplayFullscreen},
		},
		AllowRead:          func(string) bool { return true },
		OpenLink:           func(_ context.Context, u *url.URL) error { told("link", u); return nil },
		Message:            func(_ context.Context, m *host.ViewMessage) error { told("message", toJSON(m)); return nil },
		UpdateModelContext: func(_ context.Context, m *host.ModelContext) error { told("context", toJSON(m)); return nil },
		Download:           func(_ context.Context, d []host.Download) error { told("download", toJSON(d)); return nil },
		DisplayMode:        func(_ context.Context, m host.DisplayMode) (host.DisplayMode, error) { told("mode", m); return m, nil },
		SizeChanged:        func(s host.Size) { told("size", toJSON(s)) },
		Log:                func(m host.LogMessage) { told("log", toJSON(m)) },
		Ready:              func() { told("ready") },
		RequestTeardown:    func() { told("request-teardown") },
		Closed:             func(reason error) { told("closed", reason) },
		Trace: func(e host.TraceEntry) {
			if e.Direction == host.Note {
				told("note", e.Text)
			}
		},
	}
}

func toJSON(v any) string {
	data, err := json.Marshal(v)
	return fmt.Sprintf("%s %v", data, err)
}

// converse opens the view of a server in a host that emulates the profile, nil for none.
func converse(t *testing.T, declared bool, version string, p *compat.Profile) *conversation {
	c := &conversation{places: make(map[string]bool)}
	requests := 0
	synctest.Test(t, func(t *testing.T) {
		s := newNotes(declared)
		s.AddReceivingMiddleware(c.received)
		conn, err := host.Connect(t.Context(), host.Target{Server: s}, &host.ConnectOptions{ProtocolVersion: version})
		require.NoError(t, err)
		defer conn.Close()
		defer func() {
			synctest.Wait()
			requests = len(c.ToServer) // without the end of the connection
		}()
		b, err := conn.Open(t.Context(), "notes.board", map[string]any{}, c.options(p))
		c.add(&c.ToProgram, "opened", err)
		synctest.Wait()
		slices.Sort(c.ToServer) // some of it is sent at the same time
		if errors.Is(err, host.ErrNoApp) {
			return
		}
		require.NoError(t, err)
		b.Attach(host.TransportFunc(c.sent))
		for _, m := range notesView {
			b.Receive(json.RawMessage(`{"jsonrpc":"2.0",` + m[1:]))
			synctest.Wait()
		}
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			b.Close(t.Context(), nil)
		}()
		synctest.Wait()
		var teardown struct {
			ID     json.RawMessage
			Method string
		}
		require.NoError(t, json.Unmarshal([]byte(c.ToView[len(c.ToView)-1]), &teardown))
		if teardown.Method == "ui/resource-teardown" {
			b.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, teardown.ID)))
		}
		<-closed
	})
	c.ToServer = c.ToServer[:requests]
	return c
}

// TestEverythingInEachHost: in each host that is emulated, and in none, the view, the server
// and the program get the same from a server with everything declared as from one without,
// but for OpenAI's keys on the tool, in lists and on the document that the view reads.
func TestEverythingInEachHost(t *testing.T) {
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		for _, p := range append(compat.Profiles(), nil) {
			name := "none"
			if p != nil {
				name = p.ID
			}
			t.Run(version+"/"+name, func(t *testing.T) {
				plain, declared := converse(t, false, version, p), converse(t, true, version, p)
				assert.Empty(t, plain.places)
				assert.Equal(t, plain.ToView, declared.ToView)
				assert.Equal(t, plain.ToServer, declared.ToServer)
				assert.Equal(t, plain.ToProgram, declared.ToProgram)
				if p == nil { // emulations leave some of it out
					assert.Zero(t, plain.failed)
					assert.Equal(t, slices.Sorted(slices.Values(notesPlaces)), slices.Sorted(maps.Keys(declared.places)))
				}
				assert.Subset(t, notesPlaces, slices.Collect(maps.Keys(declared.places)))
			})
		}
	}
}
