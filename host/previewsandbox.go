package host

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

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
			http.Error(w, "not found", http.StatusNotFound)
		}
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
// proxy, too.
func (v *previewView) proxyPolicy() string {
	return "default-src 'none'; script-src " + proxyScriptHash + "; style-src " + sourceHash(proxyStyle) +
		"; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors " + v.preview.origin
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

// A Violation is something that a view's policy stopped.
type violation struct {
	Directive string `json:"directive"`
	Blocked   string `json:"blocked"`
	Source    string `json:"source,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	Sample    string `json:"sample,omitempty"`
	Remedy    string `json:"remedy"`
	Level     Level  `json:"level"`
}

// reportLimit bounds the reports that are passed on.
const (
	reportBytes = 16 << 10
	reportRate  = 20
	reportBurst = 100
)

type reports struct {
	mu    sync.Mutex
	rate  bucket
	evals int
}

// report takes a violation report from the browser.
func (v *previewView) report(r *http.Request) {
	data, err := io.ReadAll(io.LimitReader(r.Body, reportBytes+1))
	if err != nil || len(data) > reportBytes {
		return
	}
	var body struct {
		Report struct {
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"`
			Blocked   string `json:"blocked-uri"`
			Source    string `json:"source-file"`
			Line      int    `json:"line-number"`
			Column    int    `json:"column-number"`
			Sample    string `json:"script-sample"`
		} `json:"csp-report"`
	}
	if json.Unmarshal(data, &body) != nil {
		v.note(LevelWarning, "a report that is none: the view can send such itself")
		return
	}
	now := time.Now()
	v.reports.mu.Lock()
	ok := v.reports.rate.take(now, reportRate, reportBurst)
	dropped := v.reports.rate.report(now)
	v.reports.mu.Unlock()
	if !ok {
		if dropped > 0 {
			v.note(LevelWarning, fmt.Sprintf("left out %d violation reports: more than %d a second", dropped, reportRate))
		}
		return
	}
	rep := body.Report
	vio := violation{Directive: rep.Effective, Blocked: clip([]byte(rep.Blocked)), Source: rep.Source, Line: rep.Line, Column: rep.Column, Sample: rep.Sample}
	if vio.Directive == "" {
		vio.Directive, _, _ = strings.Cut(rep.Violated, " ")
	}
	v.reports.mu.Lock()
	first := v.reports.evals == 0
	if vio.Blocked == "eval" {
		v.reports.evals++
	}
	v.reports.mu.Unlock()
	vio.Level, vio.Remedy = remedy(vio, first)
	v.tab.send(map[string]any{"type": "violation", "view": v.id, "violation": vio})
}

// remedy says what would allow it.
func remedy(v violation, firstEval bool) (Level, string) {
	directive := strings.TrimSuffix(strings.TrimSuffix(v.Directive, "-elem"), "-attr")
	switch v.Blocked {
	case "eval", "wasm-eval":
		if firstEval && v.Blocked == "eval" && len(v.Sample) <= 60 {
			return LevelInfo, "No metadata can allow eval. Once at the start it is a library that probes for it (Zod does), and harmless."
		}
		return LevelError, "No metadata can allow eval or WebAssembly: use a build that does without."
	case "inline":
		return LevelError, "Inline scripts and styles are allowed; this one is in a document that the view embeds."
	case "data", "blob":
		return LevelError, fmt.Sprintf("No metadata can allow %s: sources for %s: put it into the document, or serve it from an origin.", v.Blocked, directive)
	}
	if directive == "form-action" {
		return LevelError, "No metadata can allow it: send the data with fetch or through a tool."
	}
	field := map[string]string{
		"connect-src": "connectDomains", "frame-src": "frameDomains", "child-src": "frameDomains", "base-uri": "baseUriDomains",
		"script-src": "resourceDomains", "style-src": "resourceDomains", "img-src": "resourceDomains",
		"font-src": "resourceDomains", "media-src": "resourceDomains",
	}[directive]
	scheme, rest, ok := strings.Cut(v.Blocked, "://")
	if field == "" || !ok || !slices.Contains([]string{"http", "https", "ws", "wss"}, scheme) {
		return LevelError, "No metadata can allow it."
	}
	host, _, _ := strings.Cut(rest, "/")
	return LevelError, fmt.Sprintf("Allow it in the resource's _meta.ui.csp: %s: [%q]", field, scheme+"://"+host)
}
