// Package preview tests the preview page in Chromium: views that attack it, the
// published apps, and what an author sees.
package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/preview"
)

// patience is how long a step may take on a machine that does other things too.
const patience = 2 * time.Minute

func TestMain(m *testing.M) { e2e.Main(m) }

type running struct{ *preview.Preview }

func start(t *testing.T, s *mcp.Server) running {
	t.Helper()
	return startTarget(t, host.Target{Server: s})
}

func startTarget(t *testing.T, target host.Target) running {
	t.Helper()
	return startWith(t, target, nil)
}

func startWith(t *testing.T, target host.Target, opts *preview.Options) running {
	t.Helper()
	e2e.Need(t, e2e.Browser)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if opts == nil {
		opts = &preview.Options{}
	}
	if opts.Connect == nil {
		// A program may need longer than the default to start on a busy machine.
		opts.Connect = &host.ConnectOptions{ConnectTimeout: patience}
	}
	p, err := preview.Start(ctx, target, opts)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return running{p}
}

type page struct{ *chrome.Page }

func (p running) open(t *testing.T, query string, width, height int) page {
	t.Helper()
	g := p.openAt(t, p.URL()+query, width, height, false)
	g.wait(t, `document.querySelector("button.tool")`)
	return g
}

func (p running) openURL(t *testing.T, url string) page {
	g := p.openAt(t, url, 800, 600, false)
	g.wait(t, `document.getElementById("log")`)
	return g
}

func (p running) openAt(t *testing.T, url string, width, height int, dark bool) page {
	t.Helper()
	b := e2e.SharedBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	g, err := b.Open(ctx, url, width, height, dark)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return page{g}
}

func (g page) eval(t *testing.T, expression string, v any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, g.Eval(ctx, expression, v))
}

func (g page) wait(t *testing.T, expression string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := g.Wait(ctx, expression); err != nil {
		g.shoot(t, "failed-"+strings.ReplaceAll(t.Name(), "/", "-"))
		t.Fatalf("%v; the record:\n%.6000s\nconsole: %s", err, g.record(t), g.Console())
	}
}

// call chooses a tool and calls it, as a person would.
func (g page) call(t *testing.T, tool, args string) {
	t.Helper()
	g.eval(t, fmt.Sprintf(`(() => {
		document.getElementById("clear").click();
		document.querySelector('button.tool[data-tool=%[1]q]').click();
		document.getElementById("as-json").click();
		document.getElementById("json").value = %[2]q;
		document.getElementById("call").click();
	})()`, tool, args), nil)
}

// recordEntries are the record's, without the documents that the page gave to proxies.
const recordEntries = `[...document.querySelectorAll("#log > li")].map((li) => li.dataset.text).filter((x) => !x.includes('sandbox-resource-ready",'))`

// record returns the searchable text of the page's record, in lower case: all
// messages and notes.
func (g page) record(t *testing.T) string {
	t.Helper()
	var text string
	g.eval(t, recordEntries+`.join("\n")`, &text)
	return text
}

// waitRecord waits until want is on the record. The page looks for it:
// a record can be long.
func (g page) waitRecord(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		var there bool
		g.eval(t, fmt.Sprintf(`%s.some((entry) => entry.includes(%q))`, recordEntries, strings.ToLower(want)), &there)
		if there {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%q is not on the record:\n%.6000s\nconsole: %s", want, g.record(t), g.Console())
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (g page) eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(250 * time.Millisecond) {
		if time.Now().After(end) {
			g.shoot(t, "failed-"+strings.ReplaceAll(t.Name(), "/", "-"))
			t.Fatalf("the condition did not become true; the record:\n%.4000s\nconsole: %s", g.record(t), g.Console())
		}
	}
}

// shoot saves a screenshot of the page in the artifacts, for people to look at: in ci/full,
// and where a test fails.
func (g page) shoot(t *testing.T, name string) {
	t.Helper()
	if !testenv.Full() && !strings.HasPrefix(name, "failed-") {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	png, err := g.Screenshot(ctx)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(e2e.Artifacts(t), name+".png"), png, 0o644))
}

func rawRequest(t *testing.T, addr, request string) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, _ = io.WriteString(conn, request)
	data, _ := io.ReadAll(conn)
	return data
}

