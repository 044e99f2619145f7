package check

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// An example of a rule is testdata/rules/CODE.txtar: a sentence about the fault, and
// two inputs that differ in that point alone, fail.* and pass.*, which docs/checks.md
// shows. An input is a document, or a patch of the server in testdata/server.json,
// which raises nothing. A line "also: CODE…" in the header names what else the failing
// one raises.
//
// NAME.fail.* and NAME.pass.* are further inputs, which the page does not show: html is
// a document, json a patch; each line of jsonl is a patch, and each line of lines the
// rest of a small document. NAME.json is a patch that is applied before each of them.
// Its "also" names other codes that they may raise, its "says" what the finding must
// say. They must raise nothing else at warning or above, and those that pass no note
// of the rule either.
type example struct {
	code, prose string
	also        []string
	files       map[string]string
}

func examples(t testing.TB) map[string]example {
	t.Helper()
	all := make(map[string]example)
	files, err := filepath.Glob("testdata/rules/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		e := example{code: strings.TrimSuffix(filepath.Base(file), ".txtar"), files: make(map[string]string)}
		for line := range strings.Lines(string(a.Comment)) {
			if also, ok := strings.CutPrefix(line, "also: "); ok {
				e.also = strings.Fields(also)
			} else {
				e.prose += line
			}
		}
		for _, f := range a.Files {
			e.files[f.Name] = string(f.Data)
		}
		all[e.code] = e
	}
	return all
}

// check runs the failing or the passing input of an example.
func (e example) check(t *testing.T, which string) *Report {
	t.Helper()
	if patch, ok := e.files[which+".json"]; ok {
		f := newFake(t, patch)
		opts := &Options{}
		if strings.Contains(patch, "$hang") {
			opts.Timeout = 300 * time.Millisecond
		}
		return checkFake(t, opts, true, f)
	}
	doc, ok := e.files[which+".html"]
	require.True(t, ok, "the example has no %s.html and no %s.json", which, which)
	o := &Options{}
	for _, name := range []string{"metadata.json", which + ".metadata.json"} {
		if raw, ok := e.files[name]; ok {
			o.Metadata = new(mcpapps.ResourceUIMetadata)
			require.NoError(t, json.Unmarshal([]byte(raw), o.Metadata))
		}
	}
	r, err := Document(doc, o)
	require.NoError(t, err)
	return r
}

