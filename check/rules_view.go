package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	viewNotReady = newRule(Rule{
		Code:     "view-not-ready",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view does not connect to its host: no app.connect(), or one that fails",
		Why:      "a host sends nothing before ui/notifications/initialized, so the view stays as it is, often blank",
		Remedy:   "call app.connect() once the handlers are set; a script without the App class sends ui/initialize, looks at the answer, and sends ui/notifications/initialized",
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
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "an error in the view, or a rejected promise, that no script handles",
		Why:      "the code after it does not run, and the view stays unfinished",
		Remedy:   "handle the error, or correct what the view assumes",
	})

	viewCaught = newRule(Rule{
		Code:     "view-caught",
		Severity: SeverityNote,
		Summary:  "an error of JavaScript in the view rejects a promise, and a script handles it",
		Why:      "the code after it does not run; if a view library handles it, as ext-apps does with what a handler throws, nobody sees it",
		Remedy:   "if it is not expected, correct what the view assumes; app.onerror gets what a handler throws",
	})

	viewConsole = newRule(Rule{
		Code:     "view-console",
		Severity: SeverityNote,
		Summary:  "the view's console has an error",
		Why:      "it may say why something is missing",
		Remedy:   "look at what it says",
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
		Remedy:   "leave autoResize of the App class on, or send ui/notifications/size-changed",
		Spec:     "Notifications",
	})

	viewGone = newRule(Rule{
		Code:     "view-gone",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view leaves its document, hangs or crashes",
		Why:      "the frame is dead: it shows an error page or what it last drew, and no message reaches the view",
		Remedy:   "use app.openLink() and tools instead of navigating or submitting forms",
		Spec:     "Sandbox proxy",
	})
)

// viewRules are the rules by what went wrong. KindResult and KindCall are the matter of
// the rules of results, and KindClosed says that the server ended.
var viewRules = map[liveview.Kind]*Rule{
	liveview.KindDocument:  viewNotReady,
	liveview.KindConnect:   viewNotReady,
	liveview.KindHandshake: viewNotReady,
	liveview.KindCrash:     viewGone,
	liveview.KindLeft:      viewGone,
	liveview.KindHang:      viewGone,
	liveview.KindLoad:      viewLoad,
	liveview.KindException: viewException,
	liveview.KindRejection: viewException,
	liveview.KindCaught:    viewCaught,
	liveview.KindConsole:   viewConsole,
	liveview.KindViolation: viewBlocked,
	liveview.KindRefusal:   viewMessage,
	liveview.KindMessage:   viewMessage,
	liveview.KindBlank:     viewBlank,
	liveview.KindSize:      viewSize,
}

// maxOfView is how many findings of a rule a view has: a script in a loop would have
// thousands.
const maxOfView = 20

// judgeView judges what happened in a view.
func (found *findings) judgeView(v *liveView) {
	o, at := &v.outcome, place{Tool: v.tool.Name, URI: v.uri}
	times := make(map[*Rule]int)
	var many []*Rule
	for _, failure := range o.Failures() {
		rule := viewRules[failure.Kind]
		switch {
		case rule == nil:
			continue
		case failure.Kind == liveview.KindDocument:
			found.judgeUnshown(failure, at)
			continue
		case failure.Kind == liveview.KindViolation && failure.Violation.InProxy && o.Gone():
			continue // the way by which it left
		}
		if times[rule]++; times[rule] > maxOfView {
			if times[rule] == maxOfView+1 {
				many = append(many, rule)
			}
			continue
		}
		f := found.add(rule, at, "%s", text.Shorten(failure.String(), maxSentence))
		if failure.Remedy != "" {
			f.Remedy = failure.Remedy
		}
	}
	for _, rule := range many {
		found.add(rule, at, "and %d more of this view", times[rule]-maxOfView).Remedy = "look first at those that are named"
	}
	for _, x := range o.Violations {
		if x.Blocked == "eval" && x.Level == host.LevelInfo {
			found.add(viewProbe, at, "%s", blocked(x))
		}
	}
}

// judgeUnshown judges a view that the host did not open.
func (found *findings) judgeUnshown(failure liveview.Failure, at place) {
	if slices.ContainsFunc(found.list, func(f Finding) bool {
		return f.URI == at.URI && f.Severity == SeverityError && strings.HasPrefix(f.Code, "resource-") // which says why
	}) {
		return
	}
	found.add(viewNotReady, at, "the host does not open the view: %s", text.Shorten(failure.Text, maxSentence)).
		Remedy = "serve the document so that the host can read it"
}

// blocked says what a policy blocked.
func blocked(x host.Violation) string {
	what := fmt.Sprintf("%s blocks %s", x.Directive, text.Quote(x.Blocked))
	if x.Sample != "" {
		what += fmt.Sprintf(" in %s", text.Quote(x.Sample))
	}
	return what
}
