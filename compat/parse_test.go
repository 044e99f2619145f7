package compat

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProfileFiles holds each file to what the form alone does not say.
func TestProfileFiles(t *testing.T) {
	list, err := readProfiles(files)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	names := make(map[string]string)
	platforms := make(map[string]int)
	for _, p := range list {
		assert.Empty(t, names[p.Name], "%s: the name is taken", p.ID)
		names[p.Name] = p.ID
		platforms[p.Host]++
		_, known := p.ShowsApps.Value()
		assert.True(t, known, "%s: says whether the host shows apps", p.ID)
		for _, row := range p.Rows() {
			for _, c := range row.Claims {
				where := p.ID + ": " + row.Key
				assert.NotEmpty(t, c.Source.Kind, where)
				assert.NotEmpty(t, c.Source.By+c.Source.Ref, where)
				date, err := time.Parse(time.DateOnly, c.Source.Date)
				require.NoError(t, err, where)
				assert.False(t, date.After(time.Now().AddDate(0, 0, 1)), "%s: the date is in the future", where)
			}
		}
	}
	for _, p := range list {
		assert.True(t, p.Host == p.ID || platforms[p.Host] > 1, "%s: no other profile has the host %q", p.ID, p.Host)
	}
}

const good = `{
  "name": "Example (web)",
  "host": "example",
  "version": "3",
  "source": {"kind": "probe", "by": "somebody", "date": "2026-08-19", "ref": "a list"},
  "notes": ["A sentence."],
  "facts": {
    "showsApps": true,
    "displayModes": ["inline", "pip"],
    "size": {"width": 720, "maxHeight": 5000},
    "permissions": [],
    "openLink": {"value": "no", "when": "local servers", "note": "why", "kind": "report", "date": "2026-09-01", "ref": "o/r #1"},
    "message": {"value": "yes", "note": "with the file's source"},
    "frameDomains": {"claims": [
      {"value": "no"},
      {"value": "yes", "kind": "documentation", "by": "the vendor", "date": "2026-02-28"},
      {"value": null, "note": "some words", "kind": "documentation", "by": "the vendor", "date": "2026-02-28"}
    ]}
  }
}`

func ptr[T any](v T) *T { return &v }

func TestParse(t *testing.T) {
	p, err := parse("example-web", []byte(good))
	require.NoError(t, err)
	list := Source{Probe, "somebody", "2026-08-19", "a list"}
	assert.Equal(t, &Profile{
		ID: "example-web", Name: "Example (web)", Host: "example", Version: "3", Source: list, Notes: []string{"A sentence."},
		ShowsApps:    Fact[bool]{[]Claim[bool]{{Value: ptr(true), Source: list}}},
		DisplayModes: Fact[[]string]{[]Claim[[]string]{{Value: &[]string{"inline", "pip"}, Source: list}}},
		Size:         Fact[Size]{[]Claim[Size]{{Value: &Size{Width: 720, MaxHeight: 5000}, Source: list}}},
		Permissions:  Fact[[]string]{[]Claim[[]string]{{Value: &[]string{}, Source: list}}},
		OpenLink:     Fact[Support]{[]Claim[Support]{{ptr(No), "local servers", "why", Source{Kind: Report, Date: "2026-09-01", Ref: "o/r #1"}}}},
		Message:      Fact[Support]{[]Claim[Support]{{ptr(Yes), "", "with the file's source", list}}},
		FrameDomains: Fact[Support]{[]Claim[Support]{
			{Value: ptr(No), Source: list},
			{Value: ptr(Yes), Source: Source{Kind: Documentation, By: "the vendor", Date: "2026-02-28"}},
			{Note: "some words", Source: Source{Kind: Documentation, By: "the vendor", Date: "2026-02-28"}},
		}},
	}, p)
}

