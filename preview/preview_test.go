package preview

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
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

// A pageScript sends the page's requests and receives its events without a browser.
type pageScript struct {
	t      *testing.T
	run    *Preview
	token  string
	events chan map[string]json.RawMessage
	seen   []map[string]json.RawMessage
}

// startPage starts a preview of s and connects to it as its page does.
func startPage(t *testing.T, s *mcp.Server) *pageScript {
	t.Helper()
	return startPageFor(t, host.Target{Server: s}, nil)
}

// startPageFor is startPage for any target, with options.
func startPageFor(t *testing.T, target host.Target, opts *Options) *pageScript {
	t.Helper()
	run, err := Start(t.Context(), target, opts)
	require.NoError(t, err)
	t.Cleanup(func() { run.Close() })
	p := &pageScript{t: t, run: run, events: make(chan map[string]json.RawMessage, 1000)}
	_, body := p.get("localhost:"+p.port(), p.run.pagePort, "/")
	p.token = regexp.MustCompile(`data-token="([0-9a-z]+)"`).FindStringSubmatch(body)[1]

	req, err := http.NewRequestWithContext(t.Context(), "GET", fmt.Sprintf("http://127.0.0.1:%d/events?tab=tab-1234&token=%s", run.pagePort, p.token), nil)
	require.NoError(t, err)
	req.Host = "tab-1234.localhost:" + p.port()
	req.Header.Set("Origin", run.origin)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, run.origin, resp.Header.Get("Access-Control-Allow-Origin"))
	go func() {
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
				var e map[string]json.RawMessage
				if json.Unmarshal(data, &e) == nil {
					p.events <- e
				}
			}
		}
	}()
	return p
}

func (p *pageScript) port() string { return fmt.Sprint(p.run.pagePort) }

