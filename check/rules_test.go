package check

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

var update = flag.Bool("update", false, "rewrite docs/checks.md from the catalogue and the examples")

// An example of a rule is testdata/rules/CODE.txtar: a sentence of what goes
// wrong, and two inputs that differ in that point alone. An input is a
// document, or a patch of the server in testdata/server.json, which raises
// nothing. A line "also: CODE…" in the header names what else the failing one
// raises.
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
		o, err := opts.withDefaults()
		require.NoError(t, err)
		r, err := run(t.Context(), &o, true, true, f.connect)
		require.NoError(t, err)
		return r
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

// live opens the documents of all live examples, as views of two servers: those
// that are never ready, for which it waits in vain, and those for which it waits
// as long as a busy machine takes.
func live(t *testing.T, all map[string]example) func(e example, which string) *Report {
	uri := func(e example, which string) string { return "ui://example/" + e.code + "-" + which }
	never := func(e example, which string) bool {
		return which == "fail" && (e.code == "view-not-ready" || slices.Contains(e.also, "view-not-ready"))
	}
	reports := make(map[bool]*Report)
	return func(e example, which string) *Report {
		group := never(e, which)
		report := reports[group]
		if report == nil {
			tools, resources, docs := map[string]any{"show": nil}, map[string]any{"ui://example/view.html": nil}, map[string]any{}
			for code, e := range all {
				if !strings.HasPrefix(code, "view-") {
					continue
				}
				for _, which := range []string{"fail", "pass"} {
					if never(e, which) != group {
						continue
					}
					u := uri(e, which)
					tools[u] = map[string]any{"name": u, "inputSchema": map[string]any{"type": "object"},
						"annotations": map[string]any{"readOnlyHint": true},
						"_meta":       map[string]any{"ui": map[string]any{"resourceUri": u}, "ui/resourceUri": u}}
					resources[u] = map[string]any{"uri": u, "name": u, "mimeType": mcpapps.MIMEType}
					docs[u] = map[string]any{"uri": u, "mimeType": mcpapps.MIMEType, "text": e.files[which+".html"]}
				}
			}
			patch, err := json.Marshal(map[string]any{"tools": tools, "resources": resources, "documents": docs})
			require.NoError(t, err)
			opts := &Options{Live: true, Timeout: 2 * time.Minute}
			if group {
				opts.Timeout = 5 * time.Second
			}
			o, err := opts.withDefaults()
			require.NoError(t, err)
			report, err = run(t.Context(), &o, true, false, newFake(t, string(patch)).connect)
			require.NoError(t, err)
			reports[group] = report
		}
		r := &Report{}
		for _, f := range report.Findings {
			if f.URI == uri(e, which) {
				r.Findings = append(r.Findings, f)
			}
		}
		return r
	}
}

// TestRules shows, for every code of the catalogue, an input that raises it and
// one that differs in that point alone and does not.
func TestRules(t *testing.T) {
	t.Parallel() // most of it waits for the browser
	all := examples(t)
	for code := range all {
		assert.Contains(t, rules, code, "testdata/rules has an example of a rule that is not there")
	}
	live := live(t, all)
	for _, code := range Codes() {
		t.Run(code, func(t *testing.T) {
			e, ok := all[code]
			require.True(t, ok, "the rule has no example in testdata/rules")
			var fail, pass *Report
			if strings.HasPrefix(code, "view-") {
				e2e.Need(t, e2e.Browser)
				fail, pass = live(e, "fail"), live(e, "pass")
			} else {
				fail, pass = e.check(t, "fail"), e.check(t, "pass")
			}
			want := append(codesOf(pass), code)
			want = append(want, e.also...)
			slices.Sort(want)
			assert.Equal(t, slices.Compact(want), codesOf(fail), "the failing example differs in more or less than its point:\n%v", fail.Findings)
			assert.NotContains(t, codesOf(pass), code)
			for _, f := range fail.Findings {
				assert.NotEmpty(t, f.Message)
				assert.NotContains(t, f.Message, "%!", "a format that does not fit")
				assert.Equal(t, rules[f.Code].Severity, f.Severity)
			}
		})
	}
}