// TestParseErrors changes one place of a good file. Each error names the place, what
// stands there, and what may.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"name": "Example (web)",`, ``, `the name is missing`},
		{`"version"`, `"versions"`, `unknown field "versions"`},
		{`"host": "example"`, `"host": "Example"`, `"Example" is not an ID`},
		{"  \"source\": {\"kind\": \"probe\", \"by\": \"somebody\", \"date\": \"2026-08-19\", \"ref\": \"a list\"},\n", ``, `the source is missing`},
		{`{"kind": "probe", "by": "somebody", `, `{"by": "somebody", `, `source: the kind is missing; write one of "probe", "documentation", "report"`},
		{`"kind": "probe"`, `"kind": "guess"`, `source: kind "guess" is not one of "probe", "documentation", "report"`},
		{`"by": "somebody", "date": "2026-08-19", "ref": "a list"`, `"date": "2026-08-19"`, `source: by and ref are missing`},
		{`"date": "2026-08-19"`, `"date": "August"`, `source: date "August" is not of the form 2006-01-02`},
		{`"showsApps": true`, `"showsApp": true`, `facts.showsApp: the key is unknown; write showsApps`},
		{`"showsApps": true`, `"colour": true`, `facts.colour: the key is unknown; write one of clientNames, showsApps, `},
		{`"showsApps": true`, `"showsApps": "true"`, `facts.showsApps: "true" is not true or false`},
		{`"showsApps": true`, `"showsApps": null`, `facts.showsApps: the value is null; leave the fact out`},
		{`"showsApps": true`, `"showsApps": true, "showsApps": false`, `the key "showsApps" stands twice`},
		{`["inline", "pip"]`, `["inline", "full"]`, `facts.displayModes: ["inline", "full"]: "full" is not one of "inline", "fullscreen", "pip"`},
		{`["inline", "pip"]`, `["inline", "inline"]`, `"inline" stands twice`},
		{`["inline", "pip"]`, `[]`, `facts.displayModes: []: the list is empty`},
		{`["inline", "pip"]`, `"inline"`, `facts.displayModes: "inline" is not a list of strings`},
		{`{"width": 720, "maxHeight": 5000}`, `{"width": 720, "height": -1}`, `facts.size: {"width": 720, "height": -1}: a size has`},
		{`{"width": 720, "maxHeight": 5000}`, `{"wide": 720}`, `facts.size: {"wide": 720} is not an object with width, maxWidth, height or maxHeight`},
		{`"permissions": []`, `"permissions": ["clipboard-write"]`, `"clipboard-write" is not one of "camera", "microphone", "geolocation", "clipboardWrite"`},
		{`"permissions": []`, `"permissionsDenied": ["clipboard-write"]`, `"clipboard-write" is not one of "camera", "microphone"`},
		{`"permissions": []`, `"permissionsDenied": []`, `facts.permissionsDenied: []: the list is empty`},
		{`"permissions": []`, `"protocolVersions": ["v1"]`, `facts.protocolVersions: ["v1"]: "v1" is not a protocol version`},
		{`"permissions": []`, `"platform": "phone"`, `facts.platform: "phone": "phone" is not one of "web", "desktop", "mobile"`},
		{`"permissions": []`, `"resultLimit": 0`, `facts.resultLimit: 0: the number must be positive`},
		{`"permissions": []`, `"resultLimit": 1.5`, `facts.resultLimit: 1.5 is not a whole number`},
		{`"permissions": []`, `"listsKept": ""`, `facts.listsKept: "": the string is empty`},
		{`"permissions": []`, `"result": "half"`, `facts.result: "half": "half" is not one of "whole", "without-meta", "content-only", "empty"`},
		{`"permissions": []`, `"reload": "half"`, `"half" is not one of "whole", "emptied", "no-result", "nothing"`},
		{`"permissions": []`, `"engine": "blink"`, `"blink" is not one of "chromium", "webkit", "gecko", "various"`},
		{`"permissions": []`, `"domain": "hash"`, `"hash" is not one of "ignored", "claude", "origin", "microsoft"`},
		{`"permissions": []`, `"modelReads": "text"`, `"text" is not one of "content", "structured-content", "both"`},
		{`{"value": "no", "when"`, `{"value": "never", "when"`, `facts.openLink: "never": "never" is not one of "yes", "no", "refused", "unadvertised", "restricted"`},
		{`{"value": "no", "when"`, `{"value": "no", "if"`, `facts.openLink: json: unknown field "if"`},
		{`"kind": "report", "date": "2026-09-01", `, `"date": "2026-09-01", `, `facts.openLink: the kind is missing`},
		{`"kind": "report", "date": "2026-09-01", `, `"kind": "report", `, `facts.openLink: date "" is not of the form`},
		{`"date": "2026-09-01", "ref": "o/r #1"`, `"date": "2026-09-01"`, `facts.openLink: by and ref are missing`},
		{`{"value": "yes", "note": "with the file's source"}`, `{"note": "some"}`, `facts.message: {"note": "some"} is not a string`}, // not a claim
		{`{"value": "yes", "kind": "documentation"`, `{"value": "maybe", "kind": "documentation"`, `facts.frameDomains: claims[1]: "maybe": "maybe" is not one of`},
		{`{"value": null, "note": "some words", `, `{"value": null, `, `facts.frameDomains: claims[2]: a claim whose value is null needs a note`},
		{`{"value": null, "note": "some words", `, `{"note": "some words", `, `facts.frameDomains: claims[2]: the value is missing`},
		{`{"claims": [`, `{"value": "no", "claims": [`, `facts.frameDomains: json: unknown field "value"`},
	} {
		require.Contains(t, good, c.old)
		changed := strings.Replace(good, c.old, c.new, 1)
		fsys := fstest.MapFS{"profiles/example-web.json": {Data: []byte(changed)}}
		_, err := readProfiles(fsys)
		if assert.Error(t, err, c.new) {
			assert.Contains(t, err.Error(), "profiles/example-web.json: ")
			assert.Contains(t, err.Error(), c.want)
		}
	}
	one := strings.Replace(good, `      {"value": "yes", "kind": "documentation", "by": "the vendor", "date": "2026-02-28"},
      {"value": null, "note": "some words", "kind": "documentation", "by": "the vendor", "date": "2026-02-28"}
`, "", 1)
	one = strings.Replace(one, `{"value": "no"},`, `{"value": "no"}`, 1)
	_, err := parse("example-web", []byte(one))
	assert.EqualError(t, err, "facts.frameDomains: claims has fewer than two claims; write one without the list")
	_, err = parse("Example", []byte(good))
	assert.ErrorContains(t, err, `"Example" is not an ID`)
	_, err = parse("example-web", []byte(good+"{}"))
	assert.EqualError(t, err, "text follows the JSON value")
	_, err = parse("example-web", nil)
	assert.Error(t, err)
}

