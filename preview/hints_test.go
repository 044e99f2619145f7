package preview

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/host"
)

// hintedView returns a view on a tab without a page, and a function that returns the
// texts of the hints that came since it was last called.
func hintedView() (*view, func() []string) {
	p := &Preview{buffers: buffers{most: allBuffers}}
	v := &view{preview: p, tab: &tab{preview: p, buffer: p.buffers.newBuffer()}}
	v.hints.view, v.hints.patience = v, defaultPatience
	last := int64(0)
	return v, func() (texts []string) {
		for _, e := range v.tab.buffer.after(last) {
			var hint struct{ Type, Text string }
			if json.Unmarshal(e.data, &hint) == nil && hint.Type == "hint" {
				texts = append(texts, hint.Text)
			}
			last = e.id
		}
		return texts
	}
}

// The page says what a view has not sent, and no longer once it has.
func TestHints(t *testing.T) {
	later := func() { time.Sleep(time.Minute); synctest.Wait() }
	greeting := json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize"}`)
	initialize := func(v *view) {
		v.hints.opened()
		v.hints.received(greeting)
		v.hints.initialized()
	}
	for name, c := range map[string]struct {
		do   func(v *view)
		want []string // in order
	}{
		"mute": {func(v *view) { v.hints.opened() }, []string{"has not sent ui/initialize for 8s"}},
		"speaks of it": {func(v *view) {
			v.hints.opened()
			v.hints.received(json.RawMessage(`{"method":"x","params":"ui/initialize"}`))
		}, []string{"has not sent ui/initialize"}},
		"half":          {func(v *view) { v.hints.opened(); v.hints.received(greeting) }, []string{"no ui/notifications/initialized after the answer"}},
		"late":          {func(v *view) { v.hints.opened(); later(); initialize(v); v.hints.resized(host.Size{Height: 9}) }, []string{"has not sent ui/initialize", ""}},
		"no size":       {initialize, []string{"has not reported its size"}},
		"no height":     {func(v *view) { initialize(v); v.hints.resized(host.Size{Width: 300}) }, []string{"a height of 0"}},
		"height":        {func(v *view) { initialize(v); v.hints.resized(host.Size{Height: 9}) }, nil},
		"height, early": {func(v *view) { v.hints.opened(); v.hints.resized(host.Size{Height: 9}); v.hints.initialized() }, nil},
		"late height":   {func(v *view) { initialize(v); later(); v.hints.resized(host.Size{Height: 9}) }, []string{"has not reported its size", ""}},
		"late nothing":  {func(v *view) { initialize(v); later(); v.hints.resized(host.Size{}) }, []string{"has not reported its size"}},
		"loaded again":  {func(v *view) { initialize(v); v.hints.resized(host.Size{Height: 9}); later(); v.hints.initialized() }, nil},
		"closed":        {func(v *view) { v.hints.opened(); v.hints.close() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v, texts := hintedView()
				c.do(v)
				later()
				got := texts()
				if assert.Len(t, got, len(c.want), fmt.Sprint(got)) {
					for i, want := range c.want {
						if want == "" {
							assert.Empty(t, got[i])
						}
						assert.Contains(t, got[i], want)
					}
				}
			})
		})
	}
}

// What a view sends reaches its hints.
func TestHintsOfAView(t *testing.T) {
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{patience: &patience{initialize: time.Millisecond, size: time.Millisecond}})
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1}}]`)
	id := str(p.waitType("view")["view"])
	send := func(msg string) { p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":%s}]`, id, msg)) }
	assert.Contains(t, str(p.waitType("hint")["text"]), "has not sent ui/initialize")
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%s}`, fmt.Sprintf(initializeParams, "{}")))
	send(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`)
	assert.Empty(t, str(p.waitType("hint")["text"]))
	assert.Contains(t, str(p.waitType("hint")["text"]), "has not reported its size")
	send(`{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"height":7}}`)
	assert.Empty(t, str(p.waitType("hint")["text"]))
}
