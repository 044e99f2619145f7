package host

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/mcpapps-go/mcpapps"
)

// A previewPolicy is the policy that the views are tried under.
type previewPolicy string

const (
	// policyStrict is what the view's metadata gives it by the specification.
	policyStrict previewPolicy = "strict"
	// policyLoose adds what the reference example's host adds: eval, and blob:
	// and data: sources. Views that work with it alone fail in other hosts.
	policyLoose previewPolicy = "loose"
)

// locked is the policy of every response without a policy of its own: a frame
// that shows one can do nothing. Through an error page without a policy a view
// could fetch what it likes.
const locked = "default-src 'none'; sandbox; frame-ancestors 'none'"

//go:embed sandbox/proxy.js
var proxyScript string

//go:embed sandbox/proxy.html
var proxyPage string

var (
	proxyTemplate   = template.Must(template.New("proxy").Parse(proxyPage))
	proxyScriptHash = sourceHash(proxyScript)
)

const proxyStyle = "html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;overflow:hidden;background:transparent;color-scheme:normal}"

func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Sandbox handles the views' listener. Each view has the origin
// NAME.localhost, where NAME can't be guessed: its proxy at /, its document at
// /view, its violation reports at /report/TOKEN. Every other
// response, errors included, forbids everything.
//
// What net/http answers by itself, before it calls a handler, has no policy. The
// proxy's own policy keeps frames from all that but /view with a query that is
// too long, so serve this handler with a MaxHeaderBytes above what browsers
// send, which is 2 MB of URL and less of cookies: [StartPreview] takes 16 MiB.
//
// Known limits: no policy stops WebRTC (RTCPeerConnection can reach any
// address), and a view that may connect to its own origin can forge reports
// about itself.
func (p *Preview) Sandbox() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", locked)
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		v := p.viewOfHost(r.Host)
		if v == nil {
			http.Error(w, "no such view", http.StatusNotFound)
			return
		}
		switch {
		case r.URL.Path == "/" && r.Method == http.MethodGet:
			h.Set("Content-Security-Policy", v.proxyPolicy())
			h.Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(v.proxyDocument())
		case r.URL.Path == "/view" && r.Method == http.MethodGet:
			h.Set("Content-Security-Policy", v.policy())
			h.Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, v.app.HTML)
		case r.URL.Path == "/report/"+v.reportToken && r.Method == http.MethodPost:
			v.report(r)
			w.WriteHeader(http.StatusNoContent)
		default:
			v.notFound(r)
			http.Error(w, "not found", http.StatusNotFound)
		}
	})
}

// sandboxHeaderBytes is the MaxHeaderBytes of the views' listener.
const sandboxHeaderBytes = 16 << 20

// notFound tells the author of a request that found nothing: most often a
// document that needs files beside it.
func (v *previewView) notFound(r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		return // the browser's own idea
	}
	v.reports.limited(v, func() {
		v.note(LevelWarning, fmt.Sprintf("%s %s found nothing: beside a view there are no files, put what it needs into the document", r.Method, clip([]byte(r.URL.Path))))
	})
}

func (p *Preview) viewOfHost(host string) *previewView {
	name, ok := strings.CutSuffix(host, fmt.Sprintf(".localhost:%d", p.sandbox))
	if !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.views[name]
}

func (v *previewView) origin() string {
	return fmt.Sprintf("http://%s.localhost:%d", v.id, v.preview.sandbox)
}

// proxyPolicy is no looser than any view's: what the view can reach is its
// proxy, too. Frames show the view's document and no other path of its origin:
// net/http's own "400 Bad Request" to a path such as /%zz has no policy, and the
// view could act through it.
func (v *previewView) proxyPolicy() string {
	return "default-src 'none'; script-src " + proxyScriptHash + "; style-src " + sourceHash(proxyStyle) +
		"; frame-src " + v.origin() + "/view; base-uri 'none'; form-action 'none'; frame-ancestors " + v.preview.origin +
		"; report-uri /report/" + v.reportToken
}

func (v *previewView) proxyDocument() []byte {
	var buf bytes.Buffer
	_ = proxyTemplate.Execute(&buf, map[string]any{
		"Host":    v.preview.origin,
		"Allow":   v.app.UI.Permissions.Allow(),
		"Sandbox": SandboxAttribute,
		"Style":   template.CSS(proxyStyle),
		"Script":  template.JS(proxyScript),
	})
	return buf.Bytes()
}

// policy is the header of the view's document.
func (v *previewView) policy() string {
	csp := v.app.UI.CSP
	policy := csp.Policy()
	if v.mode == policyLoose {
		policy = loosen(csp)
	} else {
		policy = strings.Replace(policy, "script-src ", "script-src 'report-sample' ", 1)
	}
	return policy + fmt.Sprintf("; frame-ancestors 'self' %s; report-uri /report/%s", v.preview.origin, v.reportToken)
}

// loosen is the policy of the reference example's host.
func loosen(csp *mcpapps.CSP) string {
	if csp == nil {
		csp = &mcpapps.CSP{}
	}
	extra := map[string]string{
		"script-src": " 'unsafe-eval' blob: data:", "style-src": " blob: data:", "img-src": " blob:",
		"media-src": " blob:", "font-src": " blob: data:", "connect-src": " blob: data:",
	}
	directives := strings.Split(csp.Policy(), "; ")
	for i, d := range directives {
		name, _, _ := strings.Cut(d, " ")
		directives[i] = d + extra[name]
	}
	return strings.Join(append(directives, "worker-src 'self' blob:"), "; ")
}
