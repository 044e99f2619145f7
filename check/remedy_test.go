package check

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// TestRemedies shows that a finding which knows better than its rule says what
// to write, word for word.
func TestRemedies(t *testing.T) {
	const view = `"ui://example/view.html"`
	resourceUI := func(ui string) string {
		return `{"resources": {` + view + `: {"_meta": {"ui": ` + ui + `}}}, "documents": {` + view + `: {"_meta": {"ui": ` + ui + `}}}}`
	}
	for _, c := range []struct{ name, patch, code, message, remedy string }{
		{"an origin without its scheme", resourceUI(`{"csp": {"connectDomains": ["api.example.com"]}}`),
			"csp-entry", `it has no scheme`, `write "https://api.example.com"`},
		{"an origin with a path", resourceUI(`{"csp": {"resourceDomains": ["https://cdn.example.com:8443/npm/"]}}`),
			"csp-entry", `it has a path`, `write "https://cdn.example.com:8443"`},
		{"no origin at all", resourceUI(`{"csp": {"resourceDomains": ["'self'"]}}`),
			"csp-entry", `'self'`, `write one origin per entry, such as "https://api.example.com" or "https://*.example.com"`},
		{"a border as a word", resourceUI(`{"prefersBorder": "yes"}`),
			"meta-type", `"yes"`, "write true or false, or leave it out: every host has a default"},
		{"a URI instead of the object", `{"tools": {"show": {"_meta": {"ui": ` + view + `}}}}`,
			"meta-type", `_meta.ui must be an object`, `write "ui": {"resourceUri": "ui://example/view.html"}`},
		{"a query that the resource does not have", `{"tools": {"show": {"_meta": {"ui": {"resourceUri": "ui://example/view.html?v=2"}, "ui/resourceUri": "ui://example/view.html?v=2"}}}}`,
			"resource-unreadable", `the answer is the error -32002: "Resource not found"`,
			`name "ui://example/view.html", which is listed, or serve the resource at exactly the URI that the tool names`},
		{"text instead of a list", `{"results": {"show": {"content": "done"}}}`,
			"result-text", `content must be a list, not "done"`, `write "content": [{"type": "text", "text": "…"}]`},
		{"a failed call", `{"results": {"show": {"isError": true, "content": [{"type": "text", "text": "no such region"}]}}}`,
			"result-failed", `the call's result is an error: "no such region"`, "give arguments with which the call succeeds"},
		{"a ping that is refused", `{"answers": {"ping": {"$error": {"code": -32601, "message": "no"}}}}`,
			"server-ping", `the answer is the error -32601: "no"`, "answer ping with {}: every server must, in versions before 2026-07-28"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := checkFake(t, nil, false, newFake(t, c.patch))
			found := false
			for _, f := range r.Findings {
				if f.Code == c.code {
					found = true
					assert.Contains(t, f.Message, c.message)
					assert.Equal(t, c.remedy, f.Remedy)
				}
			}
			assert.True(t, found, "%v", r.Findings)
		})
	}
}

// TestLongOrigin shows that the finding quotes an entry once and shortened, and
// gives the reason in the same words as for a short one.
func TestLongOrigin(t *testing.T) {
	long := "https://cdn.example.com/" + strings.Repeat("a", 200)
	r := checkFake(t, nil, false, newFake(t, `{"ui": {"csp": {"connectDomains": ["`+long+`"]}}}`))
	var found []string
	for _, f := range r.Findings {
		if f.Code == "csp-entry" {
			found = append(found, f.Message)
			assert.Equal(t, `write "https://cdn.example.com"`, f.Remedy)
		}
	}
	want := "csp.connectDomains has " + text.Quote(long) + ": it has a path"
	assert.NotEmpty(t, found)
	for _, message := range found {
		assert.Equal(t, want, message)
	}
}

