package mcpappstest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// server has one app; ui is its declaration.
func server(ui mcpapps.ResourceUIMetadata) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "clock", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		mcpapps.View{
			Resource: mcp.Resource{URI: "ui://clock/view.html", Name: "clock"},
			UI:       ui,
			Document: mcpapps.HTML("<!doctype html><p>tick</p><script>fetch('https://time.example.com/now')</script>"),
		},
		func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return mcpapps.TextFor(ctx, req, "shown", "It is noon: "+mcpapps.ClientSupport(ctx, req).String()), nil, nil
		})
	return s
}

var declared = mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://time.example.com"}}}

// recorder is a testing.TB that records errors.
type recorder struct {
	testing.TB
	errors   []string
	skipped  string
	cleanups []func()
}

func (r *recorder) Helper()           {}
func (r *recorder) Failed() bool      { return len(r.errors) > 0 }
func (r *recorder) Cleanup(f func())  { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	panic(r)
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(r)
}

func (r *recorder) Skip(args ...any) {
	r.skipped = fmt.Sprint(args...)
	panic(r)
}

// run returns what f fails with, its cleanup included.
func run(t *testing.T, f func(testing.TB)) []string { return record(t, f).errors }

func record(t *testing.T, f func(testing.TB)) *recorder {
	r := &recorder{TB: t}
	guard := func(f func()) {
		defer func() {
			if v := recover(); v != nil && v != any(r) {
				panic(v)
			}
		}()
		f()
	}
	guard(func() { f(r) })
	for _, f := range slices.Backward(r.cleanups) {
		guard(f)
	}
	return r
}

func TestCheck(t *testing.T) {
	mcpappstest.Check(t, server(declared))

	errs := run(t, func(t testing.TB) { mcpappstest.Check(t, server(mcpapps.ResourceUIMetadata{})) })
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "warning csp-undeclared: ui://clock/view.html:1:")
	assert.Contains(t, errs[0], `"connectDomains": ["https://time.example.com"]`)

	off := &check.Options{Ignore: []check.Ignore{{Code: "csp-undeclared", Subject: "ui://clock/*", Reason: "the host adds it"}}}
	r := mcpappstest.Check(t, server(mcpapps.ResourceUIMetadata{}), off)
	require.Len(t, r.Ignored, 1)
	assert.Equal(t, "csp-undeclared", r.Ignored[0].Code)

	errs = run(t, func(t testing.TB) { mcpappstest.Check(t, server(declared), off) })
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "nothing raises it any more")

	errs = run(t, func(t testing.TB) {
		mcpappstest.Check(t, server(declared), &check.Options{Ignore: []check.Ignore{{Code: "csp-undeclare", Reason: "x"}}})
	})
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], `the nearest is "csp-undeclared"`)

	errs = run(t, func(t testing.TB) { mcpappstest.Check(t, server(declared), nil, nil) })
	assert.Len(t, errs, 1)
}

// TestCheckHosts shows that an app which is blocked on a named host fails the test.
func TestCheckHosts(t *testing.T) {
	own := declared
	own.Domain = "https://clock.example.com"
	o := &check.Options{Hosts: []string{"vscode", "claude-web", "claude-code"}, Ignore: []check.Ignore{{Code: "domain-host", Reason: "it is for one host"}}}
	errs := run(t, func(t testing.TB) { mcpappstest.Check(t, server(own), o) })
	require.Len(t, errs, 1, "Claude Code shows no apps")
	assert.Contains(t, errs[0], `on Claude (web): blocked: tool "clock", ui://clock/view.html`)
	assert.Contains(t, errs[0], `domain: the app declares the domain "https://clock.example.com"`)
}

func TestClient(t *testing.T) {
	for support, want := range map[mcpapps.Support]string{
		mcpapps.SupportUI: "shown", mcpapps.SupportNone: "It is noon: none", mcpapps.SupportUnknown: "It is noon: unknown",
	} {
		t.Run(support.String(), func(t *testing.T) {
			cs := mcpappstest.Client(t, server(declared), support)
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "clock"})
			require.NoError(t, err)
			assert.Equal(t, want, res.Content[0].(*mcp.TextContent).Text)
		})
	}
}

func TestGolden(t *testing.T) {
	mcpappstest.Golden(t, server(declared), "testdata/declared.json")
	t.Setenv("MCPAPPS_UPDATE", "")

	file := filepath.Join(t.TempDir(), "clock.json")
	errs := run(t, func(t testing.TB) { mcpappstest.Golden(t, server(declared), file) })
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "MCPAPPS_UPDATE=1")

	golden, err := os.ReadFile("testdata/declared.json")
	require.NoError(t, err)
	require.NotContains(t, string(golden), "tick", "documents are not part of the surface")
	other := strings.ReplaceAll(string(golden), "time.example.com", "old.example.com")
	require.NoError(t, os.WriteFile(file, []byte(other), 0o644))
	errs = run(t, func(t testing.TB) { mcpappstest.Golden(t, server(declared), file) })
	require.Len(t, errs, 1)
	assert.Contains(t, errs[0], "old.example.com")
	assert.Contains(t, errs[0], "time.example.com")

	flag.VisitAll(func(f *flag.Flag) {
		assert.True(t, strings.HasPrefix(f.Name, "test."), "importing mcpappstest registers the flag -%s", f.Name)
	})
}