func (p *pageScript) get(host string, port int, path string) (*http.Response, string) {
	p.t.Helper()
	req, err := http.NewRequest("GET", fmt.Sprintf("http://127.0.0.1:%d%s", port, path), nil)
	require.NoError(p.t, err)
	req.Host = host
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(p.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return resp, string(body)
}

// post posts a violation report to the sandbox's listener.
func (p *pageScript) post(host, path, body string) {
	p.t.Helper()
	req, err := http.NewRequest("POST", fmt.Sprintf("http://127.0.0.1:%d%s", p.run.sandboxPort, path), strings.NewReader(body))
	require.NoError(p.t, err)
	req.Host = host
	req.Header.Set("Content-Type", "application/csp-report")
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(p.t, err)
	resp.Body.Close()
}

// do sends commands, a JSON array, as the page does.
func (p *pageScript) do(commands string) {
	p.t.Helper()
	req, err := http.NewRequest("POST", fmt.Sprintf("http://127.0.0.1:%d/commands", p.run.pagePort), strings.NewReader(commands))
	require.NoError(p.t, err)
	req.Host = "localhost:" + p.port()
	for k, v := range map[string]string{"Origin": p.run.origin, "Content-Type": "application/json", "Mcpapps-Token": p.token, "Mcpapps-Tab": "tab-1234"} {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(p.t, err)
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	require.Equal(p.t, http.StatusNoContent, resp.StatusCode, "%s", body)
}

// wait returns the next event for which matches is true. In a failure, what names
// the event that did not come.
func (p *pageScript) wait(what string, matches func(map[string]json.RawMessage) bool) map[string]json.RawMessage {
	p.t.Helper()
	deadline := time.After(time.Minute)
	for {
		select {
		case e := <-p.events:
			p.seen = append(p.seen, e)
			if matches(e) {
				return e
			}
		case <-deadline:
			seen, _ := json.Marshal(p.seen)
			p.t.Fatalf("no %s among %s", what, seen)
		}
	}
}

// waitType returns the next event of a type.
func (p *pageScript) waitType(name string) map[string]json.RawMessage {
	p.t.Helper()
	return p.wait(name, func(e map[string]json.RawMessage) bool { return string(e["type"]) == `"`+name+`"` })
}

// waitSent returns the next message to the view that contains part.
func (p *pageScript) waitSent(part string) json.RawMessage {
	p.t.Helper()
	return p.wait(part, func(e map[string]json.RawMessage) bool {
		return string(e["dir"]) == `"to-view"` && strings.Contains(string(e["msg"]), part)
	})["msg"]
}

func str(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

func TestSandboxListener(t *testing.T) {
	server := testServer()
	const doc = "<!doctype html><title>own</title>"
	server.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"}, appHandler(doc, map[string]any{
		"csp":         map[string]any{"connectDomains": []string{"https://api.example", "https://bad.example; script-src *"}},
		"permissions": map[string]any{"camera": map[string]any{}},
	}))
	p := startPage(t, server)
	p.do(`[{"op":"open","call":"1","tool":"both","args":{"n":1},"context":{"theme":"dark"}}]`)
	v := p.waitType("view")
	id, origin := str(v["view"]), str(v["origin"])
	name := strings.TrimPrefix(origin, "http://")

	t.Run("host and sandbox have different origins", func(t *testing.T) {
		assert.NotEqual(t, p.run.origin, origin)
		assert.Equal(t, fmt.Sprintf("http://%s.localhost:%d", id, p.run.sandboxPort), origin)
		assert.Len(t, id, 26, "a random name, which cannot be guessed")
	})
	t.Run("both frames are sandboxed, with the permissions that a view needs", func(t *testing.T) {
		assert.Equal(t, "allow-scripts allow-same-origin allow-forms", str(v["sandbox"]))
		assert.NotContains(t, str(v["sandbox"]), "top-navigation")
		assert.Equal(t, "camera", str(v["allow"]))
		_, proxy := p.get(name, p.run.sandboxPort, "/")
		assert.Contains(t, proxy, `sandbox="allow-scripts allow-same-origin allow-forms" allow="camera"`)
	})
	t.Run("the view is behind a proxy, whose policy allows nothing else", func(t *testing.T) {
		assert.Equal(t, origin+"/", str(v["src"]))
		resp, _ := p.get(name, p.run.sandboxPort, "/")
		policy := resp.Header.Get("Content-Security-Policy")
		assert.Regexp(t, `^default-src 'none'; script-src 'sha256-[^ ;]+'; style-src 'sha256-[^ ;]+'; frame-src [0-9a-z]{26}\.localhost:\d+/view; base-uri 'none'; form-action 'none'; frame-ancestors http://localhost:\d+; report-uri /report/[0-9a-z]{26}$`, policy)
	})
	t.Run("the document's policy allows only what was declared", func(t *testing.T) {
		resp, body := p.get(name, p.run.sandboxPort, "/view")
		assert.Equal(t, doc, body)
		policy := resp.Header.Get("Content-Security-Policy")
		assert.Contains(t, policy, "; connect-src 'self' https://api.example; ")
		assert.Contains(t, policy, "default-src 'none'; script-src 'report-sample' 'self' 'unsafe-inline'; ")
		assert.Contains(t, policy, "; form-action 'none'; ")
		assert.NotContains(t, policy, "bad.example")
		assert.Equal(t, 1, strings.Count(policy, "script-src"))
	})
	t.Run("the proxy receives the document when it is ready", func(t *testing.T) {
		p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}}]`, id))
		assert.Contains(t, string(p.waitSent("sandbox-resource-ready")), `"html":"<!doctype html><title>own</title>"`)
	})
	t.Run("size-changed reaches the page", func(t *testing.T) {
		p.do(fmt.Sprintf(`[{"op":"message","view":%[1]q,"msg":{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":%[2]s}},
			{"op":"message","view":%[1]q,"msg":{"jsonrpc":"2.0","method":"ui/notifications/initialized"}},
			{"op":"message","view":%[1]q,"msg":{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"height":432}}}]`, id, fmt.Sprintf(initializeParams, "{}")))
		answer := string(p.waitSent(`"hostContext"`))
		assert.Contains(t, answer, `"sandbox":{"csp":{"connectDomains":["https://api.example","https://bad.example; script-src *"]},"permissions":{"camera":{}}}`)
		assert.Contains(t, answer, `"theme":"dark"`)
		assert.Equal(t, "432", string(p.waitType("size")["height"]))
	})
	t.Run("a violation is shown with its remedy", func(t *testing.T) {
		resp, _ := p.get(name, p.run.sandboxPort, "/view")
		path := regexp.MustCompile(`report-uri (\S+)`).FindStringSubmatch(resp.Header.Get("Content-Security-Policy"))[1]
		p.post(name, path, `{"csp-report":{"effective-directive":"connect-src","blocked-uri":"wss://live.example/socket","line-number":7}}`)
		assert.Contains(t, string(p.waitType("violation")["violation"]), `{\"connectDomains\": [\"wss://live.example\"]}`)
	})
	t.Run("a violation of the proxy has no remedy in the metadata", func(t *testing.T) {
		resp, _ := p.get(name, p.run.sandboxPort, "/")
		path := regexp.MustCompile(`report-uri (\S+)`).FindStringSubmatch(resp.Header.Get("Content-Security-Policy"))[1]
		p.post(name, path, fmt.Sprintf(`{"csp-report":{"document-uri":"%s/","effective-directive":"img-src","blocked-uri":"https://pixel.example"}}`, origin))
		violation := string(p.waitType("violation")["violation"])
		assert.Contains(t, violation, "sandbox proxy")
		assert.NotContains(t, violation, "resourceDomains")
	})
	t.Run("a request for a missing file is noted", func(t *testing.T) {
		resp, _ := p.get(name, p.run.sandboxPort, "/style.css")
		assert.Equal(t, http.StatusNotFound, resp.StatusCode)
		p.wait("note", func(e map[string]json.RawMessage) bool {
			return strings.Contains(str(e["text"]), "GET /style.css: not found") && str(e["level"]) == "warning"
		})
	})
	t.Run("a teardown request comes before the close, and then the origin serves nothing", func(t *testing.T) {
		p.do(fmt.Sprintf(`[{"op":"close","view":%q}]`, id))
		p.waitSent("ui/resource-teardown")
		p.do(fmt.Sprintf(`[{"op":"message","view":%q,"msg":{"jsonrpc":"2.0","id":1,"result":{}}}]`, id))
		p.waitType("closed")
		resp, _ := p.get(name, p.run.sandboxPort, "/view")
		assert.Equal(t, http.StatusNotFound, resp.StatusCode)
		assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "default-src 'none'; sandbox")
	})
}

