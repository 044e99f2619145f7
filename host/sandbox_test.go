package host

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
)

const forbidden = "default-src 'none'; sandbox; frame-ancestors 'none'"

// newSandboxClient serves the view of a tool at v.views.example.net for a page at
// chat.example.com, and returns a function that makes one request to it.
func newSandboxClient(t *testing.T, s *mcp.Server, tool string, rec *record, opts *SandboxOptions) func(method, url, body string, header ...string) *httptest.ResponseRecorder {
	b, err := connect(t, s, nil).Open(t.Context(), tool, nil, &BridgeOptions{Trace: rec.trace})
	require.NoError(t, err)
	h := SandboxHandler("https://chat.example.com", func(r *http.Request) *Bridge {
		if strings.HasPrefix(r.Host, "v.views.example.net") {
			return b
		}
		return nil
	}, opts)
	return func(method, url, body string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, url, strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
}

func TestSandboxHandlerServesProxyAndDocument(t *testing.T) {
	s := testServer()
	s.AddTool(&mcp.Tool{Name: "own", InputSchema: map[string]any{"type": "object"}, Meta: ui(map[string]any{"resourceUri": "ui://t/own.html"})}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	s.AddResource(&mcp.Resource{URI: "ui://t/own.html", Name: "own", MIMEType: "text/html;profile=mcp-app"}, appHandler("<!doctype html><title>own</title>", map[string]any{
		"csp": map[string]any{"connectDomains": []string{"https://api.example.com"}}, "permissions": map[string]any{"camera": map[string]any{}},
	}))
	get := newSandboxClient(t, s, "own", new(record), nil)

	w := get("GET", "https://v.views.example.net:8443/", "")
	require.Equal(t, http.StatusOK, w.Code)
	policy := w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "default-src 'none'; script-src 'sha256-")
	assert.Contains(t, policy, "; frame-src v.views.example.net:8443/view; ")
	assert.Contains(t, policy, "; frame-ancestors https://chat.example.com; report-uri /report/")
	assert.Contains(t, w.Body.String(), `data-host="https://chat.example.com"`)
	assert.Contains(t, w.Body.String(), `sandbox="allow-scripts allow-same-origin allow-forms" allow="camera"`)

	w = get("GET", "https://v.views.example.net:8443/view", "")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "<!doctype html><title>own</title>", w.Body.String())
	policy = w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "connect-src 'self' https://api.example.com;")
	assert.Contains(t, policy, "form-action 'none'; frame-ancestors 'self' https://chat.example.com; report-uri /report/")
	assert.Contains(t, policy, "script-src 'report-sample' 'self'", "without the sample, a probe for eval cannot be distinguished from its use")
	for k, v := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Origin-Agent-Cluster": "?1", "Content-Type": "text/html; charset=utf-8"} {
		assert.Equal(t, v, w.Header().Get(k))
	}
}

// A view can frame any other response of its origin, so that each of them has a
// policy that forbids everything.
func TestSandboxHandlerRejectsOtherRequests(t *testing.T) {
	get := newSandboxClient(t, testServer(), "both", new(record), nil)
	for _, at := range []string{
		"GET https://v.views.example.net/nothing", "GET https://v.views.example.net/view/", "HEAD https://v.views.example.net/view",
		"POST https://v.views.example.net/", "GET https://v.views.example.net/report", "GET https://other.views.example.net/", "GET https://other.views.example.net/view",
	} {
		method, url, _ := strings.Cut(at, " ")
		w := get(method, url, "")
		assert.Equal(t, http.StatusNotFound, w.Code, at)
		assert.Equal(t, forbidden, w.Header().Get("Content-Security-Policy"), at)
	}
	w := get("GET", "https://v.views.example.net/", "", "Host", "x")
	assert.Equal(t, http.StatusOK, w.Code)
	r := httptest.NewRequest("GET", "https://v.views.example.net/", nil)
	r.Host = "v.views.example.net; script-src *"
	rec := httptest.NewRecorder()
	SandboxHandler("https://chat.example.com", func(*http.Request) *Bridge { return mustNewBridge(nil, nil) }, nil).ServeHTTP(rec, r)
	assert.Equal(t, forbidden, rec.Header().Get("Content-Security-Policy"), "an invalid Host is not copied into a policy")

	unreadable := newSandboxClient(t, testServer(), "missing-view", new(record), nil)("GET", "https://v.views.example.net/view", "")
	assert.Equal(t, http.StatusNotFound, unreadable.Code)
	assert.Equal(t, forbidden, unreadable.Header().Get("Content-Security-Policy"))
}

