package liveview

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/preview"
)

// A Kind says what went wrong in a view.
type Kind string

const (
	// KindDocument: there is no view: the tool has none, or its document can't be read.
	KindDocument Kind = "document"
	// KindCall: the call that opened the view failed.
	KindCall Kind = "call"
	// KindResult: the tool's result is an error, which the view gets.
	KindResult Kind = "result"
	// KindCrash: the view's process ended, or the view removed its own frame.
	KindCrash Kind = "crash"
	// KindLeft: the frame shows another page.
	KindLeft Kind = "left"
	// KindHang: a script of the view does not return.
	KindHang Kind = "hang"
	// KindClosed: the view was closed.
	KindClosed Kind = "closed"
	// KindLoad: a request of the view failed. URL is what it asked for.
	KindLoad Kind = "load"
	// KindException: no script caught an error.
	KindException Kind = "exception"
	// KindRejection: no script handled the rejection of a promise.
	KindRejection Kind = "rejection"
	// KindViolation: the policy blocked something. Violation says what.
	KindViolation Kind = "violation"
	// KindConsole: an error was written to the console.
	KindConsole Kind = "console"
	// KindConnect: the view never called app.connect(), or the host refused it.
	KindConnect Kind = "connect"
	// KindHandshake: the view did not complete app.connect().
	KindHandshake Kind = "handshake"
	// KindRefusal: a request of the view was answered with an error. Refusal says which.
	KindRefusal Kind = "refusal"
	// KindMessage: a message of the view was dropped.
	KindMessage Kind = "message"
	// KindBlank: the view has its result and shows nothing.
	KindBlank Kind = "blank"
	// KindSize: the view reported no height.
	KindSize Kind = "size"
	// KindCaught: a promise was rejected with an error of JavaScript itself, and a script
	// handled it: perhaps the view library, which tells nobody.
	KindCaught Kind = "caught"
)

// Fails reports whether the view does not work because of it, or probably not as its
// author meant it to. Two others judge by their own measure: check by what its rules say
// of hosts (check/rules_view.go), and mcpappstest by what fails a test (errors.go there).
func (k Kind) Fails() bool {
	switch k {
	case KindViolation, KindConsole, KindRefusal, KindMessage, KindSize, KindCaught, KindClosed:
		return false
	}
	return true
}

// A Failure is something that went wrong in a view.
type Failure struct {
	Kind Kind
	// Text says what, without the position.
	Text string
	// Remedy says what to do, as a part of a sentence, if more is known than the kind
	// tells.
	Remedy   string
	Position Position
	Stack    []Frame // innermost first

	URL       string
	Violation host.Violation
	Refusal   Refusal
	// Throws says that an error which no script caught follows from the violation.
	Throws bool
}

// Fails reports whether the view does not work because of it, or probably not as its
// author meant it to.
func (f Failure) Fails() bool { return f.Throws || f.Kind.Fails() }

// String returns the text and the position.
func (f Failure) String() string {
	if at := f.Position.String(); at != "" {
		return f.Text + ", at " + at
	}
	return f.Text
}

// Failures returns what went wrong so far, likely causes first.
func (o *Outcome) Failures() []Failure {
	if o.Failed != nil {
		return []Failure{{Kind: KindDocument, Text: o.Failed.Error()}}
	}
	var list []Failure
	list = append(list, o.callFailures()...)
	list = append(list, o.endings()...)
	causes := o.causes()
	list = append(list, causes...)
	list = append(list, o.handshake(causes)...)
	for _, r := range o.Refusals {
		switch {
		case o.Closed != nil && (r.Method == "tools/call" || r.Method == "resources/read"): // the server ended
		case r.Method == methodInitialize && !o.Initialized: // said by handshake
		default:
			list = append(list, Failure{Kind: KindRefusal, Text: r.String(), Refusal: r})
		}
	}
	for _, n := range o.Notes {
		switch n.Kind {
		case host.NoteMetadata, host.NoteDocument, host.NoteViolation, host.NoteViewLost, host.NoteClosed, host.NoteOtherView: // have a kind of their own, or are not the view's
		default:
			list = append(list, Failure{Kind: KindMessage, Text: n.Text})
		}
	}
	if o.Blank {
		list = append(list, Failure{Kind: KindBlank, Text: "the view has its result and shows nothing" + because(slices.Concat(causes, o.caught()))})
	}
	list = append(list, o.size()...)
	return append(list, o.caught()...)
}

// Cause returns what probably kept the view from showing what it should, for people:
// the first of Failures that can be one. It returns "" if there is none.
func (o *Outcome) Cause() string {
	return strings.TrimPrefix(because(slices.Concat(o.causes(), o.caught())), ": ")
}

func because(causes []Failure) string {
	if len(causes) == 0 {
		return ""
	}
	return ": " + causes[0].String()
}