// showcase is a server whose tools fill every part of the page.
func showcase() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "weather", Title: "Weather station", Version: "2.1.0"}, &mcp.ServerOptions{Instructions: "Ask for a place by its name."})
	const view = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
	body{font:15px/1.5 system-ui,sans-serif;margin:0;padding:20px;background:var(--color-background-primary,Canvas);color:var(--color-text-primary,CanvasText)}
	.row{display:flex;gap:12px;flex-wrap:wrap}.day{flex:1;min-width:90px;border:1px solid var(--color-border-primary,#ccc);border-radius:10px;padding:12px}
	b{font-size:26px;display:block}</style><h2 style="margin:0 0 12px">Oslo, next days</h2><div class="row" id="r"></div><script>
	let id=0;const post=(m)=>parent.postMessage({jsonrpc:"2.0",...m},"*");
	const draw=(d)=>{r.replaceChildren(...d.map((x)=>{const e=document.createElement("div");e.className="day";e.innerHTML="<span></span><b></b>";e.children[0].textContent=x.day;e.children[1].textContent=x.t+"°";return e}))};
	const vars=(c)=>{for(const [k,v] of Object.entries(c?.styles?.variables??{}))document.documentElement.style.setProperty(k,v);if(c?.theme)document.documentElement.style.colorScheme=c.theme};
	addEventListener("message",(e)=>{if(e.source!==parent)return;const m=e.data;
	 if(m.id===0&&m.result){vars(m.result.hostContext);post({method:"ui/notifications/initialized"})}
	 if(m.method==="ui/notifications/host-context-changed")vars(m.params);
	 if(m.method==="ui/notifications/tool-result"){draw(m.params.structuredContent.days);post({method:"ui/notifications/size-changed",params:{width:innerWidth,height:document.documentElement.getBoundingClientRect().height}});
	  post({id:1,method:"ui/update-model-context",params:{content:[{type:"text",text:"The user sees Oslo."}]}});
	  post({id:2,method:"tools/call",params:{name:"secret"}});
	  post({id:3,method:"ui/open-link",params:{url:"https://yr.no/"}});
	  post({method:"ui/notifications/size-change",params:{}});
	  fetch("https://api.met.no/data").catch(()=>{});try{new Function("")}catch{};new Image().src="https://tiles.example/1.png"}
	 if(m.method==="ui/resource-teardown")post({id:m.id,result:{}})});
	post({id:0,method:"ui/initialize",params:{appInfo:{name:"weather",version:"1"},appCapabilities:{availableDisplayModes:["inline","fullscreen"]},protocolVersion:"2026-01-26"}});
	</script>`
	schema := json.RawMessage(`{"type":"object","required":["place"],"properties":{
		"place":{"type":"string","title":"Place","description":"A town, or the name of a station.","default":"Oslo"},
		"days":{"type":"integer","description":"From 1 to 10.","default":3},
		"unit":{"enum":["celsius","fahrenheit"],"default":"celsius"},
		"hourly":{"type":"boolean","description":"Each hour of the first day, too."},
		"bounds":{"type":"array","items":{"type":"number"},"description":"South, west, north, east."}}}`)
	text := "Oslo: Monday 4°, Tuesday 6°, Wednesday 3°."
	s.AddTool(&mcp.Tool{Name: "forecast", Title: "Forecast", Description: "The weather of the next days at a place.", InputSchema: schema, Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://weather/forecast.html"}}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: map[string]any{"days": []map[string]any{{"day": "Monday", "t": 4}, {"day": "Tuesday", "t": 6}, {"day": "Wednesday", "t": 3}}}}, nil
		})
	s.AddResource(&mcp.Resource{URI: "ui://weather/forecast.html", Name: "forecast", MIMEType: "text/html;profile=mcp-app"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "ui://weather/forecast.html", MIMEType: "text/html;profile=mcp-app", Text: view, Meta: mcp.Meta{"ui": map[string]any{"csp": map[string]any{"connectDomains": []string{"https://api.weather.example"}}}}}}}, nil
	})
	plain := func(name, title, description string, meta mcp.Meta) {
		s.AddTool(&mcp.Tool{Name: name, Title: title, Description: description, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: meta}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "The station does not answer: try again in a minute."}}}, nil
		})
	}
	plain("stations", "Stations", "Lists the stations near a place.", nil)
	plain("refresh", "Refresh", "For the view alone.", mcp.Meta{"ui": map[string]any{"visibility": []string{"app"}}})
	plain("secret", "Advice", "For the model alone.", mcp.Meta{"ui": map[string]any{"visibility": []string{"model"}}})
	plain("broken", "Broken", "Its metadata is wrong.", mcp.Meta{"ui": map[string]any{"resourceUri": "http://x/y"}})
	plain("missing", "Missing view", "Its view does not exist.", mcp.Meta{"ui": map[string]any{"resourceUri": "ui://weather/none.html"}})
	return s
}