func TestSandboxHandlerReportsViolations(t *testing.T) {
	rec := new(record)
	get := newSandboxClient(t, testServer(), "both", rec, nil)
	const report = `{"csp-report":{"effective-directive":"connect-src","blocked-uri":"https://api.example.com/x","line-number":12}}`
	at := reportURL(t, get)
	get("POST", at, report, "Content-Type", "text/plain") // as a page of another site could send it
	assert.NotContains(t, rec.String(), "policy:")
	w := get("POST", at, report, "Content-Type", "application/csp-report")
	assert.Equal(t, http.StatusNoContent, w.Code)
	assert.Contains(t, rec.String(), `policy: connect-src stopped https://api.example.com/x in line 12. Declare {"connectDomains": ["https://api.example.com"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`)
	for _, bad := range []string{"", "{", `{"csp-report":7}`, `[]`, strings.Repeat(" ", 1<<20)} {
		get("POST", at, bad, "Content-Type", "application/csp-report")
	}
	assert.Equal(t, http.StatusNotFound, get("POST", "https://v.views.example.net/report", report, "Content-Type", "application/csp-report").Code, "without the secret part of the path")
	for range 1000 {
		get("POST", at, report, "Content-Type", "application/csp-report")
	}
	assert.LessOrEqual(t, strings.Count(rec.String(), "policy:"), 2*reportBurst)
}

// reportURL returns the URL to which a browser posts the view's violation reports.
func reportURL(t *testing.T, get func(method, url, body string, header ...string) *httptest.ResponseRecorder) string {
	t.Helper()
	policy := get("GET", "https://v.views.example.net/view", "").Header().Get("Content-Security-Policy")
	_, path, ok := strings.Cut(policy, "; report-uri ")
	require.True(t, ok, policy)
	require.Regexp(t, "^/report/[a-z0-9]{26}$", path)
	return "https://v.views.example.net" + path
}

func TestSandboxOptions(t *testing.T) {
	var got []Violation
	rec := new(record)
	get := newSandboxClient(t, testServer(), "both", rec, &SandboxOptions{
		Policy:    func(b *Bridge, declared *mcpapps.CSP) string { return declared.Policy() + "; worker-src blob:" },
		Violation: func(b *Bridge, v Violation) { got = append(got, v) },
		NotFound: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "nothing at "+r.URL.Path, http.StatusNotFound)
		}),
	})
	policy := get("GET", "https://v.views.example.net/view", "").Header().Get("Content-Security-Policy")
	assert.Regexp(t, `; script-src 'report-sample' .*; worker-src blob:; frame-ancestors 'self' https://chat\.example\.com; report-uri /report/[a-z0-9]+$`, policy)
	w := get("GET", "https://v.views.example.net/style.css", "")
	assert.Equal(t, "nothing at /style.css\n", w.Body.String())
	assert.Equal(t, forbidden, w.Header().Get("Content-Security-Policy"))

	at := reportURL(t, get)
	report := func(body string) {
		get("POST", at, `{"csp-report":`+body+`}`, "Content-Type", "application/csp-report")
	}
	report(`{"document-uri":"https://v.views.example.net/view","effective-directive":"script-src","blocked-uri":"eval","source-file":"https://v.views.example.net/view","line-number":3,"column-number":9,"script-sample":"(function anonymous(\n) {\n\n})"}`)
	report(`{"document-uri":"https://v.views.example.net/","violated-directive":"frame-src v/view","blocked-uri":"https://x.example"}`)
	require.Len(t, got, 2)
	assert.Equal(t, Violation{Directive: "script-src", Blocked: "eval", Source: "https://v.views.example.net/view", Line: 3, Column: 9,
		Sample: "(function anonymous(\n) {\n\n})", Level: LevelInfo, Remedy: got[0].Remedy}, got[0])
	assert.Contains(t, got[0].Remedy, "probes for it")
	assert.Equal(t, Violation{Directive: "frame-src", Blocked: "https://x.example", InProxy: true, Level: LevelError, Remedy: got[1].Remedy}, got[1])
	assert.Contains(t, got[1].Remedy, "the view's own frame was sent there")
	assert.NotContains(t, rec.String(), "policy:", "the Violation callback replaces the note")
	report(`7`)
	assert.Contains(t, rec.String(), "invalid violation report")
}

