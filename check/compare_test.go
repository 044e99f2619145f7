package check

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestComparedVersions shows which versions of the protocol a report names: those that
// the server agreed to, and not one in place of which it offers another.
func TestComparedVersions(t *testing.T) {
	const hello = `"capabilities":{"tools":{},"resources":{},"extensions":{"io.modelcontextprotocol/ui":{}}},"serverInfo":{"name":"s"}`
	r := checkFake(t, nil, true, newFake(t, `{"answers":{"initialize":{"protocolVersion":"2025-11-25",`+hello+`}}}`))
	assert.Empty(t, r.Findings)
	assert.Empty(t, r.Unchecked)
	assert.Equal(t, []string{"2025-11-25", "2026-07-28"}, r.Versions)
}

// TestFailuresOfOtherLooks shows that what fails for another client alone, or in
// another version alone, is said to be unchecked, and what fails for all is not.
func TestFailuresOfOtherLooks(t *testing.T) {
	const failing = `{"answers":{"tools/list":{"$error":{"code":-32603,"message":"no database"}}}}`
	r := checkFake(t, nil, false, newFake(t, `{"withoutUI":`+failing+`,"versions":{"2026-07-28":`+failing+`}}`))
	assert.Empty(t, r.Findings)
	require.Len(t, r.Unchecked, 2)
	for _, u := range r.Unchecked {
		assert.Equal(t, `tools/list: the answer is the error -32603: "no database"`, u.Reason)
	}
	r = checkFake(t, nil, false, newFake(t, failing))
	assert.Empty(t, r.Unchecked)
	assert.Equal(t, []string{"server-list-failed"}, codesOf(r))
}

// TestOneFindingEach shows that a fault which several tools share is one finding.
func TestOneFindingEach(t *testing.T) {
	r := checkFake(t, nil, false, newFake(t, `{"tools":{"show":{"_meta":{"ui":{"visibility":["app"]}}},
		"again":{"name":"again","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://example/view.html","visibility":["app"]},"ui/resourceUri":"ui://example/view.html"}}},
		"document":"<!doctype html><p>Hello</p><script>show(); again()</script>"}`))
	assert.Equal(t, []string{"tool-view-unreachable"}, codesOf(r))
	assert.Len(t, r.Findings, 1)
}

// TestListedIsNotMisspelled shows that a URI which is listed, and can't be read, is not
// taken for a misspelling of another one.
func TestListedIsNotMisspelled(t *testing.T) {
	r := checkFake(t, nil, false, newFake(t, `{"documents":{"ui://example/view.html":null},
		"resources":{"ui://example/views.html":{"uri":"ui://example/views.html","name":"views","mimeType":"text/html;profile=mcp-app"}}}`))
	remedies := make(map[string]string)
	for _, f := range r.Findings {
		if f.Code == "resource-unreadable" {
			remedies[f.URI] = f.Remedy
		}
	}
	require.Contains(t, remedies, "ui://example/view.html")
	assert.Equal(t, resourceUnreadable.Remedy, remedies["ui://example/view.html"])
}

// TestResultSize shows that a result of 150,000 characters is accepted, and one more is
// not, however many bytes they take.
func TestResultSize(t *testing.T) {
	const around = len(`{"content":[{"text":"","type":"text"}]}`)
	for n, want := range map[int]bool{maxResult: false, maxResult + 1: true} {
		f := newFake(t, `{"results":{"show":{"content":[{"type":"text","text":"`+strings.Repeat("я", n-around)+`"}]}}}`)
		assert.Equal(t, want, len(checkFake(t, nil, false, f).Findings) == 1, n)
	}
}

// TestListsNotAdvertised shows that a server which does not advertise resources need
// not list them.
func TestListsNotAdvertised(t *testing.T) {
	r := checkFake(t, nil, false, newFake(t, `{"capabilities":{"resources":null},"answers":{"resources/list":{"$error":{"code":-32601,"message":"no"}}}}`))
	assert.Equal(t, []string{"capability-resources"}, codesOf(r))
}

