package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

const twoFaults = `<!doctype html><p>Hello</p>
<script>fetch("https://a.example/x"); fetch("https://a.example/y"); eval(code)</script>`

func TestIgnore(t *testing.T) {
	r, err := check.Document(twoFaults, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"csp-undeclared", "doc-eval"}, codes(r))

	r, err = check.Document(twoFaults, &check.Options{Ignore: []check.Ignore{{Code: "doc-eval", Reason: "only for the preview"}}})
	require.NoError(t, err)
	assert.Equal(t, []string{"csp-undeclared"}, codes(r))
	require.Len(t, r.Ignored, 1)

	for name, off := range map[string]check.Ignore{
		`the code "doc-evil", which does not exist: the nearest is "doc-eval"`: {Code: "doc-evil", Reason: "x"},
		`the code "doc-method", which was removed`:                             {Code: "doc-method", Reason: "x"},
		`names "doc-eval" without a reason`:                                    {Code: "doc-eval", Reason: " "},
		`names "doc-cdn", and nothing raises it any more`:                      {Code: "doc-cdn", Reason: "x"},
		`names "doc-eval" for "ui://other", which is not where it is raised`:   {Code: "doc-eval", Subject: "ui://other", Reason: "x"},
	} {
		_, err := check.Document(twoFaults, &check.Options{Ignore: []check.Ignore{off}})
		assert.ErrorContains(t, err, name)
	}
}

// TestGrouped shows that what is said twice of one document is said once, with
// a count and the first place.
func TestGrouped(t *testing.T) {
	r, err := check.Document(twoFaults, nil)
	require.NoError(t, err)
	f := r.Findings[0]
	assert.Equal(t, 2, f.Count)
	assert.Equal(t, 2, f.Line)
	assert.Equal(t, strings.Index(strings.Split(twoFaults, "\n")[1], `"https`)+1, f.Column)
	assert.Equal(t, `declare {"connectDomains": ["https://a.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)`, f.Remedy)
}

// TestEscaped shows that what a server says can't act on a terminal, or break a
// line of the report.
func TestEscaped(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "evil\x1b[2J\u202e", Version: "1\nerror fake"}, nil)
	s.AddTool(&mcp.Tool{Name: "evil", InputSchema: map[string]any{"type": "object"}, Meta: mcp.Meta{
		"ui": map[string]any{"resourceUri": "ui://evil/\x1b]0;pwned\x07\nerror fake: \u202e", "visibility": []string{"\x1b[31m"}},
	}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	r, err := check.Server(t.Context(), s, nil)
	require.NoError(t, err)
	require.NotEmpty(t, r.Findings)
	var b bytes.Buffer
	require.NoError(t, r.WriteText(&b))
	assert.NotContains(t, b.String(), "\x1b")
	assert.NotContains(t, b.String(), "\x07")
	assert.NotContains(t, b.String(), "\u202e")
	assert.NotContains(t, b.String(), "\nerror fake")
	for _, f := range r.Findings {
		assert.NotContains(t, f.String(), "\x1b")
	}
}

func TestJSON(t *testing.T) {
	r, err := check.Document(twoFaults, nil)
	require.NoError(t, err)
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	f := got["findings"].([]any)[0].(map[string]any)
	assert.Equal(t, "csp-undeclared", f["code"])
	assert.Equal(t, "warning", f["severity"])
	assert.Equal(t, []any{"all hosts"}, f["hosts"])
	assert.Equal(t, "Host Behavior", f["spec"])
	var back check.Report
	require.NoError(t, json.Unmarshal(raw, &back))
	assert.Equal(t, check.SeverityWarning, back.Findings[0].Severity)

	empty, err := check.Document("<!doctype html><p>Hello</p>", nil)
	require.NoError(t, err)
	raw, err = json.Marshal(empty)
	require.NoError(t, err)
	assert.JSONEq(t, `{"tools":0,"apps":1,"findings":[]}`, string(raw))
}

func TestFails(t *testing.T) {
	r := &check.Report{Findings: []check.Finding{{Severity: check.SeverityNote}}}
	assert.False(t, r.Fails(check.SeverityNote), "notes never fail")
	r.Findings = append(r.Findings, check.Finding{Severity: check.SeverityWarning})
	assert.True(t, r.Fails(check.SeverityWarning))
	assert.False(t, r.Fails(check.SeverityError))
}

// TestCalls shows which tools a check calls unasked: none that might do harm,
// or that needs an argument.
func TestCalls(t *testing.T) {
	yes, no := true, false
	var called []string
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://s/v"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><p>appOnly</p>"))
	add := func(name string, a *mcp.ToolAnnotations, ui mcpapps.ToolUIMetadata, schema string) {
		tool := &mcp.Tool{Name: name, Annotations: a, InputSchema: json.RawMessage(schema)}
		mcpapps.RegisterRawAppTool(s, tool, ui, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			called = append(called, name+string(req.Params.Arguments))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
		})
	}
	view := mcpapps.ToolUIMetadata{ResourceURI: "ui://s/v"}
	none, one := `{"type":"object"}`, `{"type":"object","properties":{"x":{}},"required":["x"]}`
	add("harmless", &mcp.ToolAnnotations{ReadOnlyHint: true}, view, none)
	add("notDestructive", &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no}, view, none)
	add("contradicts", &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, view, none)
	add("silent", nil, view, none)
	add("writes", &mcp.ToolAnnotations{DestructiveHint: &no}, view, none)
	add("needs", &mcp.ToolAnnotations{ReadOnlyHint: true}, view, one)
	add("appOnly", &mcp.ToolAnnotations{ReadOnlyHint: true}, mcpapps.AppOnly("ui://s/v"), none)
	s.AddTool(&mcp.Tool{Name: "plain", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, InputSchema: json.RawMessage(none)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			called = append(called, "plain")
			return nil, fmt.Errorf("no")
		})
	r, err := check.Server(t.Context(), s, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"harmless{}", "notDestructive{}"}, called)
	var unchecked []string
	for _, f := range r.Findings {
		if f.Code == "result-unchecked" {
			unchecked = append(unchecked, f.Tool)
		}
	}
	assert.Equal(t, []string{"contradicts", "needs", "silent", "writes"}, unchecked)

	called = nil
	_, err = check.Server(t.Context(), s, &check.Options{Calls: []check.Call{{Tool: "needs", Arguments: map[string]any{"x": 1}}, {Tool: "appOnly"}}})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"harmless{}", "notDestructive{}", `needs{"x":1}`, "appOnly{}"}, called)

	_, err = check.Server(t.Context(), s, &check.Options{Calls: []check.Call{{Tool: "nobody"}}})
	assert.ErrorContains(t, err, `names the tool "nobody"`)
}

// TestNil shows that nothing is an error, not a crash.
func TestNil(t *testing.T) {
	_, err := check.Server(t.Context(), nil, nil)
	assert.Error(t, err)
	_, err = check.Session(t.Context(), nil, nil)
	assert.Error(t, err)
	_, err = check.Target(t.Context(), host.Target{}, nil)
	assert.Error(t, err)
	_, err = check.Target(t.Context(), host.Target{Command: []string{"no-such-command-anywhere"}}, nil)
	assert.Error(t, err)
	r, err := check.Server(t.Context(), mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, nil), nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings, "a server without apps has nothing to check")
}
