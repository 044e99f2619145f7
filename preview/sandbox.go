package preview

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A policyMode says which policy a view's document gets.
type policyMode string

const (
	// policyStrict allows what the specification allows a view with its metadata.
	policyStrict policyMode = "strict"
	// policyLoose also allows what the host of the reference example allows: eval,
	// and blob: and data: sources. A view that needs it fails in other hosts. Both
	// modes have the connection allowlist of the metadata, without WebRTC.
	policyLoose policyMode = "loose"
)

// sandboxHandler serves the views, each on an origin NAME.localhost of its own.
func (p *Preview) sandboxHandler() http.Handler {
	sandbox := host.SandboxHandler(p.origin, func(r *http.Request) *host.Bridge {
		if v := p.viewOfHost(r.Host); v != nil {
			return v.bridge
		}
		return nil
	}, &host.SandboxOptions{
		Policy: func(b *host.Bridge, declared *mcpapps.CSP) string {
			if v := p.viewOfBridge(b); v != nil {
				return v.mode.policy(declared)
			}
			return declared.Policy() // it was closed in the meantime
		},
		Violation: func(b *host.Bridge, violation host.Violation) {
			if v := p.viewOfBridge(b); v != nil {
				v.emit(Event{Kind: EventViolation, Violation: violation})
				v.tab.send(map[string]any{
					"type": "violation", "view": v.name, "violation": violation,
					"position": v.places().position(violation.Source, violation.Line, violation.Column),
				})
			}
		},
		NotFound: http.HandlerFunc(p.serveNotFound),
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v := p.viewOfHost(r.Host); v != nil && v.console && r.Method == http.MethodGet && r.URL.Path == "/view" {
			v.serveInjected(sandbox, w, r)
			return
		}
		sandbox.ServeHTTP(w, r)
	})
}

// serveNotFound reports a request for a file that does not exist. Most often the
// document refers to a file that its author has next to it.
func (p *Preview) serveNotFound(w http.ResponseWriter, r *http.Request) {
	v := p.viewOfHost(r.Host)
	if v != nil && r.URL.Path != "/favicon.ico" { // which browsers request on their own
		if v.missing.Allow() {
			v.note(host.LevelWarning, host.NoteDocument, fmt.Sprintf("%s %s: not found. A view has no files next to it: put what it needs into the document", r.Method, text.Shorten(r.URL.Path, 80)))
		} else if n := v.missing.Refused(); n > 0 {
			v.note(host.LevelWarning, host.NoteLimit, fmt.Sprintf("%d more requests were not found", n))
		}
	}
	http.Error(w, "not found", http.StatusNotFound)
}

func (p *Preview) viewOfHost(hostPort string) *view {
	name, ok := strings.CutSuffix(hostPort, fmt.Sprintf(".localhost:%d", p.sandboxPort))
	if !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.views[name]
}

func (p *Preview) viewOfBridge(b *host.Bridge) *view {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range p.views {
		if v.bridge == b {
			return v
		}
	}
	return nil
}

// policy returns the policy of a view's document.
func (m policyMode) policy(declared *mcpapps.CSP) string {
	if m != policyLoose {
		return declared.Policy()
	}
	if declared == nil {
		declared = &mcpapps.CSP{}
	}
	extra := map[string]string{
		"script-src": " 'unsafe-eval' blob: data:", "style-src": " blob: data:", "img-src": " blob:",
		"media-src": " blob:", "font-src": " blob: data:", "connect-src": " blob: data:",
	}
	directives := strings.Split(declared.Policy(), "; ")
	for i, d := range directives {
		name, _, _ := strings.Cut(d, " ")
		directives[i] = d + extra[name]
	}
	return strings.Join(append(directives, "worker-src 'self' blob:"), "; ")
}
