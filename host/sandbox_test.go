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
)

const forbidden = "default-src 'none'; sandbox; frame-ancestors 'none'"

// sandboxOf serves the view of a tool at v.views.example.net to a page at
// chat.example.com.
func sandboxOf(t *testing.T, s *mcp.Server, tool string, rec *record) func(method, url, body string, header ...string) *httptest.ResponseRecorder {
	b, err := connect(t, s, nil).Open(t.Context(), tool, nil, &ViewOptions{Trace: rec.trace})
	require.NoError(t, err)
	h := SandboxHandler("https://chat.example.com", func(r *http.Request) *Bridge {
		if strings.HasPrefix(r.Host, "v.views.example.net") {
			return b
		}
		return nil
	})
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
	get := sandboxOf(t, s, "own", new(record))

	w := get("GET", "https://v.views.example.net:8443/", "")
	require.Equal(t, http.StatusOK, w.Code)
	policy := w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "default-src 'none'; script-src 'sha256-")
	assert.Contains(t, policy, "; frame-src v.views.example.net:8443/view; ")
	assert.Contains(t, policy, "; frame-ancestors https://chat.example.com; report-uri /report")
	assert.Contains(t, w.Body.String(), `data-host="https://chat.example.com"`)
	assert.Contains(t, w.Body.String(), `sandbox="allow-scripts allow-same-origin allow-forms" allow="camera"`)

	w = get("GET", "https://v.views.example.net:8443/view", "")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "<!doctype html><title>own</title>", w.Body.String())
	policy = w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "connect-src 'self' https://api.example.com;")
	assert.Contains(t, policy, "form-action 'none'; frame-ancestors 'self' https://chat.example.com; report-uri /report")
	for k, v := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Origin-Agent-Cluster": "?1", "Content-Type": "text/html; charset=utf-8"} {
		assert.Equal(t, v, w.Header().Get(k))
	}
}

// What is no view can be framed by a view, and must give it nothing.
func TestSandboxHandlerForbidsEverythingElse(t *testing.T) {
	get := sandboxOf(t, testServer(), "both", new(record))
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
	SandboxHandler("https://chat.example.com", func(*http.Request) *Bridge { return NewBridge(nil, nil) }).ServeHTTP(rec, r)
	assert.Equal(t, forbidden, rec.Header().Get("Content-Security-Policy"), "a Host that is none reaches no policy")

	unread := sandboxOf(t, testServer(), "missing-view", new(record))("GET", "https://v.views.example.net/view", "")
	assert.Equal(t, http.StatusNotFound, unread.Code)
	assert.Equal(t, forbidden, unread.Header().Get("Content-Security-Policy"))
}

func TestSandboxHandlerNotesViolations(t *testing.T) {
	rec := new(record)
	get := sandboxOf(t, testServer(), "both", rec)
	const report = `{"csp-report":{"effective-directive":"connect-src","blocked-uri":"https://api.example.com/x","line-number":12}}`
	const at = "https://v.views.example.net/report"
	get("POST", at, report, "Content-Type", "text/plain") // as a page of another site could
	assert.NotContains(t, rec.String(), "policy:")
	w := get("POST", at, report, "Content-Type", "application/csp-report")
	assert.Equal(t, http.StatusNoContent, w.Code)
	assert.Contains(t, rec.String(), `policy: connect-src stopped https://api.example.com/x in line 12. Allow it in the resource's _meta.ui.csp: connectDomains: ["https://api.example.com"]`)
	for _, bad := range []string{"", "{", `{"csp-report":7}`, `[]`, strings.Repeat(" ", 1<<20)} {
		get("POST", at, bad, "Content-Type", "application/csp-report")
	}
	for range 1000 {
		get("POST", at, report, "Content-Type", "application/csp-report")
	}
	assert.LessOrEqual(t, strings.Count(rec.String(), "policy:"), 2*reportBurst)
}

func TestSandboxHandlerKnowsItsPage(t *testing.T) {
	for _, bad := range []string{"", "chat.example.com", "https://", "https://chat.example.com/", "https://chat.example.com/x", "https://a; script-src *", "ftp://a", "null", "*", "https://*", "https://u@a", "https://a:b"} {
		assert.PanicsWithValue(t, `host.SandboxHandler: the page's origin "`+bad+`" is not one: name scheme, host and perhaps port, such as https://chat.example.com`, func() { SandboxHandler(bad, nil) })
	}
	for _, good := range []string{"https://chat.example.com", "http://localhost:8080", "http://[::1]:80", "http://127.0.0.1:1"} {
		assert.NotPanics(t, func() { SandboxHandler(good, nil) })
	}
}