// TestBase shows that the server which the examples are patches of raises
// nothing, so that each finding is the patch's.
func TestBase(t *testing.T) {
	o, err := (*Options)(nil).withDefaults()
	require.NoError(t, err)
	r, err := run(t.Context(), &o, true, true, newFake(t, "{}").connect)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	assert.Equal(t, 1, r.Tools)
	assert.Equal(t, 1, r.Apps)
	assert.Equal(t, []string{"2025-11-25", "2026-07-28", "2025-06-18", "2025-03-26", "2024-11-05"}, r.Versions)
}

// TestCatalogue holds the catalogue to its own terms.
func TestCatalogue(t *testing.T) {
	form := regexp.MustCompile(`^(server|capability|tool|meta|resource|csp|permission|domain|doc|view|result|check)-[a-z]+(-[a-z]+)*$`)
	for _, r := range Rules() {
		assert.Regexp(t, form, r.Code)
		for what, text := range map[string]string{"summary": r.Summary, "why": r.Why, "remedy": r.Remedy} {
			assert.NotEmpty(t, text, "%s: %s", r.Code, what)
			assert.NotContains(t, text, "\n", "%s: %s is one line", r.Code, what)
		}
		if r.Severity == Error {
			assert.NotEmpty(t, r.Hosts, "%s: an error names the hosts that it breaks", r.Code)
		}
	}
	// Every code in the source is in the catalogue, and the other way round.
	used := make(map[string]bool)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	mention := regexp.MustCompile(`"([a-z]+(?:-[a-z]+)+)"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "catalogue_") {
			continue
		}
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range mention.FindAllStringSubmatch(string(src), -1) {
			used[m[1]] = true
		}
	}
	for _, code := range Codes() {
		assert.True(t, used[code], "no code raises %s", code)
	}
}

// TestCataloguePage keeps docs/checks.md in step with the catalogue and the
// examples; -update rewrites it.
func TestCataloguePage(t *testing.T) {
	page := cataloguePage(t)
	file := filepath.Join("..", "docs", "checks.md")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, page, 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	if !bytes.Equal(have, page) {
		t.Error("docs/checks.md is not what the catalogue and the examples say: run go test ./check -update")
	}
}

func cataloguePage(t *testing.T) []byte {
	intro, err := os.ReadFile("testdata/checks.md")
	require.NoError(t, err)
	server, err := os.ReadFile("testdata/server.json")
	require.NoError(t, err)
	var b bytes.Buffer
	b.Write(intro)
	fmt.Fprintf(&b, "\n```json\n%s```\n", server)
	all := examples(t)
	for _, r := range Rules() {
		e := all[r.Code]
		fmt.Fprintf(&b, "\n## %s\n\n**%s**: %s. %s.\n", r.Code, r.Severity, markdown(r.Summary), markdown(sentence(r.Why)))
		fmt.Fprintf(&b, "\nRemedy: %s.\n", markdown(r.Remedy))
		var about []string
		if len(r.Hosts) > 0 {
			about = append(about, "Hosts: "+strings.Join(r.Hosts, ", ")+".")
		}
		if r.Spec != "" {
			about = append(about, "Specification: "+r.Spec+".")
		}
		if len(about) > 0 {
			fmt.Fprintf(&b, "\n%s\n", strings.Join(about, " "))
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(e.prose))
		for _, which := range []string{"fail", "pass"} {
			for _, ext := range []string{".json", ".html"} {
				if text, ok := e.files[which+ext]; ok {
					label := map[string]string{"fail": "Raises it", "pass": "Does not"}[which]
					for _, name := range []string{"metadata.json", which + ".metadata.json"} {
						if meta, ok := e.files[name]; ok {
							label += ", served with `" + strings.TrimSpace(compact(t, meta)) + "`"
						}
					}
					fmt.Fprintf(&b, "\n%s:\n\n```%s\n%s```\n", label, ext[1:], text)
				}
			}
		}
	}
	return b.Bytes()
}

func markdown(s string) string { return strings.NewReplacer("<", "\\<", "*", "\\*").Replace(s) }

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func compact(t *testing.T, raw string) string {
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(raw)))
	return b.String()
}

// fake is a server made of JSON.
type fake struct {
	t     *testing.T
	patch map[string]any
}

func newFake(t *testing.T, patch string) *fake {
	f := &fake{t: t}
	require.NoError(t, json.Unmarshal([]byte(patch), &f.patch), patch)
	return f
}

func (f *fake) connect(context.Context) (wire, error) {
	raw, err := os.ReadFile("testdata/server.json")
	require.NoError(f.t, err)
	var base map[string]any
	require.NoError(f.t, json.Unmarshal(raw, &base))
	w := &fakeWire{server: merge(base, f.patch).(map[string]any)}
	for _, key := range []string{"versions", "withoutUI"} { // patches themselves, with nulls to keep
		if p, ok := f.patch[key]; ok {
			w.server[key] = p
		}
	}
	return w, nil
}

// merge applies an RFC 7396 merge patch.
func merge(to, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	obj, _ := to.(map[string]any)
	obj = maps.Clone(obj)
	if obj == nil {
		obj = make(map[string]any)
	}
	for k, v := range p {
		if v == nil {
			delete(obj, k)
		} else {
			obj[k] = merge(obj[k], v)
		}
	}
	return obj
}

type fakeWire struct{ server map[string]any }

func (w *fakeWire) object(key string) map[string]any {
	m, _ := w.server[key].(map[string]any)
	return m
}

func (w *fakeWire) values(key string) []any {
	list := []any{}
	m := w.object(key)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[k])
	}
	return list
}

func (w *fakeWire) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if meta, ok := params["_meta"].(map[string]any); ok {
		w.as(meta["io.modelcontextprotocol/protocolVersion"], meta["io.modelcontextprotocol/clientCapabilities"])
	}
	var res any
	switch method {
	case "initialize":
		w.as(params["protocolVersion"], params["capabilities"])
		res = map[string]any{"protocolVersion": params["protocolVersion"], "capabilities": w.server["capabilities"], "serverInfo": map[string]any{"name": "example", "version": "1"}}
	case "server/discover":
		res = map[string]any{"supportedVersions": []string{versionModern}, "capabilities": w.server["capabilities"]}
	case "ping":
		res = map[string]any{}
	case "tools/list":
		more, _ := w.server["extraTools"].([]any)
		res = map[string]any{"tools": append(w.values("tools"), more...), "nextCursor": w.server["nextCursor"]}
	case "resources/list":
		res = map[string]any{"resources": w.values("resources")}
	case "resources/read":
		item := w.object("documents")[params["uri"].(string)]
		if item == nil {
			return nil, &jsonrpc.Error{Code: -32002, Message: "Resource not found"}
		}
		item = merge(item, map[string]any{})
		if n, ok := w.server["padTo"].(float64); ok {
			text := item.(map[string]any)["text"].(string)
			item.(map[string]any)["text"] = text + strings.Repeat("\n", int(n)-len(text))
		}
		more, _ := w.server["extraContents"].([]any)
		res = map[string]any{"contents": append([]any{item}, more...), "_meta": w.server["readMeta"]}
	case "tools/call":
		res = w.object("results")[params["name"].(string)]
		if res == nil {
			res = map[string]any{"content": []any{map[string]any{"type": "text", "text": "done"}}}
		}
		if n, ok := w.server["padResultTo"].(float64); ok {
			res = map[string]any{"content": []any{map[string]any{"type": "text", "text": strings.Repeat("x", int(n))}}}
		}
	}
	if a, ok := w.object("answers")[method].(map[string]any); ok {
		switch {
		case a["$error"] != nil:
			e := a["$error"].(map[string]any)
			return nil, &jsonrpc.Error{Code: int64(e["code"].(float64)), Message: e["message"].(string)}
		case a["$hang"] != nil:
			<-ctx.Done()
			return nil, errTimeout
		case a["$flood"] != nil:
			return nil, errFlood
		case a["$die"] != nil:
			return nil, fmt.Errorf("%w: the server's process ended", errClosed)
		}
		res = a
	}
	return json.Marshal(res)
}

// as makes the server the one that a client with this version and these
// capabilities sees.
func (w *fakeWire) as(version, capabilities any) {
	v, _ := version.(string)
	w.patch(w.object("versions")[v])
	if caps, _ := capabilities.(map[string]any); caps["extensions"] == nil {
		w.patch(w.server["withoutUI"])
	}
}

func (w *fakeWire) patch(patch any) {
	if patch != nil {
		w.server = merge(w.server, patch).(map[string]any)
	}
}

func (w *fakeWire) notify(context.Context, string, map[string]any) error { return nil }

func (w *fakeWire) noise() []string {
	var lines []string
	list, _ := w.server["noise"].([]any)
	for _, l := range list {
		lines = append(lines, l.(string))
	}
	return lines
}

func (w *fakeWire) close() {}