// TestFilesAreChecked takes a source, a value and a key away from each fact of each file
// that there is: none of them goes unnoticed.
func TestFilesAreChecked(t *testing.T) {
	names, err := fs.Glob(files, "profiles/*.json")
	require.NoError(t, err)
	tried := 0
	for _, name := range names {
		id := strings.TrimSuffix(path.Base(name), ".json")
		fails := func(want string, change func(facts map[string]any, file map[string]any)) {
			t.Helper()
			data, err := files.ReadFile(name)
			require.NoError(t, err)
			var file map[string]any
			require.NoError(t, json.Unmarshal(data, &file))
			change(file["facts"].(map[string]any), file)
			data, err = json.Marshal(file)
			require.NoError(t, err)
			_, err = parse(id, data)
			assert.ErrorContains(t, err, want, name)
			tried++
		}
		fails("the source is missing", func(_, file map[string]any) { delete(file, "source") })
		p, ok := Lookup(id)
		require.True(t, ok)
		for _, row := range p.Rows() {
			if len(row.Claims) == 0 {
				continue
			}
			fails("facts."+row.Key+": [7] is not", func(facts, _ map[string]any) { facts[row.Key] = []int{7} })
			fails("facts.no"+row.Key+": the key is unknown", func(facts, _ map[string]any) { facts["no"+row.Key] = facts[row.Key] })
			for i, c := range row.Claims {
				if c.Source == p.Source {
					continue
				}
				fails("facts."+row.Key+": ", func(facts, _ map[string]any) {
					claim := facts[row.Key].(map[string]any)
					if list, ok := claim["claims"].([]any); ok {
						claim = list[i].(map[string]any)
					}
					delete(claim, "date")
				})
			}
		}
	}
	assert.Greater(t, tried, 500)
}

