package preview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/host"
)

// hintedView returns a view on a tab without a page, and a function that returns the
// kinds and texts of what was said since it was last called.
func hintedView() (*view, func() []string) {
	p := &Preview{buffers: buffers{most: allBuffers}}
	v := &view{preview: p, tab: &tab{preview: p, buffer: p.buffers.newBuffer()}}
	v.hints.view, v.hints.patience = v, defaultPatience
	last := int64(0)
	return v, func() (texts []string) {
		for _, e := range v.tab.buffer.after(last) {
			var said struct{ Type, Kind, Level, Text string }
			if json.Unmarshal(e.data, &said) == nil && (said.Type == "console" || said.Type == "entry") {
				texts = append(texts, said.Kind+": "+said.Text)
			}
			last = e.id
		}
		return texts
	}
}

// The preview says what a view has not done, once for each document.
func TestHints(t *testing.T) {
	later := func() { time.Sleep(time.Minute); synctest.Wait() }
	greeting := json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize"}`)
	initialize := func(v *view) {
		v.hints.opened()
		v.hints.received(greeting)
		v.hints.sent(json.RawMessage(`{"jsonrpc":"2.0","id":0,"result":{}}`))
		v.hints.initialized()
	}
	const never = "connect: The view has not called app.connect() for 5s"
	for name, c := range map[string]struct {
		do   func(v *view)
		want []string // in order
	}{
		"mute": {func(v *view) { v.hints.opened() }, []string{never}},
		"speaks of it": {func(v *view) {
			v.hints.opened()
			v.hints.received(json.RawMessage(`{"method":"x","params":"ui/initialize"}`))
		}, []string{never}},
		"half": {func(v *view) { v.hints.opened(); v.hints.received(greeting) }, []string{"connect: app.connect() has not come to its end for 5s"}},
		"refused": {func(v *view) {
			v.hints.opened()
			v.hints.received(greeting)
			v.hints.sent(json.RawMessage(`{"jsonrpc":"2.0","id":1,"error":{"message":"of another request"}}`))
			v.hints.sent(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"x","error":{"message":"a request"}}`))
			v.hints.sent(json.RawMessage(`{"jsonrpc":"2.0","id":0,"error":{"message":"appInfo is missing"}}`))
		}, []string{"connect: app.connect() failed: the host rejected the view's ui/initialize: appInfo is missing"}},
		"late":      {func(v *view) { v.hints.opened(); later(); initialize(v); v.hints.resized(host.Size{Height: 9}) }, []string{never}},
		"no size":   {initialize, []string{": The view has not reported its size"}},
		"no height": {func(v *view) { initialize(v); v.hints.resized(host.Size{Width: 300}) }, []string{"blank: The view reports a height of 0"}},
		"no height and nothing in it": {func(v *view) {
			initialize(v)
			v.hints.resized(host.Size{Width: 300})
			v.hints.blank()
		}, []string{"blank: The view shows nothing 3s after its result"}},
		"height":           {func(v *view) { initialize(v); v.hints.resized(host.Size{Height: 9}) }, nil},
		"height, early":    {func(v *view) { v.hints.opened(); v.hints.resized(host.Size{Height: 9}); v.hints.initialized() }, nil},
		"late nothing":     {func(v *view) { initialize(v); later(); v.hints.resized(host.Size{}) }, []string{": The view has not reported its size"}},
		"loaded again":     {func(v *view) { initialize(v); v.hints.resized(host.Size{Height: 9}); later(); v.hints.initialized() }, nil},
		"another document": {func(v *view) { v.hints.opened(); later(); v.hints.opened() }, []string{never, never}},
		"closed":           {func(v *view) { v.hints.opened(); v.hints.close(); v.hints.blank() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v, texts := hintedView()
				c.do(v)
				later()
				got := texts()
				if assert.Len(t, got, len(c.want), fmt.Sprint(got)) {
					for i, want := range c.want {
						assert.Contains(t, got[i], want)
					}
				}
			})
		})
	}
}

// What a view sends reaches its hints, and so do the answers.
func TestHintsOfAView(t *testing.T) {
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{patience: &patience{initialize: time.Millisecond, size: time.Millisecond}})
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	id := str(p.waitType("opening")["view"]) // the hint may come before "view"
	send := func(msg string) { p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, id, msg)) }
	says := func(part string) {
		t.Helper()
		p.wait(part, func(e map[string]json.RawMessage) bool { return strings.Contains(str(e["text"]), part) })
	}
	says("has not called app.connect()")
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	says("has not reported its size")
}

// The page says why the host rejected a view's ui/initialize.
func TestHintOfARejectedConnect(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	id := str(p.waitType("view")["view"])
	p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{}}}]`, id))
	e := p.waitType("console")
	assert.JSONEq(t, `"connect"`, string(e["kind"]))
	assert.Contains(t, str(e["text"]), "app.connect() failed: the host rejected the view's ui/initialize: ui/initialize: appInfo is missing")
}
