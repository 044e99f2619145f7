package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/compat"
)

var testSource = compat.Source{Kind: compat.Probe, By: "tester", Date: "2026-08-19", Ref: "example #1"}

// fact returns a fact with one claim.
func fact[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: testSource}}}
}

// generous is a host that gives everything.
func generous() *compat.Profile {
	yes := fact(compat.Yes)
	return &compat.Profile{
		ID: "generous", Name: "Generous", Host: "generous", ShowsApps: fact(true),
		DisplayModes: fact([]string{"inline", "fullscreen", "pip"}), Result: fact(compat.ResultWhole),
		OpenLink: yes, Message: yes, UpdateModelContext: yes, DownloadFile: yes, RequestTeardown: yes,
		ServerTools: yes, ServerResources: yes, AppTools: yes,
		ConnectDomains: yes, ResourceDomains: yes, FrameDomains: yes, BaseURIDomains: yes,
		Permissions: fact([]string{"camera", "microphone", "geolocation", "clipboardWrite"}),
		Domain:      fact(compat.DomainIgnored), HidesAppTools: fact(true),
		DocumentLimit: fact(10 << 20), ResultLimit: fact(10 << 20),
	}
}

// poor is a host that gives nothing but the view.
func poor() *compat.Profile {
	no := fact(compat.No)
	return &compat.Profile{
		ID: "poor", Name: "Poor", Host: "poor", ShowsApps: fact(true),
		DisplayModes: fact([]string{"inline"}), Result: fact(compat.ResultWhole),
		OpenLink: no, Message: no, UpdateModelContext: no, DownloadFile: no, RequestTeardown: no,
		ServerTools: no, ServerResources: no, AppTools: no,
		ConnectDomains: no, ResourceDomains: no, FrameDomains: no, BaseURIDomains: no,
		Permissions: fact([]string{}), Domain: fact(compat.DomainClaude), HidesAppTools: fact(false),
		DocumentLimit: fact(5000), ResultLimit: fact(5000),
	}
}

// hostOptions judges for profiles.
func hostOptions(profiles ...*compat.Profile) *Options {
	o := &Options{profiles: profiles}
	for _, p := range profiles {
		o.Hosts = append(o.Hosts, p.ID)
	}
	return o
}

// judged returns the app's verdicts on hosts.
func judged(t *testing.T, patch string, profiles ...*compat.Profile) []AppVerdict {
	t.Helper()
	r := checkFake(t, hostOptions(profiles...), false, newFake(t, patch))
	require.Len(t, r.Hosts, len(profiles))
	var list []AppVerdict
	for i, h := range r.Hosts {
		assert.Equal(t, profiles[i].ID, h.ID)
		require.Len(t, h.Apps, 1)
		list = append(list, h.Apps[0])
	}
	return list
}