func codesOf(r *Report) []string {
	set := make(map[string]bool)
	for _, f := range r.Findings {
		set[f.Code] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// live opens documents as views of one server, each with the metadata of its rule's
// example, and returns what was found in each.
func live(t *testing.T, docs, metadata map[string]string, limits liveview.Limits) map[string]*Report {
	t.Helper()
	tools, resources, items := map[string]any{"show": nil}, map[string]any{exampleURI: nil}, map[string]any{}
	reports := make(map[string]*Report)
	for name, doc := range docs {
		uri := "ui://example/" + name
		reports[uri] = &Report{}
		tools[uri] = map[string]any{"name": uri, "inputSchema": map[string]any{"type": "object"},
			"annotations": map[string]any{"readOnlyHint": true},
			"_meta":       map[string]any{"ui": map[string]any{"resourceUri": uri}, "ui/resourceUri": uri}}
		resources[uri] = map[string]any{"uri": uri, "name": uri, "mimeType": mcpapps.MIMEType}
		items[uri] = map[string]any{"uri": uri, "mimeType": mcpapps.MIMEType, "text": doc}
		code, _, _ := strings.Cut(name, "/")
		if ui := metadata[code]; ui != "" {
			meta := map[string]any{"ui": json.RawMessage(ui)}
			items[uri].(map[string]any)["_meta"], resources[uri].(map[string]any)["_meta"] = meta, meta
		}
	}
	patch, err := json.Marshal(map[string]any{"tools": tools, "resources": resources, "documents": items})
	require.NoError(t, err)
	all := checkFake(t, Live(t, Options{}, limits), false, newFake(t, string(patch)))
	for _, f := range all.Findings {
		if r := reports[f.URI]; r != nil {
			r.Findings = append(r.Findings, f)
		}
	}
	for name := range docs {
		reports[name] = reports["ui://example/"+name]
	}
	return reports
}

func isLive(code string) bool { return strings.HasPrefix(code, "view-") }

// TestRules shows, for every code of the catalogue, an input that raises it and
// one that differs in that point alone and does not; and the same for more
// inputs. TestLiveRules does for what is found in a browser.
func TestRules(t *testing.T) {
	all := examples(t)
	for code := range all {
		assert.Contains(t, catalogue, code, "testdata/rules has an example of a rule that is not there")
	}
	for _, code := range Codes() {
		t.Run(code, func(t *testing.T) {
			e, ok := all[code]
			require.True(t, ok, "the rule has no example in testdata/rules")
			if isLive(code) {
				return // see TestLiveRules
			}
			e.judge(t, code, e.check(t, "fail"), e.check(t, "pass"))
			for _, v := range e.variants(t) {
				t.Run(v.name, func(t *testing.T) { v.judge(t, code, v.check(t, code)) })
			}
		})
	}
}

// TestLiveRules is TestRules for the rules that views raise in a browser. CI opens one
// view that does what all passing examples do, one that does what the failing ones do that
// can fail together, and of the further inputs those in [onlyOfTheirKind]; ci/full opens
// each.
func TestLiveRules(t *testing.T) {
	t.Parallel() // most of it waits for the browser
	e2e.Need(t, e2e.Browser, e2e.Patience)
	all := examples(t)
	for code := range all {
		if !isLive(code) {
			delete(all, code)
		}
	}
	require.NotEmpty(t, all)
	views := openAll(t, all)
	if fails := views["fail"]; fails != nil {
		for _, f := range fails.Findings {
			require.Contains(t, all, f.Code)
			require.Nil(t, views[f.Code+"/fail"], "another finding than the failing examples have: %v", f)
			views[f.Code+"/fail"] = &Report{Findings: []Finding{f}}
		}
	}
	for code, e := range all {
		t.Run(code, func(t *testing.T) {
			require.NotNil(t, views[code+"/fail"], "nothing raises it: %v", views["fail"])
			e.judge(t, code, views[code+"/fail"], cmp.Or(views[code+"/pass"], views["pass"]))
			for _, v := range e.variants(t) {
				t.Run(v.name, func(t *testing.T) { v.judge(t, code, views[code+"/"+v.name]) })
			}
		})
	}
}

// judge compares the findings about the two documents, which differ in the rule's point.
func (e example) judge(t *testing.T, code string, fail, pass *Report) {
	t.Helper()
	want := append(codesOf(pass), code)
	want = append(want, e.also...)
	slices.Sort(want)
	assert.Equal(t, slices.Compact(want), codesOf(fail), "the failing example differs in more or less than its point:\n%v", fail.Findings)
	assert.NotContains(t, codesOf(pass), code)
	for _, f := range fail.Findings {
		assert.NotEmpty(t, f.Message)
		assert.NotContains(t, f.Message, "%!", "a format that does not fit")
		assert.Equal(t, catalogue[f.Code].Severity, f.Severity)
	}
}

// alone are the rules whose failing examples leave nothing else to be found in a view, or
// throw what that of view-caught does.
var alone = []string{"view-blank", "view-exception", "view-gone", "view-not-ready"}

// together returns a document that does what the failing or the passing examples do, and
// the codes of those: base without the lines that one of them lacks, and with those that
// one has at the end of the handler of messages.
func together(t testing.TB, all map[string]example, which, base string) (doc string, codes []string) {
	t.Helper()
	const end = "};\nsend("
	head, tail, ok := strings.Cut(base, end)
	require.True(t, ok)
	lacking, added := make(map[string]bool), ""
	for _, code := range slices.Sorted(maps.Keys(all)) {
		own, ownTail, _ := strings.Cut(all[code].files[which+".html"], end)
		if ownTail != tail || which == "fail" && slices.Contains(alone, code) {
			continue
		}
		codes = append(codes, code)
		for line := range strings.Lines(head) {
			rest, has := strings.CutPrefix(own, line)
			lacking[line] = lacking[line] || !has
			own = rest
		}
		added += own
	}
	for line := range strings.Lines(head) {
		if !lacking[line] {
			doc += line
		}
	}
	return doc + added + end + tail, codes
}

// openAll opens the documents of examples, and returns what was found in each, by
// CODE/fail, CODE/pass, unless they are in those by fail and pass, see [together], and
// CODE/VARIANT.
func openAll(t *testing.T, all map[string]example) map[string]*Report {
	t.Helper()
	// Those that are never initialized are waited for in vain.
	docs, never, metadata := make(map[string]string), make(map[string]string), make(map[string]string)
	in := make(map[string][]string)
	if !testenv.Full() {
		for _, which := range []string{"fail", "pass"} {
			docs[which], in[which] = together(t, all, which, all["view-size"].files["pass.html"])
			require.Greater(t, len(in[which]), len(all)/2)
		}
		metadata["fail"] = all["view-load"].files["metadata.json"]
	}
	for code, e := range all {
		metadata[code] = e.files["metadata.json"]
		group := func(raises bool, also []string) map[string]string {
			if raises && (code == "view-not-ready" || slices.Contains(also, "view-not-ready")) {
				return never
			}
			return docs
		}
		if !slices.Contains(in["fail"], code) {
			group(true, e.also)[code+"/fail"] = e.files["fail.html"]
		}
		if !slices.Contains(in["pass"], code) {
			docs[code+"/pass"] = e.files["pass.html"]
		}
		for _, v := range e.variants(t) {
			group(v.raises, v.also)[code+"/"+v.name] = v.document
		}
	}
	var waited map[string]*Report
	var wg sync.WaitGroup
	wg.Go(func() {
		waited = live(t, never, metadata, liveview.Limits{GiveUp: time.Second, Ready: 8 * time.Second})
	})
	reports := live(t, docs, metadata, liveview.Limits{})
	wg.Wait()
	maps.Copy(reports, waited)
	return reports
}

// TestBase shows that the server which the examples are patches of raises
// nothing, so that each finding is the patch's.
func TestBase(t *testing.T) {
	r := checkFake(t, nil, true, newFake(t, "{}"))
	assert.Empty(t, r.Findings)
	assert.Equal(t, 1, r.Tools)
	assert.Equal(t, 1, r.Apps)
	assert.Equal(t, []string{"2025-11-25", "2026-07-28", "2025-06-18", "2025-03-26", "2024-11-05"}, r.Versions)
}