// The permissions come from the server and are written into an HTML attribute.
func TestProxyDocumentEscapesPermissions(t *testing.T) {
	doc := proxyDocument("https://chat.example.com", `camera"><script>x</script>{host}`)
	assert.Contains(t, doc, `allow="camera&#34;&gt;&lt;script&gt;x&lt;/script&gt;{host}"`)
	assert.Contains(t, doc, "<style>"+proxyStyle+"</style>")
	assert.Contains(t, doc, "<script>"+proxyScript+"</script>")
}

func TestSandboxHandlerValidatesPageOrigin(t *testing.T) {
	for _, bad := range []string{"", "chat.example.com", "https://", "https://chat.example.com/", "https://chat.example.com/x", "https://a; script-src *", "ftp://a", "null", "*", "https://*", "https://u@a", "https://a:b"} {
		assert.PanicsWithValue(t, `host.SandboxHandler: the page's origin "`+bad+`" is not one: name scheme, host and perhaps port, such as https://chat.example.com`, func() { SandboxHandler(bad, nil, nil) })
	}
	for _, good := range []string{"https://chat.example.com", "http://localhost:8080", "http://[::1]:80", "http://127.0.0.1:1"} {
		assert.NotPanics(t, func() { SandboxHandler(good, nil, nil) })
	}
}

// A view connects through a frame with any response of its origin, so each has a
// connection allowlist: the document and the proxy around it the view's own, all
// others one that allows nothing.
func TestSandboxHandlerSendsConnectionAllowlist(t *testing.T) {
	s := testServer()
	s.AddTool(&mcp.Tool{Name: "own", InputSchema: map[string]any{"type": "object"}, Meta: ui(map[string]any{"resourceUri": "ui://t/own.html"})}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	s.AddResource(&mcp.Resource{URI: "ui://t/own.html", Name: "own", MIMEType: "text/html;profile=mcp-app"}, appHandler("<!doctype html>", map[string]any{
		"csp": map[string]any{"connectDomains": []string{"wss://live.example.com:8443", "https://evil.example\"); webrtc=allow, (\"*"}},
	}))
	const allowlist = "Connection-Allowlist"
	get := newSandboxClient(t, s, "own", new(record), &SandboxOptions{NotFound: http.RedirectHandler("https://else.example/", http.StatusFound)})
	at := reportURL(t, get)
	for _, path := range []string{"/", "/view", "/view?x"} {
		assert.Equal(t, []string{`(response-origin "https://live.example.com:8443");redirects=allow`}, get("GET", "https://v.views.example.net"+path, "").Header()[allowlist], path)
	}
	for path, method := range map[string]string{"/nothing": "GET", "/favicon.ico": "GET", "/view": "POST", "/": "HEAD"} {
		w := get(method, "https://v.views.example.net"+path, "")
		assert.Equal(t, http.StatusFound, w.Code)
		assert.Equal(t, []string{"()"}, w.Header()[allowlist], path)
	}
	assert.Equal(t, []string{"()"}, get("POST", at, "{}", "Content-Type", "application/csp-report").Header()[allowlist])
	assert.Equal(t, []string{"()"}, get("GET", "https://other.views.example.net/view", "").Header()[allowlist])
	assert.Equal(t, []string{"()"}, newSandboxClient(t, testServer(), "missing-view", new(record), nil)("GET", "https://v.views.example.net/view", "").Header()[allowlist])
	assert.Equal(t, []string{"(response-origin)"}, newSandboxClient(t, testServer(), "both", new(record), nil)("GET", "https://v.views.example.net/view", "").Header()[allowlist])

	own := ""
	get = newSandboxClient(t, s, "own", new(record), &SandboxOptions{ConnectionAllowlist: func(b *Bridge, declared *mcpapps.CSP) string {
		assert.Len(t, declared.ConnectDomains, 2)
		return own
	}})
	for _, path := range []string{"/", "/view"} {
		own = "(response-origin);webrtc=allow"
		assert.Equal(t, []string{own}, get("GET", "https://v.views.example.net"+path, "").Header()[allowlist])
		own = ""
		assert.NotContains(t, get("GET", "https://v.views.example.net"+path, "").Header(), allowlist)
	}
}
