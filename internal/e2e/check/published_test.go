// Package check holds the checks against the published apps.
package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// patience is how long a request may take on a machine that does other things
// too.
const patience = 3 * time.Minute

func TestMain(m *testing.M) {
	if serveThrows() {
		return
	}
	testenv.AtOnce(3) // each starts a server and may start a browser
	code := m.Run()
	e2e.CloseBrowser()
	os.Exit(code)
}

// published has the warnings about the published apps. Each was verified in the
// app's responses.
var published = map[string][]string{
	// Only the content item declares the map's origins in csp. A host that reads
	// the list entry alone blocks them.
	"map": {"meta-read-only"},
	"pdf": {
		// as map: csp and clipboardWrite are on the content item alone
		"meta-read-only",
		// the document has 4,336,789 bytes
		"resource-size",
		// the style sheet of the viewer names images/checkmark.svg and 13 more
		// that the build left out of the document
		"doc-relative-url",
	},
	// as map: csp for the origin of the sound fonts
	"sheet-music": {"meta-read-only"},
	"threejs": {
		// the document has 1,174,015 bytes
		"resource-size",
		// new Function(…) around the scene's code, which is an argument of the call
		"doc-eval",
	},
	// as map: the permissions for microphone and clipboard
	"transcript": {"meta-read-only"},
}

// drawing are the published apps that draw under the specification's policy,
// with the tools to call for it. Of the others, map loads its library from
// another origin before it starts, threejs needs eval to draw, and pdf a script
// in data:.
var drawing = map[string][]string{
	"basic-react":           {"get-time"},
	"basic-vanillajs":       {"get-time"},
	"budget-allocator":      {"get-budget-data"},
	"cohort-heatmap":        {"get-cohort-data"},
	"customer-segmentation": {"get-customer-data"},
	"scenario-modeler":      {"get-scenario-data"},
	"shadertoy":             {"render-shadertoy"},
	"sheet-music":           {"play-sheet-music"},
	"system-monitor":        {"get-system-info", "poll-system-stats"},
	"transcript":            {"transcribe"},
	"wiki-explorer":         {"get-first-degree-links"},
}

// inCI names the published apps that CI checks: those with each of the warnings and each
// fact by which a host is judged, and one without warnings. With MCPAPPS_FULL=1 all are.
var inCI = []string{"basic-vanillajs", "pdf", "threejs", inBrowser}

// inBrowser is the app that a browser opens. With MCPAPPS_FULL=1 it opens all of drawing.
const inBrowser = "transcript"

// TestPublished checks the published apps over stdio, in CI those in [inCI], in ci/full
// each. It finds no errors, and only the warnings in [published]. In the views that a
// browser opens it finds no errors either, and one note: their library's probe for eval.
func TestPublished(t *testing.T) {
	e2e.Need(t, e2e.Apps, e2e.Browser)
	apps, checked := 0, 0
	for _, a := range judgedApps(t) {
		if !a.published {
			continue
		}
		apps++
		if !a.checked() {
			continue
		}
		checked++
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			r := a.judged(t)
			assert.Positive(t, r.Tools)
			assert.Equal(t, 1, r.Apps)
			var warnings []string
			probes := 0
			for _, f := range r.Findings {
				assert.NotEqual(t, check.SeverityError, f.Severity, "%v", f)
				if f.Severity == check.SeverityWarning {
					warnings = append(warnings, f.Code)
				}
				if f.Code == "view-probe" {
					probes++
				}
				assert.NotEqual(t, "check-script-unread", f.Code, "%v", f)
			}
			assert.ElementsMatch(t, published[a.name], warnings)
			if a.opened() {
				assert.Equal(t, 1, probes)
			}
		})
	}
	assert.Equal(t, 14, apps)
	assert.True(t, checked == apps || !all && checked == len(inCI), "the apps that CI checks must exist")
}

// TestPublishedLiveBlocked opens an app that needs eval: threejs evaluates the text
// of its scene, which is an error, apart from the probe of its library.
func TestPublishedLiveBlocked(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Apps, e2e.Browser)
	main := filepath.Join(e2e.Dir(), "apps", "node_modules", "@modelcontextprotocol", "server-threejs", "dist", "index.js")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	viewer, err := liveview.Start(ctx, host.Target{Command: []string{"node", main, "--stdio"}},
		&host.ConnectOptions{ConnectTimeout: patience})
	require.NoError(t, err)
	defer viewer.Close()
	view, err := viewer.Open(ctx, e2e.SharedBrowser(t), liveview.Request{Tool: "show_threejs_scene"})
	require.NoError(t, err)
	defer view.Close()
	blocked := func(level host.Level, sample string) func(liveview.Outcome) bool {
		return func(o liveview.Outcome) bool {
			return slices.ContainsFunc(o.Violations, func(v host.Violation) bool {
				return v.Blocked == "eval" && v.Level == level && strings.Contains(v.Sample, sample)
			})
		}
	}
	assert.NoError(t, view.Wait(ctx, blocked(host.LevelInfo, "")), "the probe")
	assert.NoError(t, view.Wait(ctx, blocked(host.LevelError, "canvas")), "the scene, named by the sample")
}