func (o *Outcome) callFailures() []Failure {
	if o.ResultErr != nil {
		return []Failure{{Kind: KindCall, Text: "the call failed: " + o.ResultErr.Error()}}
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if json.Unmarshal(o.Result, &r) != nil || !r.IsError {
		return nil
	}
	message := "without a text"
	if len(r.Content) > 0 && r.Content[0].Text != "" {
		message = r.Content[0].Text
	}
	return []Failure{{Kind: KindResult, Text: "the tool's result is an error: " + message}}
}

// endings says why the frame does not show the view, or shows a dead one.
func (o *Outcome) endings() []Failure {
	switch {
	case o.Left == preview.EventProxyLeft:
		return []Failure{{Kind: KindLeft, Text: "the sandbox proxy went to another page, and the view with it"}}
	case o.Left != "":
		return []Failure{{Kind: KindLeft, Text: "the view went to another page, or was blocked on the way there: its frame does not show the view"}}
	case o.Crashed:
		if o.webRTC {
			return []Failure{{Kind: KindCrash, Text: "the browser ended the view's process, as Chromium does where a view uses WebRTC (RTCPeerConnection) under Connection-Allowlist",
				Remedy: "leave WebRTC out: hosts that close it end the process of a view that uses it"}}
		}
		return []Failure{{Kind: KindCrash, Text: "the browser ended the view's process", Remedy: "look for what grows without a bound: a crash is most often for want of memory"}}
	case o.Died:
		return []Failure{{Kind: KindCrash, Text: "the view's process died, or the view removed its own frame"}}
	case o.Hangs > 0:
		return []Failure{{Kind: KindHang, Text: fmt.Sprintf("the view's script does not return: nothing else in the frame has had a turn for %v", o.Hangs), Remedy: "let scripts return"}}
	case o.Closed != nil:
		return []Failure{{Kind: KindClosed, Text: "the view was closed: " + o.Closed.Error()}}
	}
	return nil
}

// causes are what can keep a view from being initialized, or from showing something.
func (o *Outcome) causes() []Failure {
	var list []Failure
	for _, l := range o.FailedLoads {
		f := Failure{Kind: KindLoad, Text: "it could not load " + text.Shorten(l.URL, maxURL) + ": " + l.Reason, URL: l.URL}
		if at, beside := besideDocument(l); beside {
			f.Text = "it could not load " + text.Quote(text.Shorten(at, maxURL)) + ": a view has no files beside its document"
			f.Remedy = "put what the view needs into the document, as bundle.Handler does, or load it from an origin in csp.resourceDomains"
		}
		list = append(list, f)
	}
	var blocked []Failure
	for _, v := range o.Violations {
		if v.Level != host.LevelInfo {
			f := Failure{Kind: KindViolation, Text: fmt.Sprintf("its policy blocks %s (%s)", v.Blocked, v.Directive), Remedy: midSentence(v.Remedy), Violation: v}
			f.Throws = slices.ContainsFunc(o.Exceptions, func(x chrome.Exception) bool { return follows(x, v) })
			if v.Sample != "" {
				f.Text += " in " + text.Quote(v.Sample)
			}
			if v.Ignored != "" {
				f.Text += ": " + midSentence(v.Ignored)
			}
			if v.Sample != "" || v.Directive == "connect-src" { // for an element, it is where the parser was
				f.Position = o.Place(chrome.Position{URL: v.Source, Line: v.Line, Column: v.Column})
			}
			if f.Throws {
				list = append(list, f) // before the error, which does not name it
			} else {
				blocked = append(blocked, f)
			}
		}
	}
	for _, x := range o.Exceptions {
		if o.probe.Import != "" && len(x.Stack) == 0 && !o.Initialized {
			continue // of the import, which handshake speaks of
		}
		f := Failure{Kind: KindException, Text: "uncaught: " + x.Text, Position: o.thrownAt(x), Stack: o.stack(x.Stack)}
		if x.Rejection {
			f.Kind, f.Text, f.Remedy = KindRejection, "a rejected promise that nothing handles: "+x.Text, "await the promise in try and catch, or give it a catch"
		}
		list = append(list, f)
	}
	list = append(list, blocked...)
	for _, m := range o.Console {
		if m.Level == chrome.LevelError {
			list = append(list, Failure{Kind: KindConsole, Text: "its console says: " + m.Text, Position: o.Place(m.Position), Stack: o.stack(m.Stack)})
		}
	}
	return list
}

// What a browser says of an error that follows from the policy, by what that blocks.
var (
	errorOfRequest = regexp.MustCompile(`Failed to fetch|'XMLHttpRequest'|'WebSocket'|'EventSource'`)
	errorOfScript  = regexp.MustCompile(`ReferenceError: |Failed to fetch dynamically imported module`)
	errorOfEval    = regexp.MustCompile(`EvalError: |Content Security Policy`)
)

// follows reports whether an error that no script caught is what the blocked code gets
// to see of a violation.
func follows(x chrome.Exception, v host.Violation) bool {
	switch {
	case v.Directive == "connect-src":
		return errorOfRequest.MatchString(x.Text)
	case v.Blocked == "eval" || v.Blocked == "wasm-eval":
		return errorOfEval.MatchString(x.Text)
	case strings.HasPrefix(v.Directive, "script-src"):
		return errorOfScript.MatchString(x.Text)
	}
	return false
}

// midSentence returns a sentence as a part of one.
func midSentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(s[:1])+s[1:], ".")
}

