package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// SandboxHandler is the sandbox of the specification (MCP Apps, Sandbox proxy) for
// a program with a page of its own. It serves the origins that the program sets
// aside for its views, one for each, such as https://NAME.views.example.net.
//
// pageOrigin is the origin of the page around the views as the browser sees it,
// such as https://chat.example.com: no other page can frame a view or speak with
// it. view returns the bridge of the view at a request's origin, which its Host
// names, and nil where there is none; whatever stands in front must pass on the
// Host that the browser sent. SandboxHandler panics if pageOrigin is no http or
// https origin.
//
// At / is the proxy. The page shows it in an iframe with [SandboxAttribute] as
// its sandbox attribute and [mcpapps.Permissions.Allow] as its allow attribute,
// and carries what the two post to each other to and from the bridge, having
// checked the source and the origin of each message. The document is at /view,
// with the policy of its metadata as a header. What the policy stops comes back
// as a note to [ViewOptions.Trace], with what would allow it. Every other
// response, errors included, forbids everything.
//
// Three things are the program's own:
//
//   - Names that can't be guessed, on another site than the page's: cookies of
//     the page must not reach the views.
//   - A Content-Security-Policy of the page whose frame-src allows the views'
//     origins alone. Nothing else keeps a view from taking its frame elsewhere.
//   - An http.Server with a MaxHeaderBytes above what browsers send, such as
//     16 MiB: what net/http refuses by itself has no policy.
//
// No policy stops WebRTC: RTCPeerConnection can reach any address.
func SandboxHandler(pageOrigin string, view func(*http.Request) *Bridge) http.Handler {
	scheme, host, _ := strings.Cut(pageOrigin, "://")
	if scheme != "http" && scheme != "https" || !isHost(host) {
		panic(fmt.Sprintf("host.SandboxHandler: the page's origin %q is not one: name scheme, host and perhaps port, such as https://chat.example.com", pageOrigin))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", locked)
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Origin-Agent-Cluster", "?1") // a process of its own, where the browser can
		b := view(r)
		if b == nil || !isHost(r.Host) {
			http.Error(w, "no such view", http.StatusNotFound)
			return
		}
		switch r.Method + " " + r.URL.Path {
		case "GET /", "GET /view":
			app, err := b.App(r.Context())
			if err != nil || app == nil {
				http.Error(w, "the view has no document", http.StatusNotFound)
				return
			}
			policy := app.UI.CSP.Policy() + "; frame-ancestors 'self' " + pageOrigin
			body := []byte(app.HTML)
			if r.URL.Path == "/" {
				// No other path than the document's: net/http answers some by
				// itself, without a policy, and a view could act through that.
				policy = "default-src 'none'; script-src " + proxyScriptHash + "; style-src " + sourceHash(proxyStyle) +
					"; frame-src " + r.Host + "/view; base-uri 'none'; form-action 'none'; frame-ancestors " + pageOrigin
				body = proxyDocument(pageOrigin, app.UI.Permissions.Allow())
			}
			h.Set("Content-Security-Policy", policy+"; report-uri /report")
			h.Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(body)
		case "POST /report":
			b.violated(r)
			w.WriteHeader(http.StatusNoContent)
		default:
			http.Error(w, "not found", http.StatusNotFound)
		}
	})
}

// isHost reports whether s is a host with perhaps a port, and so can stand in a
// policy.
var isHost = regexp.MustCompile(`^[A-Za-z0-9._-]+(:[0-9]+)?$|^\[[0-9a-f:]+\](:[0-9]+)?$`).MatchString

func proxyDocument(pageOrigin, allow string) []byte {
	var buf bytes.Buffer
	_ = proxyTemplate.Execute(&buf, map[string]any{
		"Host": pageOrigin, "Allow": allow, "Sandbox": SandboxAttribute,
		"Style": template.CSS(proxyStyle), "Script": template.JS(proxyScript),
	})
	return buf.Bytes()
}

// violated notes a violation report of the browser. A page of another site can't
// send one, since that media type is none that it may post.
func (b *Bridge) violated(r *http.Request) {
	if mt, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); mt != "application/csp-report" {
		return
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, reportBytes))
	if err != nil {
		return
	}
	var body struct {
		Report struct {
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"`
			Blocked   string `json:"blocked-uri"`
			Line      int    `json:"line-number"`
			Sample    string `json:"script-sample"`
		} `json:"csp-report"`
	}
	if json.Unmarshal(data, &body) != nil {
		return
	}
	rep := body.Report
	v := violation{Directive: rep.Effective, Blocked: clip([]byte(rep.Blocked)), Line: rep.Line, Sample: rep.Sample}
	if v.Directive == "" {
		v.Directive, _, _ = strings.Cut(rep.Violated, " ")
	}
	now := time.Now()
	b.violations.mu.Lock()
	ok := b.violations.rate.take(now, reportRate, reportBurst)
	first := b.violations.evals == 0
	if v.Blocked == "eval" {
		b.violations.evals++
	}
	b.violations.mu.Unlock()
	if !ok {
		return
	}
	level, remedy := remedy(v, first)
	text := fmt.Sprintf("policy: %s stopped %s", clip([]byte(v.Directive)), v.Blocked)
	if v.Line > 0 {
		text += fmt.Sprintf(" in line %d", v.Line)
	}
	b.note(level, text+". "+remedy)
}
