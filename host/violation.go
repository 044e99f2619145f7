package host

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/origin"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A Violation is something that the policy of a view, or of the sandbox proxy
// around it, blocked. The browser reports it, but the view can forge one.
type Violation struct {
	// Directive of the policy, such as "connect-src".
	Directive string `json:"directive"`
	// Blocked is the URL that was blocked, shortened, or a keyword such as
	// "inline", "eval" or "data".
	Blocked string `json:"blocked"`
	// Source is the URL of the script or document where it happened, with the
	// Line and Column there, from 1. They are empty where the browser does not
	// tell.
	Source string `json:"source,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Sample holds the first 40 characters of an inline script or style, or of
	// the code that eval was given.
	Sample string `json:"sample,omitempty"`
	// Remedy tells the author what would allow it, or what to do instead. It is empty
	// if Ignored is not.
	Remedy string `json:"remedy"`
	// Ignored says that the metadata allows it, and that the emulated host ignores the
	// field, see [Emulation.UI].
	Ignored string `json:"ignored,omitempty"`
	// Level is [LevelInfo] for what is harmless, else [LevelError].
	Level Level `json:"level"`
	// InProxy says that the policy of the proxy blocked it, not the view's.
	InProxy bool `json:"inProxy,omitempty"`
}

// Bounds of the violation reports of one view.
const (
	reportBytes = 16 << 10
	reportRate  = 20 // per second
	reportBurst = 100
)

// violations is what a bridge keeps for the reports of its view.
type violations struct {
	mu    sync.Mutex
	path  string // where reports are posted to
	rate  *ratelimit.Limiter
	evals int // blocked so far
}

// reportPath returns the path that the browser posts the view's reports to. It
// can't be guessed: a page that does not know it can't report anything.
func (b *Bridge) reportPath() string {
	v := &b.violations
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.path == "" {
		v.path = "/report/" + strings.ToLower(rand.Text())
		v.rate = ratelimit.New(reportRate, reportBurst)
	}
	return v.path
}

// receiveReport passes a violation report of the browser to callback. If that is
// nil, it notes the violation.
func (b *Bridge) receiveReport(r *http.Request, callback func(*Bridge, Violation)) {
	// No page of another site may post this media type, whatever it knows.
	if mt, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); mt != "application/csp-report" {
		return
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, reportBytes+1))
	if err != nil || len(data) > reportBytes {
		return
	}
	allowed := b.violations.rate.Allow()
	if n := b.violations.rate.Refused(); n > 0 {
		b.note(LevelWarning, NoteLimit, fmt.Sprintf("left out %d violation reports: more than %d a second", n, reportRate))
	}
	if !allowed {
		return
	}
	v, ok := b.violation(data, r.Host)
	switch {
	case !ok:
		b.note(LevelWarning, NoteInvalid, "an invalid violation report: only the view itself can have sent it")
	case callback != nil:
		callback(b, v)
	default:
		note := fmt.Sprintf("policy: %s stopped %s", v.Directive, v.Blocked)
		if v.Line > 0 {
			note += fmt.Sprintf(" in line %d", v.Line)
		}
		b.note(v.Level, NoteViolation, note+". "+v.Remedy+v.Ignored)
	}
}

// violation reads a report as browsers send it to a report-uri (CSP 3, section
// 5.3), for the view at host.
func (b *Bridge) violation(data []byte, host string) (Violation, bool) {
	var body struct {
		Report *struct {
			Document  string `json:"document-uri"`
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"`
			Blocked   string `json:"blocked-uri"`
			Source    string `json:"source-file"`
			Line      int    `json:"line-number"`
			Column    int    `json:"column-number"`
			Sample    string `json:"script-sample"`
		} `json:"csp-report"`
	}
	if json.Unmarshal(data, &body) != nil || body.Report == nil {
		return Violation{}, false
	}
	rep := body.Report
	v := Violation{Directive: rep.Effective, Blocked: rep.Blocked, Source: rep.Source, Line: rep.Line, Column: rep.Column, Sample: rep.Sample}
	if v.Directive == "" {
		v.Directive, _, _ = strings.Cut(rep.Violated, " ")
	}
	if at, err := url.Parse(rep.Document); err == nil && at.Host == host && at.Path == "/" {
		v.InProxy = true
	}
	b.violations.mu.Lock()
	first := b.violations.evals == 0
	if v.Blocked == "eval" {
		b.violations.evals++
	}
	b.violations.mu.Unlock()
	v.Level, v.Remedy = remedy(v, first)
	if v.Ignored = b.ignored(v); v.Ignored != "" {
		v.Remedy = ""
	}
	// The view can forge a report with words of any length.
	v.Directive, v.Blocked = short(v.Directive), short(v.Blocked)
	v.Source, v.Sample = text.Shorten(v.Source, 2000), text.Shorten(v.Sample, 200)
	return v, true
}