// says writes reasons as "fact verdict line:column", sorted.
func says(v AppVerdict) []string {
	list := []string{}
	for _, r := range v.Reasons {
		s := r.Fact + " " + r.Verdict.String()
		if r.Line > 0 {
			s += fmt.Sprintf(" %d:%d", r.Line, r.Column)
		}
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// page is a document with a script, which is its third line.
func scripted(script string) string {
	return "<!doctype html>\n<title>v</title><p>Hello\n<script>" + script + "</script>"
}

// TestHostJudgements shows what follows from each fact, for an app that needs something
// of the host: nothing where the host gives it, a reason where it does not, and unknown
// where nothing is known. The one that does not need it has no reason on any host.
func TestHostJudgements(t *testing.T) {
	type app struct {
		document, ui string
		more         map[string]any
	}
	for name, c := range map[string]struct {
		app
		poor, unknown []string
	}{
		"nothing": {app{}, nil, nil},
		"openLink": {app{document: scripted(`app.openLink({ url: "https://example.com" })`)},
			[]string{"openLink degraded 3:13"}, []string{"openLink unknown 3:13"}},
		"openLink of old": {app{document: scripted(`app.sendOpenLink({ url })`)},
			[]string{"openLink degraded 3:13"}, []string{"openLink unknown 3:13"}},
		"sendMessage": {app{document: scripted(`app.sendMessage({ role: "user", content: [] })`)},
			[]string{"message degraded 3:13"}, []string{"message unknown 3:13"}},
		"sendMessage of another library": {app{document: scripted(`port.sendMessage({ kind: "page" }); port.sendMessage("x")`)}, nil, nil},
		"a message without a library": {app{document: scripted(`parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/message", params: { role: "user", content: [] } }, "*")`)},
			[]string{"message degraded 3:30"}, []string{"message unknown 3:30"}},
		"a method that another function sends": {app{document: scripted(`rpc("ui/update-model-context", { content: [] })`)},
			[]string{"updateModelContext degraded 3:13"}, []string{"updateModelContext unknown 3:13"}},
		"a library that defines the method and nobody calls": {app{document: scripted(
			`class App { async downloadFile(p) { return this.request({ method: "ui/download-file", params: p }) } } const schema = z.literal("ui/message")`)}, nil, nil},
		"updateModelContext": {app{document: scripted(`this.app?.updateModelContext({})`)},
			[]string{"updateModelContext degraded 3:19"}, []string{"updateModelContext unknown 3:19"}},
		"downloadFile": {app{document: scripted(`const a = 1; a.b.downloadFile({ contents: [] }); x.downloadFile(y)`)},
			[]string{"downloadFile degraded 3:26"}, []string{"downloadFile unknown 3:26"}},
		"requestTeardown": {app{document: scripted(`app.requestTeardown()`)},
			[]string{"requestTeardown degraded 3:13"}, []string{"requestTeardown unknown 3:13"}},
		"callServerTool": {app{document: scripted(`app.callServerTool({ name: "show" })`)},
			[]string{"serverTools degraded 3:13"}, []string{"serverTools unknown 3:13"}},
		"ChatGPT's own callTool": {app{document: scripted(`window.openai.callTool("show", {}); window.openai.requestDisplayMode({ mode: "pip" })`)}, nil, nil},
		"readServerResource": {app{document: scripted(`app.readServerResource({ uri })`)},
			[]string{"serverResources degraded 3:13"}, []string{"serverResources unknown 3:13"}},
		"registerTool": {app{document: scripted(`app.registerTool("x", {}, () => {})`)},
			[]string{"appTools degraded 3:13"}, []string{"appTools unknown 3:13"}},
		"a display mode": {app{document: scripted(`app.requestDisplayMode({ mode: "pip" })`)},
			[]string{"displayModes degraded 3:13"}, []string{"displayModes unknown 3:13"}},
		"the mode inline": {app{document: scripted(`app.requestDisplayMode({ mode: "inline" })`)}, nil, nil},
		"a display mode that a variable has": {app{document: scripted(`const m = now == "inline" ? "fullscreen" : "inline"; app.requestDisplayMode({ mode: m })`)},
			[]string{"displayModes degraded 3:66"}, []string{"displayModes unknown 3:66"}},
		"some display mode": {app{document: scripted(`app.requestDisplayMode({ mode: other() })`)},
			[]string{"displayModes degraded 3:13"}, []string{"displayModes unknown 3:13"}},
		"connectDomains": {app{document: scripted(`fetch("https://api.example.com/x")`), ui: `{"csp":{"connectDomains":["https://api.example.com"]}}`},
			[]string{"connectDomains degraded 3:15"}, []string{"connectDomains unknown 3:15"}},
		"connectDomains that it names": {app{document: scripted(`const api = "https://api.example.com"; load(api)`), ui: `{"csp":{"connectDomains":["https://api.example.com"]}}`},
			[]string{"connectDomains degraded"}, []string{"connectDomains unknown"}},
		"connectDomains that it does not use": {app{ui: `{"csp":{"connectDomains":["https://api.example.com"]}}`}, nil, nil},
		"resourceDomains for an image": {app{document: "<!doctype html><p>Hello<img alt='' src=https://cdn.example.com/a.png>", ui: `{"csp":{"resourceDomains":["https://cdn.example.com"]}}`},
			[]string{"resourceDomains degraded 1:24"}, []string{"resourceDomains unknown 1:24"}},
		"resourceDomains for code": {app{document: "<!doctype html><p>Hello<img alt='' src=https://cdn.example.com/a.png><script src=https://cdn.example.com/a.js></script>",
			ui: `{"csp":{"resourceDomains":["https://cdn.example.com"]}}`},
			[]string{"resourceDomains blocked 1:70", "script unknown 1:70"}, []string{"resourceDomains unknown 1:70", "script unknown 1:70"}},
		"frames among others": {app{document: "<!doctype html><p>Hello<iframe src=https://maps.example.com></iframe>", ui: `{"csp":{"frameDomains":["https://maps.example.com"]}}`},
			[]string{"frameDomains degraded 1:24"}, []string{"frameDomains unknown 1:24"}},
		"frames alone": {app{document: "<!doctype html><style>iframe { width: 100% }</style><iframe src=https://maps.example.com></iframe>", ui: `{"csp":{"frameDomains":["https://maps.example.com"]}}`},
			[]string{"frameDomains blocked 1:53"}, []string{"frameDomains unknown 1:53"}},
		"frames that are declared": {app{ui: `{"csp":{"frameDomains":["https://maps.example.com"]}}`},
			[]string{"frameDomains degraded"}, []string{"frameDomains unknown"}},
		"baseUriDomains": {app{document: "<!doctype html><base href=https://cdn.example.com/><p>Hello", ui: `{"csp":{"baseUriDomains":["https://cdn.example.com"]}}`},
			[]string{"baseUriDomains degraded 1:16"}, []string{"baseUriDomains unknown 1:16"}},
		"permissions": {app{document: scripted(`navigator.clipboard.writeText("x")`), ui: `{"permissions":{"camera":{},"clipboardWrite":{}}}`},
			[]string{"permissions degraded", "permissions degraded 3:39"}, []string{"permissions unknown", "permissions unknown 3:39"}},
		"a domain of another host": {app{ui: `{"domain":"https://app.example.com"}`}, []string{"domain blocked"}, []string{"domain unknown"}},
		"a domain of this host":    {app{ui: `{"domain":"0123456789abcdef0123456789abcdef.claudemcpcontent.com"}`}, nil, []string{"domain unknown"}},
		"a large document":         {app{document: "<!doctype html><p>Hello" + strings.Repeat(" ", 6000)}, []string{"documentLimit blocked"}, nil},
		"a very large document":    {app{document: "<!doctype html><p>Hello" + strings.Repeat(" ", maxDocument)}, []string{"documentLimit blocked"}, []string{"documentLimit unknown"}},
		"a long result":            {app{more: map[string]any{"padResultTo": 6000}}, []string{"resultLimit degraded"}, nil},
		"a very long result":       {app{more: map[string]any{"padResultTo": maxResult + 1}}, []string{"resultLimit degraded"}, []string{"resultLimit unknown"}},
		"a tool of the view": {app{more: map[string]any{"tools": map[string]any{"hidden": map[string]any{"name": "hidden", "inputSchema": map[string]any{"type": "object"},
			"_meta": map[string]any{"ui": map[string]any{"visibility": []string{"app"}, "resourceUri": exampleURI}, "ui/resourceUri": exampleURI}}}}},
			[]string{"hidesAppTools degraded"}, []string{"hidesAppTools unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			patch := map[string]any{"document": "<!doctype html><p>Hello"}
			maps.Copy(patch, c.more)
			if c.document != "" {
				patch["document"] = c.document
			}
			if c.ui != "" {
				patch["ui"] = json.RawMessage(c.ui)
			}
			raw, err := json.Marshal(patch)
			require.NoError(t, err)
			unknown := &compat.Profile{ID: "unknown", Name: "Unknown", ShowsApps: fact(true), Result: fact(compat.ResultWhole)}
			verdicts := judged(t, string(raw), generous(), poor(), unknown)
			for i, want := range [][]string{nil, c.poor, c.unknown} {
				assert.ElementsMatch(t, want, says(verdicts[i]), "%v", verdicts[i].Reasons)
				worst := VerdictWorks
				for _, r := range verdicts[i].Reasons {
					worst = max(worst, r.Verdict)
					assert.NotEmpty(t, r.App)
					assert.NotEmpty(t, r.Host)
					assert.NotContains(t, r.String(), "%!")
				}
				assert.Equal(t, worst, verdicts[i].Verdict)
				assert.Equal(t, exampleURI, verdicts[i].URI)
				assert.Equal(t, "show", verdicts[i].Tool)
			}
		})
	}
}

// TestHostWithoutApps shows that nothing else is said of a host that shows no apps.
func TestHostWithoutApps(t *testing.T) {
	p := poor()
	p.ShowsApps = fact(false)
	r := checkFake(t, hostOptions(p), false, newFake(t, `{"document": "<!doctype html><p>Hello<script>app.openLink({ url })</script>"}`))
	v := r.Hosts[0].Apps[0]
	assert.Equal(t, VerdictBlocked, v.Verdict)
	assert.Equal(t, []string{"showsApps blocked"}, says(v))
	assert.False(t, v.Blocked())
	assert.False(t, r.Fails(SeverityWarning), "no app can do anything about it")
}

// TestHostUnknown shows that a host of which nothing is known is not said to lack
// anything, nor to have it.
func TestHostUnknown(t *testing.T) {
	v := judged(t, `{"ui": {"permissions": {"camera": {}}, "domain": "https://app.example.com", "csp": {"frameDomains": ["https://maps.example.com"]}},
		"document": "<!doctype html><p>Hello<script>app.openLink({ url }); app.requestDisplayMode({ mode: 'pip' })</script>"}`, &compat.Profile{ID: "new", Name: "New"})[0]
	assert.Equal(t, VerdictUnknown, v.Verdict)
	assert.Equal(t, []string{"displayModes unknown 1:59", "domain unknown", "frameDomains unknown", "openLink unknown 1:36", "permissions unknown", "showsApps unknown"}, says(v))
	for _, r := range v.Reasons {
		assert.Nil(t, r.Source)
	}
}

// TestHostUnreadScript shows that nothing is known of what a script asks for that can't be
// read, or that is elsewhere, but on a host that has everything.
func TestHostUnreadScript(t *testing.T) {
	for document, want := range map[string][]string{
		scripted("await using x = 1; app.downloadFile({ contents })"):                             {"script unknown 3:21"},
		"<!doctype html><p>Hello<script src='https://cdn.example.com/app.js'></script>":           {"script unknown 1:24"},
		scripted("import('https://cdn.example.com/app.js')"):                                      {"script unknown 3:16"},
		scripted("import('https://cdn.example.com/three.js'); app.callServerTool({ name: 'x' })"): {"serverTools degraded 3:57"},
	} {
		raw, err := json.Marshal(map[string]any{"document": document, "ui": map[string]any{}})
		require.NoError(t, err)
		v := judged(t, string(raw), poor(), generous())
		assert.Equal(t, want, says(v[0]), document)
		assert.Empty(t, says(v[1]), document)
	}
}

// TestHostBlockedFails shows that an app which is blocked counts as a warning, and one
// that is degraded does not.
func TestHostBlockedFails(t *testing.T) {
	for _, c := range []struct {
		document string
		verdict  Verdict
	}{
		{"<!doctype html><p>Hello", VerdictWorks},
		{scripted("app.openLink({ url })"), VerdictDegraded},
		{"<!doctype html><p>Hello" + strings.Repeat(" ", 6000), VerdictBlocked},
	} {
		raw, err := json.Marshal(map[string]any{"document": c.document})
		require.NoError(t, err)
		r := checkFake(t, hostOptions(poor()), false, newFake(t, string(raw)))
		require.Equal(t, c.verdict, r.Hosts[0].Apps[0].Verdict)
		assert.Equal(t, 1, r.Hosts[0].Count(c.verdict))
		assert.Equal(t, c.verdict == VerdictBlocked, r.Fails(SeverityWarning))
		assert.False(t, r.Fails(SeverityError))
	}
}

// TestHostSourcesDisagree shows that the first source decides, under its condition, and
// that the others are named where another verdict follows from them.
func TestHostSourcesDisagree(t *testing.T) {
	yes, no := compat.Yes, compat.No
	report := compat.Source{Kind: compat.Report, Date: "2026-07-06", Ref: "example #2"}
	p := generous()
	p.OpenLink.Claims = []compat.Claim[compat.Support]{{Value: &yes, Source: testSource}, {Value: &no, When: "on phones", Source: report}}
	p.DownloadFile.Claims = []compat.Claim[compat.Support]{{Value: &no, When: "local servers", Source: report}, {Value: &no, Source: testSource}}
	p.Message.Claims = []compat.Claim[compat.Support]{{Note: "after the user has agreed", Source: report}}
	v := judged(t, `{"document": "<!doctype html><p>Hello<script>app.openLink({ url }); app.downloadFile(f); app.sendMessage(m)</script>"}`, p)[0]
	assert.Equal(t, VerdictDegraded, v.Verdict)
	var lines []string
	for _, r := range v.Reasons {
		lines = append(lines, r.Verdict.String()+": "+r.String())
	}
	assert.Equal(t, []string{
		"degraded: the app calls downloadFile at 1:59; the host does not have it (local servers; report 2026-07-06, example #2)",
		"unknown: the app calls sendMessage at 1:80; the host fits no answer: after the user has agreed (report 2026-07-06, example #2)",
		"works: the app calls openLink at 1:36; the host has it (probe 2026-08-19, example #1); but the host does not have it (on phones; report 2026-07-06, example #2)",
	}, lines)
}

// TestHostResult shows what is said of a host that drops a part of results: nothing for
// a view without a script, or where the result has no such part; that it is unknown where
// the view was not opened without it; and else what was seen.
func TestHostResult(t *testing.T) {
	content := generous()
	content.Result = fact(compat.ResultContentOnly)
	meta := generous()
	meta.ID, meta.Result = "meta", fact(compat.ResultWithoutMeta)
	unknown := generous()
	unknown.ID, unknown.Result = "unknown", compat.Fact[compat.Result]{}
	all := []*compat.Profile{generous(), content, meta, unknown}
	all[0].ID = "whole"
	verdicts := func(a *hostApp) (list []string) {
		for _, p := range all {
			list = append(list, strings.Join(says(a.judge(p)), ""))
		}
		return list
	}
	use := &docUse{hasScript: true}
	result := func(s string) []json.RawMessage { return []json.RawMessage{json.RawMessage(s)} }
	none := []string{"", "", "", ""}
	open := []string{"", "result unknown", "result unknown", "result unknown"}
	assert.Equal(t, none, verdicts(&hostApp{use: &docUse{}}), "it has no script")
	assert.Equal(t, open, verdicts(&hostApp{use: use, unopened: "the tool was not called"}))
	assert.Equal(t, none, verdicts(&hostApp{use: use, results: result(`{"content": []}`)}), "nothing of it is dropped")
	assert.Equal(t, open, verdicts(&hostApp{use: use, results: result(`{"content": [], "_meta": {"a": 1}}`)}))
	assert.Equal(t, []string{"", "result unknown", "", "result unknown"}, verdicts(&hostApp{use: use, results: result(`{"content": [], "structuredContent": {}}`)}))
	seen := &hostApp{use: use, results: result(`{"_meta": {}, "structuredContent": {}}`), views: map[compat.Result]shown{
		compat.ResultContentOnly: {VerdictBlocked, "shows nothing without it"},
		compat.ResultWithoutMeta: {VerdictWorks, ""},
	}}
	assert.Equal(t, []string{"", "result blocked", "", "result unknown"}, verdicts(seen))
	assert.Equal(t, "shows nothing without it", seen.judge(unknown).Reasons[0].App, "also where it is not known whether the host drops it")
}

// TestHostNames shows what is said of a host that has no profile.
func TestHostNames(t *testing.T) {
	_, err := Document("<!doctype html><p>Hello", &Options{Hosts: []string{"goose", "cladue"}})
	var option *OptionError
	require.ErrorAs(t, err, &option)
	assert.Equal(t, "Hosts", option.Option)
	assert.ErrorContains(t, err, `Options.Hosts names "cladue", of which there is no profile: the nearest is "claude"; there are agentcore, `)
	r, err := Document("<!doctype html><p>Hello", &Options{Hosts: []string{"claude-web", "all"}})
	require.NoError(t, err)
	assert.Len(t, r.Hosts, len(compat.Profiles()))
}

// TestPermissionsDenied shows that a host of which only refused permissions are known is
// not said to refuse others, and that permissions which are known decide.
func TestPermissionsDenied(t *testing.T) {
	denies := func(names ...string) *compat.Profile {
		p := generous()
		p.Permissions, p.PermissionsDenied = compat.Fact[[]string]{}, fact(names)
		return p
	}
	unknown, all := denies("camera"), denies("camera", "microphone")
	known := generous()
	known.PermissionsDenied = fact([]string{"camera"})
	var got [][]string
	for _, p := range []*compat.Profile{unknown, all, known} {
		for _, v := range judged(t, `{"ui": {"permissions": {"camera": {}, "microphone": {}}}}`, p) {
			got = append(got, says(v))
		}
	}
	assert.Equal(t, [][]string{{"permissions unknown", "permissionsDenied degraded"}, {"permissionsDenied degraded", "permissionsDenied degraded"}, {}}, got)
}

// TestHostsOfDocument judges a document by itself, and its report as JSON is read back as
// it was.
func TestHostsOfDocument(t *testing.T) {
	o := hostOptions(poor(), generous())
	o.URI = "view.html"
	r, err := Document(scripted("app.downloadFile(f)"), o)
	require.NoError(t, err)
	require.Len(t, r.Hosts, 2)
	assert.Equal(t, []string{"downloadFile degraded 3:13"}, says(r.Hosts[0].Apps[0]))
	raw, err := json.Marshal(r.Hosts)
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"id": "poor", "name": "Poor", "apps": [{"uri": "view.html", "verdict": "degraded", "reasons": [{
			"fact": "downloadFile", "verdict": "degraded", "app": "calls downloadFile", "line": 3, "column": 13, "host": "does not have it",
			"source": {"kind": "probe", "by": "tester", "date": "2026-08-19", "ref": "example #1"}}]}]},
		{"id": "generous", "name": "Generous", "apps": [{"uri": "view.html", "verdict": "works"}]}
	]`, string(raw))
	var back []HostReport
	require.NoError(t, json.Unmarshal(raw, &back))
	assert.Equal(t, r.Hosts, back)
	assert.Error(t, json.Unmarshal([]byte(`"fine"`), new(Verdict)))
	r, err = Document(scripted("app.downloadFile(f)"), nil)
	require.NoError(t, err)
	assert.Nil(t, r.Hosts, "no host is named")
}

// TestHostsText shows how a report on hosts reads.
func TestHostsText(t *testing.T) {
	none := generous()
	none.ID, none.Name, none.ShowsApps = "none", "No Apps\x1b[31m", fact(false)
	needy := poor()
	needy.OpenLink = fact(compat.No)
	needy.OpenLink.Claims[0].Note = "it says so"
	needy.Domain.Claims = append(needy.Domain.Claims, compat.Claim[compat.DomainFormat]{Note: "not said", Source: testSource})
	patch := `{"document": "<!doctype html><p>Hello<script>app.openLink({ url }); app.openLink({ url }); app.downloadFile(f)</script>", "ui": {"domain": "https://app.example.com"}}`
	r := checkFake(t, hostOptions(generous(), needy, none), false, newFake(t, patch))
	r.Findings = nil
	var b strings.Builder
	require.NoError(t, r.WriteText(&b))
	assert.Equal(t, []string{"", "it says so", ""}, []string{r.Hosts[1].Apps[0].Reasons[0].Note, r.Hosts[1].Apps[0].Reasons[1].Note, r.Hosts[1].Apps[0].Reasons[2].Note})
	assert.Equal(t, `host generous, Generous: 1 works
    works: tool "show", ui://example/view.html
host poor, Poor: 1 blocked
    blocked: tool "show", ui://example/view.html
        domain: the app declares the domain "https://app.example.com"; the host takes domains of the format "claude" only (probe 2026-08-19, example #1); but the host fits no answer: not said (probe 2026-08-19, example #1)
        openLink: the app calls openLink (2 times) at 1:36; the host does not have it (probe 2026-08-19, example #1): it says so
        downloadFile: the app calls downloadFile at 1:82; the host does not have it (probe 2026-08-19, example #1)
host none, No Apps\x1b[31m: 1 blocked
    blocked: tool "show", ui://example/view.html
        showsApps: the app needs a host that shows apps; the host shows no apps, only the text of results (probe 2026-08-19, example #1)
0 errors, 0 warnings, 0 notes in 1 tool and 1 app of example 1 (MCP 2025-11-25, 2026-07-28)
`, b.String())
	b.Reset()
	require.NoError(t, r.WriteColorText(&b))
	assert.Contains(t, b.String(), "\x1b[1;31mblocked\x1b[0m")
}

// TestHostsMany shows that a server with many apps is judged for the first of them, and
// that the report says so.
func TestHostsMany(t *testing.T) {
	tools := map[string]any{"show": nil}
	for i := range maxJudged + 50 {
		uri := fmt.Sprintf("ui://example/%03d", i)
		tools[uri] = map[string]any{"name": uri, "inputSchema": map[string]any{"type": "object"}, "_meta": map[string]any{"ui": map[string]any{"resourceUri": uri}}}
	}
	raw, err := json.Marshal(map[string]any{"tools": tools})
	require.NoError(t, err)
	r := checkFake(t, hostOptions(generous()), false, newFake(t, string(raw)))
	require.Len(t, r.Hosts[0].Apps, maxJudged)
	assert.Equal(t, VerdictUnknown, r.Hosts[0].Apps[0].Verdict, "its document could not be read")
	assert.Contains(t, r.Unchecked, Unchecked{Part: "hosts", Reason: "of 250 apps, the first 200 are judged for hosts"})
}

// TestHostsOfHostileScript shows that a script of 1 MB that asks the host for everything,
// again and again, has one reason for each fact.
func TestHostsOfHostileScript(t *testing.T) {
	const asks = `a.openLink({url});b.sendMessage({content});c.updateModelContext(x);d.downloadFile(x);e.requestTeardown();` +
		`f.callServerTool({name:n});g.readServerResource(x);h.listServerResources();i.registerTool(x);j.requestDisplayMode({mode:"pip"});j.requestDisplayMode({mode:m()});` +
		`k({method:"ui/message"});` + "\n"
	doc := scripted(strings.Repeat(asks, 1<<20/len(asks)))
	r, err := Document(doc, hostOptions(poor(), &compat.Profile{ID: "unknown", Name: "Unknown"}))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"appTools degraded 3:191", "displayModes degraded 3:209", "displayModes degraded 3:244", "documentLimit blocked", "downloadFile degraded 3:78",
		"message degraded 3:29", "openLink degraded 3:11", "requestTeardown degraded 3:96", "serverResources degraded 3:143", "serverResources degraded 3:167",
		"serverTools degraded 3:116", "updateModelContext degraded 3:54",
	}, says(r.Hosts[0].Apps[0]), "%v", r.Hosts[0].Apps[0].Reasons)
	for _, v := range []AppVerdict{r.Hosts[0].Apps[0], r.Hosts[1].Apps[0]} {
		assert.Less(t, len(v.Reasons), 20)
	}
}
