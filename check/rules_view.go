package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/preview"
)

var (
	viewNotReady = newRule(Rule{
		Code:     "view-not-ready",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view never says that it is initialized",
		Why:      "a host sends nothing before ui/notifications/initialized, so the view stays as it is, often blank",
		Remedy:   "send ui/initialize when the script starts, look at its answer, and then send ui/notifications/initialized",
		Spec:     "Lifecycle",
	})

	viewMessage = newRule(Rule{
		Code:     "view-message",
		Severity: SeverityWarning,
		Hosts:    []string{hostReference},
		Summary:  "the view sends a message that the host drops, or a request that is answered with an error",
		Why:      "what the view does with the answer does not happen",
		Remedy:   "follow the specification, look at hostCapabilities before asking, and name tools and resources as the server lists them",
		Spec:     "Requests, Notifications",
	})

	viewBlocked = newRule(Rule{
		Code:     "view-blocked",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog, hostGoose},
		Summary:  "the policy of the view's own declaration blocks something in it",
		Why:      "hosts that keep to the specification block it too",
		Remedy:   "declare what can be declared, and avoid the rest",
		Spec:     "Host Behavior",
	})

	viewLoad = newRule(Rule{
		Code:     "view-load",
		Severity: SeverityNote,
		Summary:  "something that the view loads is not there",
		Why:      "what depends on it is missing here: nothing is known of how the view looks with it",
		Remedy:   "check where the network reaches it, correct the address, or put it into the document",
	})

	viewProbe = newRule(Rule{
		Code:     "view-probe",
		Severity: SeverityNote,
		Summary:  "the view tests once whether it may use eval",
		Why:      "libraries do this (Zod does) and work without it where it is blocked",
		Remedy:   "nothing: it is harmless",
	})

	viewException = newRule(Rule{
		Code:     "view-exception",
		Severity: SeverityWarning,
		Summary:  "an error in the view is not caught",
		Why:      "the code after it does not run",
		Remedy:   "handle the error, or correct what the view assumes",
	})

	viewBlank = newRule(Rule{
		Code:     "view-blank",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the view shows nothing",
		Why:      "the user sees an empty frame",
		Remedy:   "draw from the tool's result, and show something until it is there",
	})

	viewSize = newRule(Rule{
		Code:     "view-size",
		Severity: SeverityNote,
		Summary:  "the view reports no size, or a height of 0",
		Why:      "hosts that adapt to the view's size use a default, which cuts the view off or leaves space",
		Remedy:   "send ui/notifications/size-changed; view classes such as App send it themselves",
		Spec:     "Notifications",
	})

	viewGone = newRule(Rule{
		Code:     "view-gone",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view leaves its document, or hangs",
		Why:      "the frame is dead: it shows an error page or what it last drew, and no message reaches the view",
		Remedy:   "use ui/open-link and tools instead of navigating or submitting forms, and let scripts return",
		Spec:     "Sandbox proxy",
	})
)