// evalProbe matches the sample of a violation where the code does nothing:
// libraries probe that way whether they may use eval.
var evalProbe = regexp.MustCompile(`^(\((async )?function anonymous\(\s*\) \{\s*(return this|debugger)?;?\s*\}\)|\s*)$`)

// remedy says how much a violation matters and what would allow it.
func remedy(v Violation, firstEval bool) (Level, string) {
	if v.InProxy {
		if v.Directive == "frame-src" {
			return LevelError, "No metadata can allow it: the view's own frame was sent there. Open links with app.openLink."
		}
		return LevelError, "No metadata can allow it: this was in the sandbox proxy around the view, which hosts keep to themselves."
	}
	directive := strings.TrimSuffix(strings.TrimSuffix(v.Directive, "-elem"), "-attr")
	switch v.Blocked {
	case "eval", "wasm-eval":
		if firstEval && v.Blocked == "eval" && evalProbe.MatchString(v.Sample) {
			return LevelInfo, "No metadata can allow eval. Once at the start it is a library that probes for it (Zod does), and harmless."
		}
		return LevelError, "No metadata can allow eval or WebAssembly: use a build that does not need it."
	case "inline":
		return LevelError, "Inline scripts and styles are allowed; this one is in a document that the view embeds."
	case "data", "blob":
		return LevelError, fmt.Sprintf("No metadata can allow %s: sources for %s: put it into the document, or serve it from an origin.", v.Blocked, directive)
	}
	if directive == "form-action" {
		return LevelError, "No metadata can allow it: send the data with fetch or through a tool."
	}
	field := mcpapps.CSPField(directive)
	entry, ok := blockedOrigin(v)
	if field == "" || !ok {
		return LevelError, "No metadata can allow it."
	}
	if err := origin.Validate(entry); err != nil {
		return LevelError, fmt.Sprintf("No metadata can allow the origin %s: %v.", text.Quote(entry), err)
	}
	return LevelError, fmt.Sprintf("Declare {%q: [%q]} in _meta.ui.csp of the resource (View.UI.CSP in Go)", field, entry)
}

// blockedOrigin returns the origin of the URL that was blocked, false for a keyword and
// for a scheme that no metadata allows.
func blockedOrigin(v Violation) (string, bool) {
	scheme, rest, ok := strings.Cut(v.Blocked, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host, ok && slices.Contains([]string{"http", "https", "ws", "wss"}, scheme)
}

// ignored returns [Violation.Ignored].
func (b *Bridge) ignored(v Violation) string {
	entry, ok := blockedOrigin(v)
	if b.emulation == nil || v.InProxy || !ok {
		return ""
	}
	b.mu.Lock()
	declared, app, info := b.emulation.declared, b.opts.App, b.opts.HostInfo
	b.mu.Unlock()
	if !declared.Allows(v.Directive, entry) || app == nil || app.UI.CSP.Allows(v.Directive, entry) {
		return ""
	}
	return fmt.Sprintf("The metadata allows it in csp.%s, which %s ignores as it is emulated.", mcpapps.CSPField(v.Directive), cmp.Or(info.Title, info.Name))
}
