package check

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// generated is a server whose answers are made of repeated entries.
type generated struct {
	tools, resources string
	read             func(uri string) string // the content item; "" is not found
	call             string
	capabilities     string // with a comma before them
}

func (g *generated) Call(_ context.Context, method string, params map[string]any) (json.RawMessage, error) {
	result := "{}"
	switch method {
	case "initialize":
		version, _ := params["protocolVersion"].(string)
		result = `{"protocolVersion":"` + version + `","capabilities":{"resources":{},"tools":{}` + g.capabilities + `},"serverInfo":{"name":"g"}}`
	case "server/discover":
		result = `{"supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}` + g.capabilities + `}}`
	case "tools/list":
		result = `{"tools":[` + g.tools + `]}`
	case "resources/list":
		result = `{"resources":[` + g.resources + `]}`
	case "resources/read":
		item := ""
		if g.read != nil {
			item = g.read(params["uri"].(string))
		}
		if item == "" {
			return nil, &jsonrpc.Error{Code: -32002, Message: "Resource not found"}
		}
		result = `{"contents":[` + item + `]}`
	case "tools/call":
		result = g.call
	}
	return json.RawMessage(result), nil
}

func (g *generated) Notify(context.Context, string, map[string]any) error { return nil }
func (g *generated) StrayLines() []string                                 { return nil }
func (g *generated) Close()                                               {}