// judgeView judges what happened in a view.
func (found *findings) judgeView(v *liveView) {
	o, at := &v.outcome, place{Tool: v.tool.Name, URI: v.uri}
	if o.Failed != nil {
		if !slices.ContainsFunc(found.list, func(f Finding) bool {
			return f.URI == at.URI && f.Severity == SeverityError && strings.HasPrefix(f.Code, "resource-") // which says why
		}) {
			found.add(viewNotReady, at, "the host does not open the view: %s", text.Shorten(o.Failed.Error(), maxSentence)).
				Remedy = "serve the document so that the host can read it"
		}
		return
	}
	gone := whyGone(o)
	switch {
	case gone != "":
		found.add(viewGone, at, "%s", gone)
	case !o.Initialized:
		why, remedy := whyNotInitialized(o)
		f := found.add(viewNotReady, at, "the view is not initialized after %v: %s", o.Waited.Round(time.Second), text.Shorten(why, maxSentence))
		if remedy != "" {
			f.Remedy = remedy
		}
	}
	for _, r := range o.Refusals {
		switch {
		case o.Closed != nil && (r.Method == "tools/call" || r.Method == "resources/read"): // the server ended
		case r.Method == "ui/initialize" && !o.Initialized: // said by view-not-ready
		default:
			found.add(viewMessage, at, "%s", text.Shorten(refused(r), maxSentence))
		}
	}
	for _, n := range o.Notes {
		switch n.Kind {
		case host.NoteMetadata: // said better by the rules of metadata
		case host.NoteViewLost: // said by view-gone
		default:
			found.add(viewMessage, at, "%s", text.Shorten(n.Text, maxSentence))
		}
	}
	for _, x := range o.Violations {
		if x.InProxy && gone != "" {
			continue // the way by which it left
		}
		found.judgeViolation(x, at)
	}
	for _, e := range o.Exceptions {
		found.add(viewException, at, "%s, at line %d, column %d", text.Shorten(e.Text, maxSentence), e.Line, e.Column)
	}
	for _, m := range o.FailedLoads() {
		found.add(viewLoad, at, "%s: %s", text.Shorten(m.URL, maxValue), text.Shorten(m.Text, maxSentence))
	}
	if o.Blank {
		why := ""
		if cause := o.Cause(); cause != "" {
			why = ": " + text.Shorten(cause, maxSentence)
		}
		found.add(viewBlank, at, "the view has its result and shows nothing%s", why)
	}
	switch {
	case !o.Initialized || gone != "":
	case !o.Sized:
		found.add(viewSize, at, "the view sent no ui/notifications/size-changed")
	case o.Height == 0:
		found.add(viewSize, at, "the view reports a height of 0").
			Remedy = "give html or body a height: content with position absolute or fixed adds nothing to it"
	}
}

func (found *findings) judgeViolation(x host.Violation, at place) {
	what := fmt.Sprintf("%s blocks %s", x.Directive, text.Quote(x.Blocked))
	if x.Sample != "" {
		what += fmt.Sprintf(" in %s", text.Quote(x.Sample))
	}
	if x.Blocked == "eval" && x.Level == host.LevelInfo {
		found.add(viewProbe, at, "%s", what)
		return
	}
	f := found.add(viewBlocked, at, "%s", what)
	if x.Remedy != "" {
		f.Remedy = strings.TrimSuffix(strings.ToLower(x.Remedy[:1])+x.Remedy[1:], ".")
	}
}

// whyGone returns why the frame does not show the view, or shows a dead one, ""
// if it shows the view.
func whyGone(o *liveview.Outcome) string {
	switch {
	case o.Left == preview.EventProxyLeft:
		return "the sandbox proxy went to another page, and the view with it"
	case o.Left != "":
		return "the view went to another page, or was blocked on the way there: its frame does not show the view"
	case o.Crashed:
		return "the browser ended the view's process, as Chromium does where a view uses WebRTC under Connection-Allowlist (RTCPeerConnection)"
	case o.Died:
		return "the view's process died, or the view removed its own frame"
	case o.Hangs > 0:
		return fmt.Sprintf("the view's script does not return: nothing else in the frame has had a turn for %v", o.Hangs)
	}
	return ""
}

// whyNotInitialized returns why the view is not initialized, and the remedy if that is
// not the rule's.
func whyNotInitialized(o *liveview.Outcome) (why, remedy string) {
	if r, ok := o.InitializeRefused(); ok {
		return refused(r), ""
	}
	if o.Closed != nil {
		return "it was closed: " + o.Closed.Error(), ""
	}
	missing := "it sends no ui/initialize"
	if o.InitializeSent {
		missing = "it sends ui/initialize, and no ui/notifications/initialized after the answer"
	}
	if cause := o.Cause(); cause != "" {
		return cause + "; " + missing, "correct what the message begins with: the view gets no further"
	}
	return missing, ""
}

func refused(r liveview.Refusal) string {
	what := r.Method
	if r.Subject != "" {
		what += " of " + text.Quote(r.Subject)
	}
	return fmt.Sprintf("%s is answered with the error %d: %s", what, r.Code, r.Message)
}