func TestRows(t *testing.T) {
	p, err := parse("example-web", []byte(good))
	require.NoError(t, err)
	rows := make(map[string]Row)
	for _, r := range p.Rows() {
		assert.NotEmpty(t, r.Key)
		assert.NotEmpty(t, r.Title)
		assert.NotContains(t, rows, r.Key)
		rows[r.Key] = r
	}
	assert.Len(t, rows, 41)
	assert.Equal(t, `true`, rows["showsApps"].Value)
	assert.Equal(t, `["inline","pip"]`, rows["displayModes"].Value)
	assert.Equal(t, `{"width":720,"maxHeight":5000}`, rows["size"].Value)
	assert.Equal(t, `[]`, rows["permissions"].Value)
	assert.Equal(t, Row{Key: "engine", Title: "browser engine"}, rows["engine"], "unknown")
	assert.Equal(t, `"no"`, rows["openLink"].Value)
	assert.Equal(t, "local servers", rows["openLink"].When)
	assert.Equal(t, []string{`"no"`, `"yes"`, ``}, []string{rows["frameDomains"].Claims[0].Value, rows["frameDomains"].Claims[1].Value, rows["frameDomains"].Claims[2].Value})
	conflicts := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(key string) bool { return !rows[key].Conflict() })
	assert.Equal(t, []string{"frameDomains"}, conflicts)
}

func TestConflict(t *testing.T) {
	for name, c := range map[string]struct {
		claims []RowClaim
		want   bool
	}{
		"unknown":                     {nil, false},
		"one":                         {[]RowClaim{{Value: "1"}}, false},
		"agree":                       {[]RowClaim{{Value: "1"}, {Value: "1"}}, false},
		"disagree":                    {[]RowClaim{{Value: "1"}, {Value: "2"}}, true},
		"a condition":                 {[]RowClaim{{Value: "1"}, {Value: "2", When: "a"}}, false},
		"two conditions":              {[]RowClaim{{Value: "1", When: "b"}, {Value: "2", When: "a"}}, false},
		"disagree under one":          {[]RowClaim{{Value: "1", When: "a"}, {Value: "2", When: "a"}}, true},
		"words that fit no value":     {[]RowClaim{{Value: "1"}, {Note: "words"}}, false},
		"words first, then disagree":  {[]RowClaim{{Note: "words"}, {Value: "1"}, {Value: "2"}}, true},
		"the first agrees with third": {[]RowClaim{{Value: "1"}, {Value: "2", When: "a"}, {Value: "1"}}, false},
	} {
		assert.Equal(t, c.want, Row{Claims: c.claims}.Conflict(), name)
	}
}

func TestFactValue(t *testing.T) {
	var unknown Fact[bool]
	v, known := unknown.Value()
	assert.Equal(t, []any{false, false, ""}, []any{v, known, unknown.When()})
	words := Fact[bool]{[]Claim[bool]{{Note: "words"}, {Value: ptr(true)}}}
	_, known = words.Value()
	assert.False(t, known, "the first claim decides")
	f := Fact[bool]{[]Claim[bool]{{Value: ptr(true), When: "local servers"}, {Value: ptr(false)}}}
	v, known = f.Value()
	assert.Equal(t, []any{true, true, "local servers"}, []any{v, known, f.When()})
}

func TestOld(t *testing.T) {
	s := Source{Date: "2026-07-23"}
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, day("2027-01-20"), s.OldFrom())
	assert.False(t, s.Old(day("2027-01-19").Add(23*time.Hour)), "180 days after the day")
	assert.True(t, s.Old(day("2027-01-20")), "181 days after it")
	assert.True(t, Source{}.Old(day("2026-07-23")), "without a date")
}

// TestPermissionNames shows that the names are those that a declaration has.
func TestPermissionNames(t *testing.T) {
	all := mcpapps.Permissions{Camera: true, Microphone: true, Geolocation: true, ClipboardWrite: true}
	data, err := json.Marshal(all)
	require.NoError(t, err)
	var keys map[string]any
	require.NoError(t, json.Unmarshal(data, &keys))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(keys)), words("permissions", "camera"))
}