// repeated returns n entries, or a twentieth in the plain run, separated by commas, with
// their number in place of #.
func repeated(n int, entry string) string {
	if !testenv.Full() {
		n /= 20
	}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(entry, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestCostServer checks servers whose answers are as large as the check reads, in
// shapes that take time in proportion to more than their length where something is
// looked for in all of something else.
func TestCostServer(t *testing.T) {
	testenv.Measure(t)
	const (
		app  = `{"name":"t#","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://a/#"},"ui/resourceUri":"ui://a/#"}}`
		item = `{"uri":"%s","mimeType":"text/html;profile=mcp-app","text":%q}`
	)
	reads := func(doc string) func(string) string {
		return func(uri string) string { return fmt.Sprintf(item, uri, doc) }
	}
	deep := strings.Repeat(`{"a":`, 9_000) + "1" + strings.Repeat("}", 9_000)
	long := strings.Repeat("x", 2_500)
	doc := "<!doctype html><p>x"
	// A schema that takes most of what one check may take: each of 11 levels applies the
	// next one twice.
	var costly strings.Builder
	costly.WriteString(`{"type":"object","$ref":"\u0023/$defs/a0","$defs":{`)
	for i := range 11 {
		fmt.Fprintf(&costly, `"a%d":{"allOf":[{"$ref":"\u0023/$defs/a%d"},{"$ref":"\u0023/$defs/a%[2]d"}]},`, i, i+1)
	}
	costly.WriteString(`"a11":{"minProperties":0}}}`)
	const (
		hosted = `,"extensions":{"openai/settings":{"readTool":"read","updateTool":"read"},"openai/mentions":{"searchTool":"find"}}`
		named  = `{"name":"read","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"find","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`
	)
	for name, g := range map[string]*generated{
		"more tools than are read":      {tools: repeated(100_000, `{"name":"t#","inputSchema":{"type":"object"}}`)},
		"an app for each tool":          {tools: repeated(10_000, app), resources: repeated(10_000, `{"uri":"ui://a/#","name":"#","mimeType":"text/html;profile=mcp-app"}`), read: reads(doc), call: `{"content":[]}`},
		"apps that can't be read":       {tools: repeated(10_000, app), resources: repeated(10_000, `{"uri":"ui://b/`+strings.Repeat("y", 90)+`#","name":"#"}`), call: `null`},
		"long URIs":                     {resources: repeated(10_000, `{"uri":"ui://`+long+`#","name":"#"}`), read: reads(doc)},
		"invalid entries":               {tools: repeated(10_000, `{"name":#}`), resources: repeated(10_000, `{"uri":#}`)},
		"long names of app-only tools":  {tools: repeated(5_000, `{"name":"`+long+`#","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}}`), resources: repeated(100, `{"uri":"ui://a/#","name":"#"}`), read: reads(doc + strings.Repeat(long, 80))},
		"a tool that is unknown, often": {tools: repeated(500, `{"name":"`+strings.Repeat("z", 90)+`#","inputSchema":{"type":"object"}}`), resources: `{"uri":"ui://a/0","name":"0"}`, read: reads(doc + "<script>" + repeated(50_000, `app.callServerTool({name:"`+strings.Repeat("q", 80)+`#"})`) + "</script>")},
		"deep schemas":                  {tools: repeated(60, `{"name":"t#","inputSchema":{"type":"object","x":`+deep+`},"outputSchema":`+deep+`,"_meta":{"ui":`+deep+`}}`)},
		"deep metadata":                 {tools: strings.ReplaceAll(app, "#", "0"), resources: repeated(100, `{"uri":"ui://a/#","name":"#","_meta":{"ui":{"csp":`+deep+`}}}`), read: reads(doc), call: `{"content":[],"structuredContent":` + deep + `}`},
		"wide metadata":                 {tools: `{"name":"t","inputSchema":{"type":"object"},"_meta":{` + repeated(200_000, `"resource_uri#":"ui://a"`) + `,"ui":{` + repeated(300_000, `"visibilty#":1`) + `}}}`},
		"a wide CSP":                    {tools: strings.ReplaceAll(app, "#", "0"), resources: `{"uri":"ui://a/0","name":"0","_meta":{"ui":{"csp":{"connectDomains":[` + repeated(200_000, `"https://#.example.com/x"`) + `]}}}}`, read: reads(doc), call: `{"content":[]}`},
		"a wide visibility":             {tools: `{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":[` + repeated(1_000_000, `"w#"`) + `]}}}`},
		"icons":                         {tools: `{"name":"t","inputSchema":{"type":"object"},"icons":[` + repeated(500_000, `{"src":"data:,#"}`) + `]}`},
		"a pattern and many properties": {tools: `{"name":"t","inputSchema":{"type":"object","properties":{` + repeated(300_000, `"p#":{"type":"string","pattern":"^(a+)+$","default":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}`) + `}}}`},
		"many blocks":                   {tools: strings.ReplaceAll(app, "#", "0"), resources: `{"uri":"ui://a/0","name":"0"}`, read: reads(doc), call: `{"content":[` + repeated(300_000, `{"type":"resource_link","uri":"x:#","name":"#"}`) + `]}`},
		"a deep result":                 {tools: strings.ReplaceAll(app, "#", "0"), read: reads(doc), call: `{"content":[],"structuredContent":` + strings.Repeat("[", 9_000) + `"<!doctype html>"` + strings.Repeat("]", 9_000) + `}`},
		"entrypoints of each tool":      {tools: repeated(10_000, `{"name":"t#","inputSchema":`+costly.String()+`,"_meta":{"openai/ui":{"entrypoints":[{"type":"global"},{"type":"file","extensions":[".a"]}]}}}`)},
		"entrypoints of one tool":       {tools: `{"name":"t","inputSchema":{"type":"object"},"_meta":{"openai/ui":{"entrypoints":[` + repeated(300_000, `{"type":"global","x":#,"quickAction":{"target":{"name":"t"}}}`) + `]}}}`},
		"files as arguments":            {tools: `{"name":"t","inputSchema":{"type":"object"},"_meta":{"openai/fileParams":[` + repeated(500_000, `"f#"`) + `]}}`},
		"a wide widgetCSP": {tools: strings.ReplaceAll(app, "#", "0"), resources: `{"uri":"ui://a/0","name":"0"}`, read: func(uri string) string {
			return fmt.Sprintf(item, uri, doc)[:len(fmt.Sprintf(item, uri, doc))-1] + `,"_meta":{"openai/widgetCSP":{"redirect_domains":[` + repeated(200_000, `"https://#.example.com/x"`) + `]}}}`
		}, call: `{"content":[]}`},
		"many settings":       {capabilities: hosted, tools: named, call: `{"content":[],"structuredContent":{"schema":{"type":"object","properties":{` + repeated(100_000, `"p#":{"type":"string","title":"P","pattern":"^(a+)+$"}`) + `}},"values":{` + repeated(100_000, `"p#":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"`) + `}}}`},
		"many buttons":        {capabilities: hosted, tools: named + `,{"name":"b","inputSchema":` + costly.String() + `}`, call: `{"content":[],"structuredContent":{"schema":{"type":"object"},"values":{},"layout":[{"kind":"group","title":"G","items":[` + repeated(300_000, `{"kind":"tool","tool":"b"}`) + `]}]}}`},
		"many mentions":       {capabilities: hosted, tools: named, call: `{"content":[],"structuredContent":{"items":[` + repeated(300_000, `{"type":"resource_link","uri":"x:#"}`) + `]}}`},
		"one tool many times": {tools: repeated(10_000, `{"name":"t","n":#,"inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://a"}}}`), read: reads(doc)},
	} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			o, err := (*Options)(nil).withDefaults()
			require.NoError(t, err)
			peak, stop := peakHeap()
			start := cputime.Used()
			r, err := run(t.Context(), &o, &dialer{local: true, connect: func(context.Context) (rpc.Conn, error) { return g, nil }})
			require.NoError(t, err)
			require.NoError(t, r.WriteText(io.Discard))
			took := cputime.Used() - start
			stop()
			size := len(g.tools) + len(g.resources)
			t.Logf("%v, %d MB at most at once, for %d kB of lists; %d findings", took, (*peak-min(*peak, before.HeapAlloc))>>20, size>>10, len(r.Findings))
			most := 20 * time.Second
			if !testenv.Full() {
				most = 5 * time.Second
			}
			assert.Less(t, took, most)
			assert.Less(t, *peak-min(*peak, before.HeapAlloc), uint64(2000<<20))
			assert.LessOrEqual(t, len(r.Findings), 20*maxPerRule)
		})
	}
}

// peakHeap returns the largest heap that is seen until stop.
func peakHeap() (peak *uint64, stop func()) {
	peak = new(uint64)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapAlloc)
			select {
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(quit); <-done }
}