// A page that is opened later shows what the server wrote when it started. Text on
// standard output is reported, because it makes many clients close the connection.
func TestServerOutputIsKept(t *testing.T) {
	var previewLog, connectLog outbuf.Buffer
	logTo := func(b *outbuf.Buffer) *slog.Logger {
		return plainlog.New(func(s string) { fmt.Fprintln(b, s) })
	}
	startPageFor(t, testCommand(t, "banner"), &Options{Connect: &host.ConnectOptions{Logger: logTo(&connectLog)}})
	p := startPageFor(t, testCommand(t, "banner"), &Options{Logger: logTo(&previewLog)})
	const want = "on standard output, where messages belong: Welcome to the server v1"
	assert.Equal(t, want, str(p.waitType("stderr")["text"]))
	assert.Equal(t, want+"\n", previewLog.String())
	assert.Equal(t, want+"\n", connectLog.String())

	page := startPage(t, testServer())
	for range 3 * outputKept {
		page.run.serverLine("x")
	}
	assert.Len(t, page.run.output.kept, outputKept)
}

func TestDefaultPolicyIsRestrictive(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	v := p.waitType("view")
	resp, _ := p.get(strings.TrimPrefix(str(v["origin"]), "http://"), p.run.sandboxPort, "/view")
	policy := resp.Header.Get("Content-Security-Policy")
	for _, d := range []string{"default-src 'none'", "connect-src 'none'", "frame-src 'none'", "object-src 'none'", "base-uri 'self'", "img-src 'self' data:"} {
		assert.Contains(t, policy, d+";")
	}
	assert.NotContains(t, policy, "eval")
	p.do(`[{"op":"open","call":"2","tool":"both","policy":"loose"}]`)
	v = p.waitType("view")
	resp, _ = p.get(strings.TrimPrefix(str(v["origin"]), "http://"), p.run.sandboxPort, "/view")
	assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "'unsafe-eval' blob: data:")
	assert.Equal(t, "loose", str(v["policy"]), "the page labels the view with its policy")
}

// A page of another site can open any URL of the preview, so that a URL that calls a
// tool requires the token.
func TestToolURLRequiresToken(t *testing.T) {
	p := startPage(t, testServer())
	pageHost := "localhost:" + p.port()
	for _, query := range []string{"?bare", "?bare=&tool=both", "?bare=" + strings.Repeat("0", len(p.token)), "?tool=both&bare&bare=" + p.token, "?%62are"} {
		resp, body := p.get(pageHost, p.run.pagePort, "/"+query)
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, query)
		assert.NotContains(t, body, p.token, query)
	}
	withToken := strings.TrimPrefix(p.run.ViewURL(url.Values{"tool": {"both"}}), p.run.origin)
	resp, body := p.get(pageHost, p.run.pagePort, withToken)
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Contains(t, body, `src="/app.js"`)
}
