package host

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/mcpapps-go/mcpapps"
)

// SandboxOptions say what [SandboxHandler] does beyond the specification. A nil
// pointer and zero fields mean the defaults.
type SandboxOptions struct {
	// Policy returns the Content-Security-Policy of a view's document, given what
	// its metadata declares, which may be nil. The handler adds frame-ancestors,
	// report-uri and 'report-sample'. Nil is [mcpapps.CSP.Policy], which is what
	// other hosts give the view.
	Policy func(b *Bridge, declared *mcpapps.CSP) string
	// ConnectionAllowlist returns the Connection-Allowlist header of a view's
	// document and of its proxy, given what the metadata declares, which may be nil;
	// "" sends none. Nil is [mcpapps.CSP.ConnectionAllowlist]. A program needs it if
	// its Policy allows or denies other origins than the metadata declares, or to
	// allow WebRTC: then it appends ";webrtc=allow". What it returns must allow
	// response-origin, or the view is not loaded.
	ConnectionAllowlist func(b *Bridge, declared *mcpapps.CSP) string
	// Violation is told what a policy blocked, at most 20 times a second for each
	// view. It must not wait. With nil, a note to [BridgeOptions.Trace] says so.
	Violation func(*Bridge, Violation)
	// NotFound answers what finds nothing at the origin of a view: most often a
	// document asks for a file that should stand beside it. The policy and the
	// connection allowlist of its answers forbid everything; they must stay. Nil
	// answers 404.
	NotFound http.Handler
}

// SandboxAttribute is the sandbox attribute of both frames: what a view needs,
// and no navigation of the page around it. A view's own origin, different from
// the host's, makes allow-same-origin safe (MCP Apps, Sandbox proxy).
const SandboxAttribute = "allow-scripts allow-same-origin allow-forms"

// locked is the policy of every response without a policy of its own: a frame
// that shows one can do nothing. Through an error page without a policy a view
// could fetch what it likes.
const locked = "default-src 'none'; sandbox; frame-ancestors 'none'"

// noConnections is the connection allowlist of every response without a policy of
// its own. A view could connect to anything through a frame that shows a response
// without an allowlist.
const noConnections = "()"

// SandboxHandler is the sandbox of the specification (MCP Apps, Sandbox proxy) for
// a program with a page of its own. It serves the origins that the program sets
// aside for its views, one for each, such as https://NAME.views.example.net.
//
// pageOrigin is the origin of the page around the views as the browser sees it,
// such as https://chat.example.com: no other page can frame a view or exchange
// messages with it. view returns the bridge of the view at a request's origin,
// which its Host names, and nil where there is none; whatever stands in front
// must pass on the Host that the browser sent. SandboxHandler panics if
// pageOrigin is not an http or https origin.
//
// At / is the proxy. The page shows it in an iframe with [SandboxAttribute] as
// its sandbox attribute and [mcpapps.Permissions.Allow] as its allow attribute,
// and carries what the two post to each other to and from the bridge, having
// checked the source and the origin of each message. The document is at /view,
// with the policy of its metadata as a header. The browser reports what that
// blocks to an address that can't be guessed. Every other response, errors
// included, forbids everything.
//
// Three things are the program's own:
//
//   - Names that can't be guessed, on another site than the page's: cookies of
//     the page must not reach the views.
//   - A Content-Security-Policy of the page whose frame-src allows the views'
//     origins alone. Nothing else keeps a view from taking its frame elsewhere.
//   - An http.Server with a MaxHeaderBytes above what browsers send, which is 2
//     MB of URL and less of cookies: 16 MiB will do. What net/http refuses by
//     itself, before it calls a handler, has neither header. The proxy's own policy
//     keeps frames from all that but /view with a query that is too long.
//
// A Content-Security-Policy leaves some connections open, through which a view
// can tell anybody what it knows: preconnect and dns-prefetch hints, whose host
// names leak, and WebRTC, which reaches any address. Every response therefore has
// a Connection-Allowlist made from the same metadata, which closes all of them in
// Chromium 152 and later. Chromium ends the process of a view that uses WebRTC all
// the same. Firefox and Safari ignore the header: there, these leaks remain,
// whatever the metadata says. The rule doc-hint of package check finds the hints in
// a document. A view that may connect to its own origin can forge violations of
// its own.
func SandboxHandler(pageOrigin string, view func(*http.Request) *Bridge, opts *SandboxOptions) http.Handler {
	scheme, host, _ := strings.Cut(pageOrigin, "://")
	if scheme != "http" && scheme != "https" || !isHost(host) {
		panic(fmt.Sprintf("host.SandboxHandler: the page's origin %q is not one: name scheme, host and perhaps port, such as https://chat.example.com", pageOrigin))
	}
	s := &sandbox{pageOrigin: pageOrigin, view: view}
	if opts != nil {
		s.opts = *opts
	}
	return s
}

type sandbox struct {
	pageOrigin string
	view       func(*http.Request) *Bridge
	opts       SandboxOptions
}

func (s *sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", locked)
	h.Set("Connection-Allowlist", noConnections)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Origin-Agent-Cluster", "?1") // a process of its own, where the browser can
	b := s.view(r)
	if b == nil || !isHost(r.Host) {
		http.Error(w, "no such view", http.StatusNotFound)
		return
	}
	reports := b.reportPath()
	switch {
	case r.Method == http.MethodGet && (r.URL.Path == "/" || r.URL.Path == "/view"):
		app, err := b.WaitApp(r.Context())
		if err != nil || app == nil {
			http.Error(w, "the view has no document", http.StatusNotFound)
			return
		}
		policy, body := s.documentPolicy(b, app.UI.CSP), app.HTML
		if r.URL.Path == "/" {
			policy, body = proxyPolicy(s.pageOrigin, r.Host), proxyDocument(s.pageOrigin, app.UI.Permissions.Allow())
		}
		// The view can act through the proxy, and its frame begins with the proxy's
		// allowlist: one that differs would allow more or break the view.
		if allowlist := s.allowlist(b, app.UI.CSP); allowlist != "" {
			h.Set("Connection-Allowlist", allowlist)
		} else {
			h.Del("Connection-Allowlist")
		}
		h.Set("Content-Security-Policy", policy+"; report-uri "+reports)
		h.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	case r.Method == http.MethodPost && r.URL.Path == reports:
		b.receiveReport(r, s.opts.Violation)
		w.WriteHeader(http.StatusNoContent)
	case s.opts.NotFound != nil:
		s.opts.NotFound.ServeHTTP(w, r)
	default:
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// documentPolicy returns the policy of a view's document. Reports have samples:
// only they tell a harmless probe for eval from its use.
func (s *sandbox) documentPolicy(b *Bridge, declared *mcpapps.CSP) string {
	policy := declared.Policy()
	if s.opts.Policy != nil {
		policy = s.opts.Policy(b, declared)
	}
	return strings.Replace(policy, "script-src ", "script-src 'report-sample' ", 1) + "; frame-ancestors 'self' " + s.pageOrigin
}

// allowlist returns the connection allowlist of a view's document.
func (s *sandbox) allowlist(b *Bridge, declared *mcpapps.CSP) string {
	if s.opts.ConnectionAllowlist != nil {
		return s.opts.ConnectionAllowlist(b, declared)
	}
	return declared.ConnectionAllowlist()
}

// isHost reports whether s is a host with perhaps a port, and so can stand in a
// policy.
var isHost = regexp.MustCompile(`^[A-Za-z0-9._-]+(:[0-9]+)?$|^\[[0-9a-f:]+\](:[0-9]+)?$`).MatchString