// TestFindingsPerRule shows that a report has 1,000 findings of a rule, of all apps
// together, and one that counts the others.
func TestFindingsPerRule(t *testing.T) {
	var all findings
	for app := range 3 {
		var of findings
		for i := range 600 {
			of.add(docEval, place{URI: fmt.Sprint("ui://a/", app)}, "number %d", i)
		}
		of.add(docEval, place{URI: fmt.Sprint("ui://a/", app)}, "number 0")
		all.merge(&of)
	}
	require.Len(t, all.list, maxPerRule+1)
	last := all.list[maxPerRule]
	assert.Equal(t, "there are more of these than the report shows", last.Message)
	assert.Equal(t, 801, last.Count, "200 of the second app, 600 of the third, and one of these twice")
}

// TestCallOfAnEndedServer shows that a call which Options.Calls names is not said to be
// of an unknown tool where the server ended before it listed its tools.
func TestCallOfAnEndedServer(t *testing.T) {
	opts := &Options{Calls: []Call{{Tool: "show"}}}
	r := checkFake(t, opts, false, newFake(t, `{"answers":{"tools/list":{"$die":true}}}`))
	assert.Equal(t, []string{"server-died"}, codesOf(r))
}

// TestDomainOfAServerElsewhere shows that this machine's address as a domain is an error
// where the server is on another one.
func TestDomainOfAServerElsewhere(t *testing.T) {
	o, err := (*Options)(nil).withDefaults()
	require.NoError(t, err)
	r, err := run(t.Context(), &o, &dialer{connect: newFake(t, `{"ui":{"domain":"http://localhost:3000"}}`).connect})
	require.NoError(t, err)
	assert.Contains(t, codesOf(r), "domain-format")
	assert.NotContains(t, codesOf(r), "domain-local")
}

// TestAppForOpenAI shows that a document which only the key of the OpenAI Apps SDK
// names is judged as an app where it has the media type of apps.
func TestAppForOpenAI(t *testing.T) {
	const tool = `{"tools":{"show":{"_meta":{"ui":null,"ui/resourceUri":null,"openai/outputTemplate":"ui://example/view.html"}}},"document":"<p>Hello</p>"}`
	r := checkFake(t, nil, false, newFake(t, tool))
	assert.Equal(t, []string{"doc-doctype", "tool-openai-only"}, codesOf(r))
	assert.Equal(t, 1, r.Apps)
	r = checkFake(t, nil, false, newFake(t, tool, `{"tools":{"show":{"_meta":{"ui/resourceUri":"ui://example/view.html"}}}}`))
	assert.Equal(t, []string{"doc-doctype", "tool-nested-missing"}, codesOf(r), "the flat key names it too")
	r = checkFake(t, nil, false, newFake(t, tool, `{"resources":{"ui://example/view.html":{"mimeType":"text/html+skybridge"}}}`))
	assert.Equal(t, []string{"tool-openai-only"}, codesOf(r))
	assert.Zero(t, r.Apps)
}

// TestCallThatHangs shows that a call without an answer is the server's fault, and not
// said again of its result.
func TestCallThatHangs(t *testing.T) {
	r := checkFake(t, &Options{Timeout: 200 * time.Millisecond}, false, newFake(t, `{"answers":{"tools/call":{"$hang":true}}}`))
	assert.Equal(t, []string{"server-timeout"}, codesOf(r))
}

// TestResourceTwice shows that of two entries at one URI the first is judged.
func TestResourceTwice(t *testing.T) {
	const entry = `{"uri":"ui://example/view.html","name":"view","mimeType":"text/html;profile=mcp-app"}`
	r := checkFake(t, nil, false, newFake(t, `{"answers":{"resources/list":{"resources":[`+entry+`,{"uri":"ui://example/view.html","name":"view","mimeType":"text/plain"}]}}}`))
	assert.Empty(t, r.Findings)
}
