package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/mcpapps-go/mcpapps/internal/plainlog"
)

// request sends a request as the page does, but for what change does to it.
func (p *pageScript) request(method, hostName, path, body string, header map[string]string, change func(*http.Request)) (status int, answer string, h http.Header) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, fmt.Sprintf("http://127.0.0.1:%d%s", p.run.pagePort, path), strings.NewReader(body))
	require.NoError(p.t, err)
	req.Host = hostName
	for k, v := range header {
		req.Header.Set(k, v)
	}
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(p.t, err)
	defer resp.Body.Close()
	data := make([]byte, 1000)
	n, _ := resp.Body.Read(data) // a stream does not end
	return resp.StatusCode, string(data[:n]), resp.Header
}

// Each request below is that of the page but for one thing. The preview refuses it and
// does nothing.
func TestRefusedCommands(t *testing.T) {
	var log outbuf.Buffer
	called := make(chan string, 100)
	s := testServer()
	s.AddTool(&mcp.Tool{Name: "counted", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		called <- string(req.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	p := startPageFor(t, host.Target{Server: s}, &Options{Logger: plainlog.New(func(line string) { fmt.Fprintln(&log, line) })})
	other := startPage(t, testServer())
	page := "localhost:" + p.port()
	set := func(name string, values ...string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Del(name)
			for _, v := range values {
				r.Header.Add(name, v)
			}
		}
	}
	type refusal struct {
		name, hostName string
		change         func(*http.Request)
		status         int
		answer, log    string
	}
	var list []refusal
	add := func(name, hostName string, change func(*http.Request), status int, answer, log string) {
		list = append(list, refusal{name, hostName, change, status, answer, log})
	}
	for name, change := range map[string]func(*http.Request){
		"another site's": set("Origin", "https://evil.example"), "none": set("Origin"), "null": set("Origin", "null"),
		"a view's": set("Origin", fmt.Sprintf("http://x.localhost:%d", p.run.sandboxPort)), "the sandbox's port": set("Origin", fmt.Sprintf("http://localhost:%d", p.run.sandboxPort)),
		"the address": set("Origin", "http://127.0.0.1:"+p.port()), "https": set("Origin", "https://localhost:"+p.port()), "longer": set("Origin", p.run.origin+"0"),
	} {
		add("origin: "+name, page, change, http.StatusForbidden, "only the preview's own page may send commands", "rejected a command from another origin")
	}
	for name, change := range map[string]func(*http.Request){
		"none": set("Mcpapps-Token"), "empty": set("Mcpapps-Token", ""), "another run's": set("Mcpapps-Token", other.token), "a part": set("Mcpapps-Token", p.token[:len(p.token)-1]), "longer": set("Mcpapps-Token", p.token+"x"),
	} {
		add("token: "+name, page, change, http.StatusForbidden, "the token is not of this run: reload the page", "rejected a command without the page's token")
	}
	for name, change := range map[string]func(*http.Request){
		"text": set("Content-Type", "text/plain"), "none": set("Content-Type"), "form": set("Content-Type", "application/x-www-form-urlencoded"), "in a parameter": set("Content-Type", "text/plain; a=application/json"),
	} {
		add("media type: "+name, page, change, http.StatusUnsupportedMediaType, "commands must be application/json", "")
	}
	for name, hostName := range map[string]string{
		"another": "evil.example", "with the port": "evil.example:" + p.port(), "another port": "localhost:1", "without a port": "localhost", "a longer name": "evil-localhost:" + p.port(), "two labels": "a.b.localhost:" + p.port(), "an empty label": ".localhost:" + p.port(),
	} {
		add("host: "+name, hostName, nil, http.StatusMisdirectedRequest, "this preview is at "+p.run.origin+"/", "rejected a request for another host")
	}
	add("host: a stream's", "tab-1234.localhost:"+p.port(), nil, http.StatusNotFound, "not found", "")
	add("host: the address", "127.0.0.1:"+p.port(), nil, http.StatusTemporaryRedirect, "", "")
	add("tab: none", page, set("Mcpapps-Tab"), http.StatusGone, "this tab is not connected", "")
	add("tab: another", page, set("Mcpapps-Tab", "tab-5678"), http.StatusGone, "this tab is not connected", "")
	add("method", page, func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed, "", "")

	send := func(body string, r refusal) (int, string, http.Header) {
		return p.request(http.MethodPost, r.hostName, "/commands", body, map[string]string{
			"Origin": p.run.origin, "Content-Type": "application/json", "Mcpapps-Token": p.token, "Mcpapps-Tab": "tab-1234",
		}, r.change)
	}
	for _, r := range list {
		t.Run(r.name, func(t *testing.T) {
			before := len(log.String())
			status, answer, h := send(`[{"op":"call","call":"1","tool":"counted","args":{"by":"`+r.name+`"}}]`, r)
			assert.Equal(t, r.status, status)
			assert.Contains(t, answer, r.answer)
			if r.log != "" {
				assert.Contains(t, log.String()[before:], r.log)
			}
			assert.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'")
			assert.Contains(t, []string{"", p.run.origin}, h.Get("Access-Control-Allow-Origin"))
		})
	}
	t.Run("not commands", func(t *testing.T) {
		for body, want := range map[string]string{`{"op":"call"}`: "commands must be an array of objects", `[`: "commands must be", ``: "commands must be"} {
			status, answer, _ := send(body, refusal{hostName: page})
			assert.Equal(t, http.StatusBadRequest, status, body)
			assert.Contains(t, answer, want, body)
		}
		status, answer, _ := send(strings.Repeat(" ", 64<<20+1), refusal{hostName: page})
		assert.Equal(t, http.StatusRequestEntityTooLarge, status)
		assert.Contains(t, answer, "the commands are too large")
	})
	t.Run("unknown commands", func(t *testing.T) {
		for command, want := range map[string]string{
			`5`: "decoding a command of the page", `{"op":"answer","ask":"x","answer":{"action":"maybe"}}`: `unknown answer "maybe"`,
		} {
			p.do(`[` + command + `]`)
			assert.Contains(t, str(p.waitType("error")["text"]), want)
		}
		p.do(`[{"op":"nothing","view":"none"},{"op":"call","call":"2","tool":"counted","args":{"by":"the page"}}]`)
	})
	// The page's own command came through, and it was the only one.
	assert.Equal(t, `{"by":"the page"}`, <-called)
	assert.Empty(t, called)
}

func TestRefusedStreams(t *testing.T) {
	var log outbuf.Buffer
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{Logger: plainlog.New(func(line string) { fmt.Fprintln(&log, line) })})
	other := startPage(t, testServer())
	name := "tab-5678.localhost:" + p.port()
	path := "/events?tab=tab-5678&token=" + p.token
	origin := func(values ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Origin"] = values }
	}
	for _, c := range []struct {
		name, hostName, path string
		change               func(*http.Request)
		status               int
		answer               string
	}{
		{"token: none", name, "/events?tab=tab-5678", nil, http.StatusForbidden, "the token is not of this run"},
		{"token: empty", name, "/events?tab=tab-5678&token=", nil, http.StatusForbidden, "the token is not of this run"},
		{"token: another run's", name, "/events?tab=tab-5678&token=" + other.token, nil, http.StatusForbidden, "the token is not of this run"},
		{"origin: none", name, path, origin(), http.StatusForbidden, "the token is not of this run"},
		{"origin: another site's", name, path, origin("https://evil.example"), http.StatusForbidden, "the token is not of this run"},
		{"origin: a view's", name, path, origin(fmt.Sprintf("http://x.localhost:%d", p.run.sandboxPort)), http.StatusForbidden, "the token is not of this run"},
		{"origin: the stream's", name, path, origin("http://" + name), http.StatusForbidden, "the token is not of this run"},
		{"tab: none", name, "/events?token=" + p.token, nil, http.StatusBadRequest, "the tab needs a name of 8 to 64 characters"},
		{"tab: short", name, "/events?tab=1234567&token=" + p.token, nil, http.StatusBadRequest, "the tab needs a name"},
		{"tab: long", name, "/events?tab=" + strings.Repeat("x", 65) + "&token=" + p.token, nil, http.StatusBadRequest, "the tab needs a name"},
		{"method", name, path, func(r *http.Request) { r.Method = http.MethodPost }, http.StatusNotFound, "not found"},
		{"path", name, strings.Replace(path, "/events", "/", 1), nil, http.StatusNotFound, "not found"},
		{"host: the page's", "localhost:" + p.port(), path, nil, http.StatusNotFound, ""},
		{"host: another", "evil.example:" + p.port(), path, nil, http.StatusMisdirectedRequest, "this preview is at"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(log.String())
			status, answer, h := p.request(http.MethodGet, c.hostName, c.path, "", map[string]string{"Origin": p.run.origin}, c.change)
			assert.Equal(t, c.status, status)
			assert.Contains(t, answer, c.answer)
			assert.Contains(t, []string{"", p.run.origin}, h.Get("Access-Control-Allow-Origin"))
			if status == http.StatusForbidden {
				assert.Contains(t, log.String()[before:], "rejected a stream")
			}
			assert.Nil(t, p.run.tab("tab-5678"), "no tab was opened")
		})
	}
	status, _, h := p.request(http.MethodGet, name, path, "", map[string]string{"Origin": p.run.origin}, nil)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "text/event-stream", h.Get("Content-Type"))
	assert.NotNil(t, p.run.tab("tab-5678"))
}