// TestEquivalentMediaType shows what the finding says of a media type that hosts
// would accept if they did not compare the text, and of others.
func TestEquivalentMediaType(t *testing.T) {
	for mediaType, want := range map[string]string{
		"text/html;profile=mcp-app;charset=utf-8": "which is equivalent, but hosts compare the text",
		`Text/HTML; profile="mcp-app"`:            "which is equivalent, but hosts compare the text",
		"te xt/html;profile=mcp-app":              `the media type is "te xt/html;profile=mcp-app"; it must be`,
		"text/vnd.mcp.ui+html":                    "which MCP-UI and early drafts of this specification used",
		"text/html;charset=utf-8":                 "which plain HTML and MCP-UI resources have",
	} {
		raw, err := json.Marshal(mediaType)
		require.NoError(t, err)
		r := checkFake(t, nil, false, newFake(t, `{"documents": {"ui://example/view.html": {"mimeType": `+string(raw)+`}}}`))
		var found []string
		for _, f := range r.Findings {
			if f.Code == "resource-media-type" {
				found = append(found, f.Message)
			}
		}
		require.Len(t, found, 1, mediaType)
		assert.Contains(t, found[0], want)
	}
}

// TestUnreadableNamesItsTool shows whose URI it is that can't be read.
func TestUnreadableNamesItsTool(t *testing.T) {
	r := checkFake(t, nil, false, newFake(t, `{"documents": {"ui://example/view.html": null}}`))
	require.Len(t, r.Findings, 1)
	assert.Equal(t, `tool "show", ui://example/view.html, resources/read`, r.Findings[0].Subject())
}

// TestOneFindingForOneURI shows that a URI which is written in both keys is
// judged once.
func TestOneFindingForOneURI(t *testing.T) {
	r := checkFake(t, nil, false, newFake(t, `{"tools": {"show": {"_meta": {"ui": {"resourceUri": "example://view"}, "ui/resourceUri": "example://view"}}}}`))
	var found []string
	for _, f := range r.Findings {
		if f.Code == "tool-uri-invalid" {
			found = append(found, f.Pointer+": "+f.Message)
		}
	}
	assert.Equal(t, []string{`/_meta/ui/resourceUri: the URI "example://view" does not begin with "ui://": every app has a URI such as "ui://server/view.html"`}, found)
}

// TestInvalidURIOpensNoView shows that a tool with an invalid URI counts, as it does
// for hosts, as one without a view: the URI is the only fault that is reported.
func TestInvalidURIOpensNoView(t *testing.T) {
	const uri = "ui://example/my view.html"
	tool := `{"_meta": {"ui": {"resourceUri": "` + uri + `"}, "ui/resourceUri": "` + uri + `"}}`
	listed := `{"tools": {"show": ` + tool + `}, "resources": {"ui://example/view.html": {"uri": "` + uri + `"}}, "documents": {"ui://example/view.html": null, "` + uri + `": {"uri": "` + uri + `", "mimeType": "text/html;profile=mcp-app", "text": "<!doctype html><title>View</title><p>Hello"}}}`
	r := checkFake(t, nil, false, newFake(t, listed))
	var codes []string
	for _, f := range r.Findings {
		codes = append(codes, f.Code)
	}
	assert.Contains(t, codes, "tool-uri-invalid")
	assert.NotContains(t, codes, "resource-unused", "a tool names it")
	assert.NotContains(t, codes, "tool-view-unreachable")

	// A valid flat key does not replace an invalid nested one: hosts stop at the nested key.
	r = checkFake(t, nil, false, newFake(t, `{"tools": {"show": {"_meta": {"ui": {"resourceUri": "example://view"}}}}, "documents": {"ui://example/view.html": {"text": "<!doctype html><title>View</title><p>Hello"}}}`))
	codes = nil
	for _, f := range r.Findings {
		codes = append(codes, f.Code)
	}
	assert.Contains(t, codes, "tool-uri-invalid")
	assert.NotContains(t, codes, "result-unchecked", "the tool opens no view")
}
