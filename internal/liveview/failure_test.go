package liveview

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/preview"
)

const (
	testOrigin = "http://name.localhost:1234"
	testURL    = testOrigin + "/view"
)

func at(line, column int) chrome.Position {
	return chrome.Position{URL: testURL, Line: line, Column: column}
}

// TestFailures shows what is said of several things that went wrong, and in which
// order.
func TestFailures(t *testing.T) {
	all := Outcome{
		Opened: true, Initialized: true, Sized: true, Answered: true, Blank: true,
		Result:      json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"no such city"}]}`),
		FailedLoads: []chrome.FailedLoad{{URL: "https://cdn.example.com/map.js", Document: testURL, Type: "Script", Reason: "net::ERR_NAME_NOT_RESOLVED"}, {URL: testOrigin + "/a.css", Document: testURL, Reason: "HTTP status 404"}},
		Exceptions:  []chrome.Exception{{Text: "ReferenceError: L is not defined", Position: at(3, 9)}, {Text: "Error: no data", Rejection: true, Position: at(4, 1)}},
		Caught: []chrome.Exception{
			{Text: "EvalError: no", Rejection: true}, {Text: "TypeError: in try", Position: at(1, 1)}, {Text: "ProtocolError: refused", Rejection: true},
			{Text: "Error: no data", Rejection: true}, {Text: "TypeError: swallowed", Rejection: true, Position: at(7, 7)},
		},
		Violations: []host.Violation{{Blocked: "eval", Directive: "script-src", Level: host.LevelInfo}, {Blocked: "https://x.example.com", Directive: "img-src", Level: host.LevelError, Source: testURL, Line: 9}, {Blocked: "eval", Directive: "script-src", Sample: "f()", Level: host.LevelError, Source: testURL, Line: 5, Column: 2}},
		Console:    []chrome.Message{{Level: chrome.LevelWarning, Text: "slow"}, {Level: chrome.LevelError, Text: "the map did not load"}},
		Refusals:   []Refusal{{Method: "tools/call", Subject: "none", Code: -32602, Message: "no such tool"}},
		Notes:      []host.TraceEntry{{Kind: host.NoteUnknown, Text: "unknown notification"}, {Kind: host.NoteDocument, Text: "/a.css not found"}},
	}
	var got []string
	for _, f := range all.Failures() {
		got = append(got, string(f.Kind)+": "+f.String())
	}
	assert.Equal(t, []string{
		"result: the tool's result is an error: no such city",
		"load: it could not load https://cdn.example.com/map.js: net::ERR_NAME_NOT_RESOLVED",
		`load: it could not load "/a.css": a view has no files beside its document`,
		"exception: uncaught: ReferenceError: L is not defined, at line 3, column 9 of the document",
		"rejection: a rejected promise that nothing handles: Error: no data, at line 4, column 1 of the document",
		"violation: its policy blocks https://x.example.com (img-src)",
		`violation: its policy blocks eval (script-src) in "f()", at line 5, column 2 of the document`,
		"console: its console says: the map did not load",
		`refusal: tools/call of "none" is answered with the error -32602: no such tool`,
		"message: unknown notification",
		"blank: the view has its result and shows nothing: it could not load https://cdn.example.com/map.js: net::ERR_NAME_NOT_RESOLVED",
		"size: the view reports a height of 0",
		"caught: thrown and caught: TypeError: swallowed, at line 7, column 7 of the document",
	}, got)
	all.FailedLoads = nil
	assert.Equal(t, "uncaught: ReferenceError: L is not defined, at line 3, column 9 of the document", all.Cause())
	all.FailedLoads = []chrome.FailedLoad{{URL: "https://api.example.com/", Document: testURL, Type: "Fetch", Reason: "net::ERR_FAILED"}}
	assert.Empty(t, all.caught(), "a handled rejection of fetch looks the same")

	m, err := sourcemap.Parse([]byte(`{"version":3,"sections":[{"offset":{"line":2,"column":8},"map":{"version":3,"sources":["ui/main.ts"],"names":[],"mappings":"AAIE"}}]}`))
	require.NoError(t, err)
	all.FailedLoads, all.sources = nil, m
	assert.Equal(t, "uncaught: ReferenceError: L is not defined, at ui/main.ts:5:3", all.Cause())
	assert.Equal(t, Position{"ui/main.ts", true, 5, 3}, all.Failures()[1].Position)
	assert.Equal(t, "f https://x.example.com/a.js:1:2", Frame{"f", all.Place(chrome.Position{URL: "https://x.example.com/a.js", Line: 1, Column: 2})}.String())
}

// TestFailuresOfThePolicy shows that what the policy blocks comes before the error that
// follows from it, and fails then.
func TestFailuresOfThePolicy(t *testing.T) {
	const remedy = `Declare "https://x.example.com" in the ConnectDomains of View.UI.CSP.`
	blocked := func(directive, what string) host.Violation {
		return host.Violation{Directive: directive, Blocked: what, Level: host.LevelError, Remedy: remedy}
	}
	for _, c := range []struct {
		violation host.Violation
		thrown    string
		follows   bool
	}{
		{blocked("connect-src", "https://x.example.com/a"), "TypeError: Failed to fetch", true},
		{blocked("connect-src", "https://x.example.com/a"), "NetworkError: Failed to execute 'send' on 'XMLHttpRequest': Failed to load 'https://x.example.com/a'.", true},
		{blocked("connect-src", "https://x.example.com/a"), "TypeError: x is null", false},
		{blocked("img-src", "https://x.example.com/a.png"), "TypeError: Failed to fetch", false},
		{blocked("script-src-elem", "https://x.example.com/a.js"), "ReferenceError: L is not defined", true},
		{blocked("script-src-elem", "https://x.example.com/a.js"), "TypeError: Failed to fetch dynamically imported module: https://x.example.com/a.js", true},
		{blocked("script-src", "eval"), "EvalError: Evaluating a string as JavaScript violates the following Content Security Policy directive", true},
		{blocked("script-src", "eval"), "ReferenceError: L is not defined", false},
	} {
		o := Outcome{Violations: []host.Violation{c.violation}, Exceptions: []chrome.Exception{{Text: "Error: another"}, {Text: c.thrown, Rejection: true}}}
		causes := o.causes()
		require.Len(t, causes, 3, c.thrown)
		v := causes[2]
		if c.follows {
			v = causes[0]
		}
		assert.Equal(t, KindViolation, v.Kind, c.thrown)
		assert.Equal(t, c.follows, v.Fails(), c.thrown)
		assert.Equal(t, `declare "https://x.example.com" in the ConnectDomains of View.UI.CSP`, v.Remedy, "a part of a sentence")
	}
}

// TestFailuresInTheRuntime shows that an error which the view runtime throws has the place
// of the call that led to it.
func TestFailuresInTheRuntime(t *testing.T) {
	m, err := sourcemap.Parse([]byte(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["mcp-app"],"names":[],"mappings":"AAAA"}},` +
		`{"offset":{"line":1,"column":0},"map":{"version":3,"sources":["ui/main.ts"],"names":[],"mappings":"AAIE"}}]}`))
	require.NoError(t, err)
	o := Outcome{sources: m, Exceptions: []chrome.Exception{
		{Text: "ProtocolError: no", Position: at(1, 1), Stack: []chrome.Frame{{Function: "a", Position: at(1, 1)}, {Function: "load", Position: at(2, 1)}, {Function: "b", Position: at(1, 1)}}},
		{Text: "ProtocolError: no", Position: at(1, 1), Stack: []chrome.Frame{{Position: at(1, 1)}}},
	}}
	place := Position{"ui/main.ts", true, 5, 3}
	causes := o.causes()
	assert.Equal(t, place, causes[0].Position)
	assert.Equal(t, []Frame{{"load", place}}, causes[0].Stack)
	assert.Equal(t, "uncaught: ProtocolError: no", causes[1].String(), "without a call of the author's")
}

