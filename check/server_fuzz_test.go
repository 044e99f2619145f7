package check

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
)

// rawResults is a server by methods.
type rawResults map[string]string

func (a rawResults) Call(_ context.Context, method string, _ map[string]any) (json.RawMessage, error) {
	return json.RawMessage(a[method]), nil
}

func (a rawResults) Notify(context.Context, string, map[string]any) error { return nil }
func (a rawResults) StrayLines() []string                                 { return nil }
func (a rawResults) Close()                                               {}

// FuzzServer holds the check to its promise that nothing which a server
// answers makes it panic, or run forever.
func FuzzServer(f *testing.F) {
	const (
		hello     = `{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"extensions":{"io.modelcontextprotocol/ui":null}},"serverInfo":{"name":"x"}}`
		tools     = `{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://a","visibility":["app",1]},"ui/resourceUri":"ui://b"}},{},null,1],"nextCursor":"x"}`
		resources = `{"resources":[{"uri":"ui://a","name":"a","mimeType":"text/html+mcp","_meta":{"ui":{"csp":{"connectDomains":["x",1]},"permissions":{"camera":true},"domain":1}}},{"uri":1}]}`
		read      = `{"contents":[{"uri":"ui://a","mimeType":1,"blob":"!","text":"<p>","_meta":{"ui":[]}},null],"_meta":{"ui":{}}}`
		call      = `{"content":[{"type":"text","text":1},null],"structuredContent":[{"a":"<!doctype html>"}]}`
	)
	f.Add(hello, tools, resources, read, call)
	f.Add(`{}`, `{"tools":{}}`, `[]`, `{"contents":{}}`, `null`)
	f.Add(hello, `{"tools":[{"name":"t","inputSchema":1,"_meta":[]}]}`, ``, `{"contents":[{"text":"<!doctype html><script>fetch('x')</script>"}]}`, `{`)
	f.Add(`{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"openai/settings":{"readTool":"t","updateTool":"t"}},"experimental":{"openai/mentions":{"searchTool":"t"},"openai/settings":1}},"serverInfo":{"name":"x"}}`,
		`{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"openai/fileParams":["f",1],"openai/toolInvocation/invoking":2,"openai/ui":{"entrypoints":[{"type":"global","quickAction":{"target":{"name":"t","arguments":[]}}},{"type":"file","extensions":[".a",1]},null],"x":1}}}]}`,
		resources, `{"contents":[{"uri":"ui://a","text":"<p>","_meta":{"openai/ui":{"availableDisplayModes":["pip",1],"preferredDisplayMode":2},"openai/widgetCSP":{"redirect_domains":["x",{}]}}}]}`,
		`{"content":[],"structuredContent":{"schema":{"type":"object","properties":{"a":{"type":"string","title":"A","enum":[1]},"b":1}},"values":{"a":null},"layout":[{"kind":"group","title":"T","items":[{"kind":"tool","tool":"t"},{"kind":"property","property":"a"},1]}],"items":[{"type":"resource_link","uri":1},null]}}`)
	f.Fuzz(func(t *testing.T, hello, tools, resources, read, call string) {
		w := rawResults{"initialize": hello, "ping": `{}`, "tools/list": tools, "resources/list": resources, "resources/read": read, "tools/call": call, "server/discover": `{}`}
		o, err := (&Options{MaxEntries: 100}).withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r, err := run(t.Context(), &o, &dialer{local: true, connect: func(context.Context) (rpc.Conn, error) { return w, nil }})
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("took %v", d)
		}
		if err != nil {
			return
		}
		if err := r.WriteText(io.Discard); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}