const maxURL = 300 // bytes in a text

// besideDocument reports whether a request was for the view's own origin, and at which
// path.
func besideDocument(l chrome.FailedLoad) (path string, beside bool) {
	from, err := url.Parse(l.Document)
	to, err2 := url.Parse(l.URL)
	if err != nil || err2 != nil || from.Host != to.Host {
		return "", false
	}
	return to.Path, true
}

// handshake says why the view is not initialized.
func (o *Outcome) handshake(causes []Failure) []Failure {
	if o.Initialized || o.Gone() || o.Hangs > 0 || !o.Opened {
		return nil
	}
	f := Failure{Kind: KindConnect}
	waited := ""
	if o.Waited > 0 {
		waited = fmt.Sprintf(" within %v", o.Waited.Round(time.Second))
	}
	refusal, refused := o.InitializeRefused()
	switch {
	case refused:
		f.Text = fmt.Sprintf("app.connect() fails: the host answers with the error %d: %s", refusal.Code, refusal.Message)
		f.Remedy = "send what the message asks for: new App({ name, version }) does"
	case o.InitializeSent:
		f.Kind = KindHandshake
		f.Text = "the view begins app.connect() and does not end it" + waited + ": after the answer to ui/initialize it sends no ui/notifications/initialized"
		f.Remedy = "look at the answer to ui/initialize, and then send ui/notifications/initialized; app.connect() does both"
	case o.probe.Import != "":
		f.Text = fmt.Sprintf("its script imports %s, which only a bundler can resolve, so that it does not run", text.Quote(o.probe.Import))
		f.Remedy = "serve the document with bundle.Handler of view/bundle in place of mcpapps.HTML or HTMLFile, or bundle it otherwise"
	case o.probe.known && o.probe.Scripts == 0:
		f.Text = "the view has no script, so that nothing calls app.connect()"
		f.Remedy = `add a module script: import { App } from "mcp-app", and call app.connect()`
	case len(causes) > 0:
		f.Text = "its script never calls app.connect()" + because(causes)
		f.Remedy = "correct what the message ends with: the script gets no further"
	default:
		f.Text = "its script never calls app.connect()"
		if waited != "" {
			f.Text = "its script did not call app.connect()" + waited
		}
		f.Remedy = "call app.connect() once the handlers are set; a script without the App class sends ui/initialize"
	}
	return []Failure{f}
}

func (o *Outcome) size() []Failure {
	switch {
	case !o.Initialized || o.Gone() || o.Hangs > 0:
	case !o.Sized:
		return []Failure{{Kind: KindSize, Text: "the view did not report its size (ui/notifications/size-changed)"}}
	case o.Height == 0:
		return []Failure{{Kind: KindSize, Text: "the view reports a height of 0", Remedy: "give html or body a height: content with position absolute or fixed adds nothing to it"}}
	}
	return nil
}

// ownError matches the errors that JavaScript throws itself. Others are often thrown to
// be caught, and EvalError is a library's test whether it may use eval.
var ownError = regexp.MustCompile(`^(?:Uncaught )?(?:Type|Reference|Range)?Error\b`)

// caught are the rejected promises that some script handled although its author may not
// know of it: view libraries catch what a handler of an event throws.
func (o *Outcome) caught() []Failure {
	if slices.ContainsFunc(o.FailedLoads, func(l chrome.FailedLoad) bool { return l.Type == "Fetch" || l.Type == "XHR" }) ||
		slices.ContainsFunc(o.Violations, func(v host.Violation) bool { return v.Directive == "connect-src" }) {
		return nil // its handled rejection looks the same
	}
	var list []Failure
	for _, x := range o.Caught {
		known := func(y chrome.Exception) bool { return y.Text == x.Text }
		if x.Rejection && ownError.MatchString(x.Text) && !slices.ContainsFunc(o.Exceptions, known) {
			list = append(list, Failure{Kind: KindCaught, Text: "thrown and caught: " + x.Text, Position: o.thrownAt(x), Stack: o.stack(x.Stack)})
		}
	}
	return list
}

// String says what was refused and how.
func (r Refusal) String() string {
	what := cmp.Or(r.Method, "a request")
	if r.Subject != "" {
		what += " of " + text.Quote(r.Subject)
	}
	return fmt.Sprintf("%s is answered with the error %d: %s", what, r.Code, r.Message)
}