// TestFailuresOfTheHandshake shows what is said of a view that is not shown or not
// initialized.
func TestFailuresOfTheHandshake(t *testing.T) {
	for name, c := range map[string]struct {
		o    Outcome
		want Failure
	}{
		"unread":     {Outcome{Failed: errors.New("no tool")}, Failure{Kind: KindDocument, Text: "no tool"}},
		"call":       {Outcome{Opened: true, Initialized: true, Sized: true, Height: 1, ResultErr: errors.New("timeout")}, Failure{Kind: KindCall, Text: "the call failed: timeout"}},
		"no script":  {Outcome{Opened: true, probe: probe{known: true}}, Failure{Kind: KindConnect, Text: "the view has no script, so that nothing calls app.connect()", Remedy: `add a module script: import { App } from "mcp-app", and call app.connect()`}},
		"no connect": {Outcome{Opened: true, Waited: 16 * time.Second, probe: probe{known: true, Scripts: 1}}, Failure{Kind: KindConnect, Text: "its script did not call app.connect() within 16s", Remedy: "call app.connect() once the handlers are set; a script without the App class sends ui/initialize"}},
		"unbundled": {Outcome{Opened: true, probe: probe{known: true, Scripts: 1, Import: "mcp-app"}}, Failure{Kind: KindConnect, Text: `its script imports "mcp-app", which only a bundler can resolve, so that it does not run`,
			Remedy: "serve the document with bundle.Handler of view/bundle in place of mcpapps.HTML or HTMLFile, or bundle it otherwise"}},
		"refused": {Outcome{Opened: true, InitializeSent: true, Refusals: []Refusal{{Method: "ui/initialize", Code: -32602, Message: "appInfo has no version"}}}, Failure{Kind: KindConnect, Text: "app.connect() fails: the host answers with the error -32602: appInfo has no version", Remedy: "send what the message asks for: new App({ name, version }) does"}},
		"half way": {Outcome{Opened: true, InitializeSent: true}, Failure{Kind: KindHandshake, Text: "the view begins app.connect() and does not end it: after the answer to ui/initialize it sends no ui/notifications/initialized",
			Remedy: "look at the answer to ui/initialize, and then send ui/notifications/initialized; app.connect() does both"}},
		"left":   {Outcome{Opened: true, Left: preview.EventViewLeft}, Failure{Kind: KindLeft, Text: "the view went to another page, or was blocked on the way there: its frame does not show the view"}},
		"closed": {Outcome{Opened: true, Closed: errors.New("the page was closed"), Refusals: []Refusal{{Method: "tools/call"}}}, Failure{Kind: KindClosed, Text: "the view was closed: the page was closed"}},
		"hangs":  {Outcome{Opened: true, Hangs: time.Second}, Failure{Kind: KindHang, Text: "the view's script does not return: nothing else in the frame has had a turn for 1s", Remedy: "let scripts return"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, []Failure{c.want}, c.o.Failures()) })
	}
	assert.True(t, KindBlank.Fails() && KindLoad.Fails() && KindResult.Fails())
	assert.False(t, KindCaught.Fails() || KindViolation.Fails() || KindConsole.Fails())
	o := Outcome{Opened: true, probe: probe{known: true, Scripts: 1}, Exceptions: []chrome.Exception{{Text: "Error: x"}}}
	assert.Equal(t, "its script never calls app.connect(): uncaught: Error: x", o.Failures()[1].Text)
}

// What the emulated host ignores is said, and has no remedy.
func TestViolationOfAnEmulatedHost(t *testing.T) {
	o := Outcome{
		Opened: true, Initialized: true, Sized: true, Height: 9,
		Violations: []host.Violation{{Blocked: "https://f.example.com", Directive: "frame-src", Level: host.LevelError, Ignored: "The metadata allows it in csp.frameDomains, which H ignores as it is emulated."}},
		Notes:      []host.TraceEntry{{Kind: host.NoteOtherView, Text: "the result names another"}},
	}
	list := o.Failures()
	require.Len(t, list, 1, "the other view is not a failure")
	assert.Equal(t, "its policy blocks https://f.example.com (frame-src): the metadata allows it in csp.frameDomains, which H ignores as it is emulated", list[0].Text)
	assert.Empty(t, list[0].Remedy)
}
