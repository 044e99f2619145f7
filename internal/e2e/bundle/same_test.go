package bundle_test

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed record.js
var record string

// A bundled page shows and does what its folder does over HTTP, or the bundler
// says with file and line what it can't follow. CI opens the first folder of each kind, which
// is the first word of its name; ci/full opens all, and a plain run each 80th.
func TestSameAsTheFolder(t *testing.T) {
	t.Parallel()
	names, same, kinds := folderNames(t), 0, map[string]bool{}
	assert.GreaterOrEqual(t, len(names), 150, "folders")
	for _, name := range names {
		f := readFolder(t, name)
		if f.want == "same" {
			kind, _, _ := strings.Cut(filepath.Base(name), "-")
			same++
			chosen := same%80 == 0
			if testenv.InCI() {
				chosen = !kinds[kind]
			}
			kinds[kind] = true
			if !chosen && !testenv.Full() {
				continue
			}
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			f.check(t)
		})
	}
}

var placed = regexp.MustCompile(`^[^\s:]+:\d+:\d+: `)

// check bundles the folder and compares what comes of it with what is expected.
func (f folder) check(t *testing.T) {
	doc, err := bundle.HTML(f.files, "index.html", nil)
	if f.want == "refused" {
		var e *bundle.Error
		require.ErrorAs(t, err, &e)
		assert.Contains(t, err.Error(), f.text)
		assert.Regexp(t, placed, e.Error())
		return
	}
	require.NoError(t, err)
	var warnings []string
	for _, w := range doc.Warnings {
		warnings = append(warnings, w.Error())
		assert.Regexp(t, placed, w.Error())
	}
	if f.want == "warned" {
		assert.Contains(t, strings.Join(warnings, "\n"), f.text)
		return
	}
	assert.Empty(t, warnings)
	e2e.SharedBrowser(t)
	folder, bundled := visit(t, serve(t, f.files, "")), visit(t, serve(t, fstest.MapFS{"index.html": {Data: []byte(doc.HTML)}}, policy))
	// Scripts and loads may take longer on one side, so both get time to become equal.
	var differences []string
	for deadline := time.Now().Add(20 * time.Second); ; {
		if differences = compare(folder.look(t), bundled.look(t)); len(differences) == 0 || time.Now().After(deadline) {
			break
		}
		time.Sleep(300 * time.Millisecond)
	}
	assert.Empty(t, bundled.site.requests(), "what the bundle asks its own origin for")
	if len(differences) > 30 {
		differences = append(differences[:30], fmt.Sprintf("and %d more", len(differences)-30))
	}
	assert.Empty(t, strings.Join(differences, "\n"), "differences between the folder and the bundle")
	if t.Failed() {
		t.Logf("the bundle:\n%.6000s", doc.HTML)
	}
}

// A shown page is one that is open in the browser.
type shown struct {
	site *site
	page *chrome.Page
}

func visit(t *testing.T, s *site) shown {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p, err := e2e.SharedBrowser(t).Open(ctx, s.server.URL+"/", 500, 400, false)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return shown{s, p}
}

// settled evaluates to true when the page has loaded and has been idle.
const settled = `new Promise((ok) => {
	const then = () => document.fonts.ready.then(() => setTimeout(() => requestAnimationFrame(() => ok(location.href !== "about:blank")), 100));
	document.readyState === "complete" ? then() : addEventListener("load", then);
})`

// look returns what a page shows and has done, by the names of places.
func (s shown) look(t *testing.T) map[string]string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for loaded := false; !loaded; { // the blank page before it goes away, which fails the evaluation
		if err := s.page.Eval(ctx, settled, &loaded); err != nil {
			require.NoError(t, ctx.Err(), "%v", err)
		}
	}
	var got struct {
		Elements []map[string]any
		Page     map[string]string
		Globals  []string
	}
	require.NoError(t, s.page.Eval(ctx, record, &got))
	all := make(map[string]string)
	for key, value := range got.Page {
		all["page "+key] = value
	}
	for _, g := range got.Globals {
		all["global "+g] = "there"
	}
	for _, e := range got.Elements {
		at := e["path"].(string)
		for key, value := range e {
			switch value := value.(type) {
			case string:
				all[at+" "+key] = value
			case map[string]any:
				for property, v := range value {
					all[at+" "+key+" "+property] = s.site.plain(fmt.Sprint(v))
				}
			}
		}
	}
	for i, m := range s.page.Console() {
		all[fmt.Sprintf("console %03d", i)] = s.site.plain(string(m.Level) + ": " + m.Text)
	}
	for i, e := range s.page.Exceptions() {
		all[fmt.Sprintf("exception %03d", i)] = s.site.plain(e.Text)
	}
	return all
}

// compare returns the differences between what two pages show, sorted.
func compare(folder, bundled map[string]string) []string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(folder)) {
		if got, ok := bundled[key]; !ok {
			all = append(all, fmt.Sprintf("%s: %.300q in the folder alone", key, folder[key]))
		} else if got != folder[key] {
			all = append(all, fmt.Sprintf("%s: %.300q in the folder, %.300q in the bundle", key, folder[key], got))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(bundled)) {
		if _, ok := folder[key]; !ok {
			all = append(all, fmt.Sprintf("%s: %.300q in the bundle alone", key, bundled[key]))
		}
	}
	return all
}
