package host

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A violation is something that a view's policy stopped.
type violation struct {
	Directive string `json:"directive"`
	Blocked   string `json:"blocked"`
	Source    string `json:"source,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	Sample    string `json:"sample,omitempty"`
	Remedy    string `json:"remedy"`
	Level     Level  `json:"level"`
	InProxy   bool   `json:"inProxy,omitempty"` // by the proxy's own policy, not the view's
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

// limited calls f unless that is done too often.
func (l *reports) limited(v *previewView, f func()) {
	now := time.Now()
	l.mu.Lock()
	ok := l.rate.take(now, reportRate, reportBurst)
	dropped := l.rate.report(now)
	l.mu.Unlock()
	if ok {
		f()
	} else if dropped > 0 {
		v.note(LevelWarning, fmt.Sprintf("left out %d violation reports: more than %d a second", dropped, reportRate))
	}
}

// A cspReport is what browsers send to a report-uri (CSP 3, section 5.3).
type cspReport struct {
	Document  string `json:"document-uri"`
	Effective string `json:"effective-directive"`
	Violated  string `json:"violated-directive"`
	Blocked   string `json:"blocked-uri"`
	Source    string `json:"source-file"`
	Line      int    `json:"line-number"`
	Column    int    `json:"column-number"`
	Sample    string `json:"script-sample"`
}

// report takes a violation report from the browser.
func (v *previewView) report(r *http.Request) {
	data, err := io.ReadAll(io.LimitReader(r.Body, reportBytes+1))
	if err != nil || len(data) > reportBytes {
		return
	}
	var body struct {
		Report cspReport `json:"csp-report"`
	}
	v.reports.limited(v, func() {
		if json.Unmarshal(data, &body) != nil {
			v.note(LevelWarning, "a report that is none: the view can send such itself")
			return
		}
		v.reported(body.Report)
	})
}

// reported passes a report on to the page.
func (v *previewView) reported(rep cspReport) {
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
	if rep.Document == v.origin()+"/" {
		vio.InProxy = true
		vio.Level, vio.Remedy = LevelError, "No metadata can allow it: this was in the sandbox proxy around the view, which hosts keep to themselves."
		if vio.Directive == "frame-src" {
			vio.Remedy = "No metadata can allow it: the view's own frame was sent there. Open links with app.openLink."
		}
	}
	v.tab.send(map[string]any{"type": "violation", "view": v.id, "violation": vio})
}

// evalProbe matches the sample of a violation, of which there are 40 characters
// at most, where the code does nothing: libraries ask so whether they may.
var evalProbe = regexp.MustCompile(`^(\((async )?function anonymous\(\s*\) \{\s*(return this|debugger)?;?\s*\}\)|\s*)$`)

// remedy says what would allow it.
func remedy(v violation, firstEval bool) (Level, string) {
	directive := strings.TrimSuffix(strings.TrimSuffix(v.Directive, "-elem"), "-attr")
	switch v.Blocked {
	case "eval", "wasm-eval":
		if firstEval && v.Blocked == "eval" && evalProbe.MatchString(v.Sample) {
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