// There are at most 100 pages, and one that is refused is told so.
func TestTooManyPages(t *testing.T) {
	p := startPage(t, testServer())
	for i := range 99 {
		_, _, err := p.run.openTab(fmt.Sprintf("tab-%05d", i))
		require.NoError(t, err)
	}
	status, answer, _ := p.request(http.MethodGet, "tab-5678.localhost:"+p.port(), "/events?tab=tab-5678&token="+p.token, "", map[string]string{"Origin": p.run.origin}, nil)
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, answer, "too many open pages: the limit is 100")
}

// What ends a view on the page, or its page, cancels the call at the server.
func TestClosingCancelsTheCall(t *testing.T) {
	for name, closeIt := range map[string]func(p *pageScript, view string){
		"the view": func(p *pageScript, view string) { p.do(fmt.Sprintf(`[{"op":"close","view":%q}]`, view)) },
		"the call": func(p *pageScript, _ string) { p.do(`[{"op":"cancel","call":"1"}]`) },
		"the page": func(p *pageScript, _ string) { p.run.tab("tab-1234").close() },
		"a view that died": func(p *pageScript, view string) {
			p.do(fmt.Sprintf(`[{"op":"notice","view":%q,"notice":{"kind":"died"}}]`, view))
		},
	} {
		t.Run(name, func(t *testing.T) {
			began, ended := make(chan struct{}), make(chan error, 1)
			s := testServer()
			s.AddTool(&mcp.Tool{Name: "long", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: ui(map[string]any{"resourceUri": "ui://t/view.html"})},
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					close(began)
					<-ctx.Done()
					ended <- ctx.Err()
					return nil, ctx.Err()
				})
			p := startPage(t, s)
			p.do(`[{"op":"open","call":"1","tool":"long"}]`)
			view := str(p.waitType("view")["view"])
			<-began
			closeIt(p, view)
			select {
			case err := <-ended:
				assert.ErrorIs(t, err, context.Canceled)
			case <-time.After(time.Minute):
				t.Fatal("the call goes on at the server")
			}
		})
	}
}

// The views of a page that is left are closed, also those whose call has ended.
func TestClosedPageClosesItsViews(t *testing.T) {
	var got events
	p := startPageFor(t, host.Target{Server: testServer()}, &Options{Event: got.add})
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	p.waitType("view")
	got.wait(t, EventResult)
	p.run.tab("tab-1234").close()
	assert.Equal(t, errPageClosed, got.wait(t, EventClosed).Err)
	assert.Empty(t, p.run.views)
}
