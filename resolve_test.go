package mcpapps

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func metaOf(t testing.TB, raw string) mcp.Meta {
	t.Helper()
	var m mcp.Meta
	require.NoError(t, json.Unmarshal([]byte(raw), &m), raw)
	return m
}

// The URIs and the errors are those of the reference's getToolUiResourceUri,
// which reads the flat key only where the nested one is undefined and throws on
// anything that is not a ui:// string, null included. Where this package
// differs, the case says so.
func TestToolUI(t *testing.T) {
	both, none := "model app", ""
	for _, c := range []struct{ name, meta, uri, visible, err string }{
		{"no _meta", `{}`, "", both, ""},
		{"ui null", `{"ui":null}`, "", both, ""},
		{"ui null and flat", `{"ui":null,"ui/resourceUri":"ui://f"}`, "ui://f", both, ""},
		{"nested", `{"ui":{"resourceUri":"ui://n/x.html"}}`, "ui://n/x.html", both, ""},
		{"flat", `{"ui/resourceUri":"ui://f"}`, "ui://f", both, ""},
		{"flat with an object without URI", `{"ui":{"visibility":["app"]},"ui/resourceUri":"ui://f"}`, "ui://f", "app", ""},
		{"nested wins", `{"ui":{"resourceUri":"ui://n"},"ui/resourceUri":"ui://f"}`, "ui://n", both, ""},
		{"nested wins over a bad flat one", `{"ui":{"resourceUri":"ui://n"},"ui/resourceUri":7}`, "ui://n", both, ""},
		{"a nested null is present", `{"ui":{"resourceUri":null},"ui/resourceUri":"ui://f"}`, "", both, "ui.resourceUri must be a string, not null"},
		{"a nested empty string is present", `{"ui":{"resourceUri":""},"ui/resourceUri":"ui://f"}`, "", both, `ui.resourceUri "" does not begin with "ui://"`},
		{"flat null", `{"ui/resourceUri":null}`, "", both, `"ui/resourceUri" must be a string, not null`},
		{"flat number", `{"ui/resourceUri":7}`, "", both, `"ui/resourceUri" must be a string, not 7`},
		{"https", `{"ui":{"resourceUri":"https://evil.example"}}`, "", both, "does not begin with"},
		{"upper-case scheme", `{"ui":{"resourceUri":"UI://a"}}`, "", both, "does not begin with"},
		{"nothing after the scheme", `{"ui":{"resourceUri":"ui://"}}`, "", both, "has nothing"}, // the reference takes it
		{"space", `{"ui":{"resourceUri":"ui://a b"}}`, "", both, "at byte 6"},                   // the reference takes it
		{"template", `{"ui":{"resourceUri":"ui://a/{x}"}}`, "", both, "is a template"},          // the reference takes it
		{"bad URI, app-only", `{"ui":{"resourceUri":"x","visibility":["app"]}}`, "", "app", "does not begin with"},

		{"visibility null", `{"ui":{"visibility":null}}`, "", both, ""},
		{"model", `{"ui":{"visibility":["model"]}}`, "", "model", ""},
		{"app", `{"ui":{"visibility":["app"]}}`, "", "app", ""},
		{"both, reversed", `{"ui":{"visibility":["app","model"]}}`, "", both, ""},
		{"repeated", `{"ui":{"visibility":["app","app"]}}`, "", "app", ""},
		{"nobody", `{"ui":{"visibility":[]}}`, "", none, ""},
		{"unknown word", `{"ui":{"visibility":["admin"]}}`, "", none, ""},
		{"unknown word and a known one", `{"ui":{"visibility":["admin","app"]}}`, "", "app", ""},
		{"case counts", `{"ui":{"visibility":["Model","APP"]}}`, "", none, ""},
		{"visibility a string", `{"ui":{"visibility":"app"}}`, "", none, `ui.visibility must be an array of strings, not "app"`},
		{"visibility an object", `{"ui":{"visibility":{"app":true}}}`, "", none, "ui.visibility must be"},
		{"visibility with a number", `{"ui":{"visibility":["model",1]}}`, "", none, "its entry 1 is 1"},
		{"visibility with null", `{"ui":{"visibility":["model",null]}}`, "", none, "its entry 1 is null"},
		{"bad visibility, good URI", `{"ui":{"resourceUri":"ui://a","visibility":true}}`, "ui://a", none, "ui.visibility must be"},
		{"ui a string", `{"ui":"ui://a","ui/resourceUri":"ui://f"}`, "", none, `ui must be an object, not "ui://a"`}, // the reference reads the flat key
		{"ui an array", `{"ui":[]}`, "", none, "ui must be an object"},

		{"dotted key", `{"ui.resourceUri":"ui://x"}`, "", both, ""},
		{"a flat visibility is unknown", `{"ui/resourceUri":"ui://x","ui/visibility":["app"]}`, "ui://x", both, ""},
		{"another shape", `{"ui":{"app":"n8n-mcp://ui/1"}}`, "", both, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := &mcp.Tool{Name: "t", Meta: metaOf(t, c.meta)}
			m, err := ToolUI(tool)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, `tool "t": _meta`)
			}
			assert.Equal(t, c.uri, m.ResourceURI)
			visible := ""
			if VisibleTo(tool, VisibilityModel) {
				visible = "model"
			}
			if VisibleTo(tool, VisibilityApp) {
				if visible != "" {
					visible += " "
				}
				visible += "app"
			}
			assert.Equal(t, c.visible, visible)
			assert.Equal(t, includes(m.Visibility, VisibilityModel), VisibleTo(tool, VisibilityModel), "ToolUI and VisibleTo agree")
			assert.Equal(t, includes(m.Visibility, VisibilityApp), VisibleTo(tool, VisibilityApp), "ToolUI and VisibleTo agree")
		})
	}
}

func TestToolMetadataDropsWhatHasNoPlaceOnATool(t *testing.T) {
	m, err := ToolUI(&mcp.Tool{Meta: metaOf(t, `{"ui":{"resourceUri":"ui://x","csp":{"connectDomains":["https://a"]},"permissions":{"camera":{}},"domain":"d","prefersBorder":true,"later":{"n":[1]}}}`)})
	require.NoError(t, err)
	assert.Equal(t, ToolUIMetadata{ResourceURI: "ui://x", Extra: map[string]any{"later": map[string]any{"n": []any{1.0}}}}, m)
}

func TestNilTools(t *testing.T) {
	_, err := ToolUI(nil)
	require.Error(t, err)
	assert.False(t, VisibleTo(nil, VisibilityApp))
	assert.False(t, VisibleTo(nil, VisibilityModel))
}

// In-process middleware may set typed values where the wire has generic ones. They
// mean what a client would read.
func TestTypedMetadata(t *testing.T) {
	for name, ui := range map[string]any{
		"struct":         ToolUIMetadata{ResourceURI: "ui://x", Visibility: []Visibility{VisibilityApp}},
		"pointer":        &ToolUIMetadata{ResourceURI: "ui://x", Visibility: []Visibility{VisibilityApp}},
		"named map":      mcp.Meta{"resourceUri": "ui://x", "visibility": []string{"app"}},
		"typed words":    map[string]any{"resourceUri": "ui://x", "visibility": []Visibility{"app"}},
		"raw":            json.RawMessage(`{"resourceUri":"ui://x","visibility":["app"]}`),
		"raw visibility": map[string]any{"resourceUri": "ui://x", "visibility": json.RawMessage(`["app"]`)},
	} {
		t.Run(name, func(t *testing.T) {
			tool := &mcp.Tool{Meta: mcp.Meta{"ui": ui}}
			m, err := ToolUI(tool)
			require.NoError(t, err)
			assert.Equal(t, AppOnly("ui://x"), m)
			assert.True(t, VisibleTo(tool, VisibilityApp))
			assert.False(t, VisibleTo(tool, VisibilityModel))
		})
	}
	for name, ui := range map[string]any{
		"nil map": map[string]any(nil), "nil pointer": (*ToolUIMetadata)(nil), "raw null": json.RawMessage("null"),
	} {
		t.Run(name, func(t *testing.T) {
			m, err := ToolUI(&mcp.Tool{Meta: mcp.Meta{"ui": ui}})
			require.NoError(t, err)
			assert.Equal(t, ToolUIMetadata{}, m)
			r, err := ResourceUI(mcp.Meta{"ui": map[string]any{"domain": "d"}}, mcp.Meta{"ui": ui})
			require.NoError(t, err)
			assert.Equal(t, "d", r.Domain, "null falls through")
		})
	}
	for name, v := range map[string]any{
		"raw list with null": json.RawMessage(`["model",null]`), "unencodable": func() {}, "mixed": []any{"model", 1},
	} {
		t.Run(name, func(t *testing.T) {
			tool := &mcp.Tool{Meta: mcp.Meta{"ui": map[string]any{"visibility": v}}}
			_, err := ToolUI(tool)
			require.Error(t, err)
			assert.False(t, VisibleTo(tool, VisibilityApp))
			assert.False(t, VisibleTo(tool, VisibilityModel))
		})
	}
}

func TestResourceUI(t *testing.T) {
	csp := func(domains ...string) *CSP { return &CSP{ConnectDomains: domains} }
	yes, no := true, false
	for _, c := range []struct {
		name, listed, content string
		want                  ResourceUIMetadata
		err                   string
	}{
		{"nothing", `{}`, `{}`, ResourceUIMetadata{}, ""},
		{"content item only", `{}`, `{"ui":{"csp":{"connectDomains":["https://api.x"]}}}`, ResourceUIMetadata{CSP: csp("https://api.x")}, ""},
		{"list entry only", `{"ui":{"csp":{"connectDomains":["https://a"]}}}`, `{}`, ResourceUIMetadata{CSP: csp("https://a")}, ""},
		{"null falls through", `{"ui":{"domain":"d"}}`, `{"ui":null}`, ResourceUIMetadata{Domain: "d"}, ""},
		{"empty csp wins over a wider one", `{"ui":{"csp":{"connectDomains":["https://a"]}}}`, `{"ui":{"csp":{}}}`, ResourceUIMetadata{CSP: &CSP{}}, ""},
		{"empty object wins", `{"ui":{"csp":{"connectDomains":["https://a"]}}}`, `{"ui":{}}`, ResourceUIMetadata{}, ""},
		{"whole, not field by field", `{"ui":{"csp":{"connectDomains":["https://a"]}}}`, `{"ui":{"prefersBorder":true}}`, ResourceUIMetadata{PrefersBorder: &yes}, ""},
		{"false survives", `{}`, `{"ui":{"prefersBorder":false}}`, ResourceUIMetadata{PrefersBorder: &no}, ""},
		{"a bad object does not fall through", `{"ui":{"csp":{"connectDomains":["https://a"]}}}`, `{"ui":"x"}`, ResourceUIMetadata{}, `ui must be an object, not "x"`},
		{"csp outside of ui is ignored", `{}`, `{"csp":{"connectDomains":["https://a"]}}`, ResourceUIMetadata{}, ""},
		{"csp a string", `{}`, `{"ui":{"csp":"default-src 'self'","domain":"d"}}`, ResourceUIMetadata{Domain: "d"}, "ui.csp must be an object"},
		{"csp an array", `{}`, `{"ui":{"csp":[]}}`, ResourceUIMetadata{}, "ui.csp must be an object"},
		{"csp null", `{}`, `{"ui":{"csp":null}}`, ResourceUIMetadata{}, ""},
		{"domains a string", `{}`, `{"ui":{"csp":{"frameDomains":["https://f"],"connectDomains":"https://a"}}}`, ResourceUIMetadata{}, "ui.csp.connectDomains must be an array of strings"},
		{"a number among domains", `{}`, `{"ui":{"csp":{"connectDomains":["https://a",1]}}}`, ResourceUIMetadata{}, "its entry 1 is 1"},
		{"a null list is an absent one", `{}`, `{"ui":{"csp":{"connectDomains":null,"frameDomains":[]}}}`, ResourceUIMetadata{CSP: &CSP{FrameDomains: []string{}}}, ""},
		{"permissions", `{}`, `{"ui":{"permissions":{"camera":{},"microphone":true,"geolocation":false,"clipboardWrite":null}}}`, ResourceUIMetadata{Permissions: &Permissions{Camera: true, Microphone: true}}, ""},
		{"permission settings", `{}`, `{"ui":{"permissions":{"camera":{"x":1}}}}`, ResourceUIMetadata{Permissions: &Permissions{Camera: true}}, ""},
		{"permissions of other types", `{}`, `{"ui":{"permissions":{"camera":1,"microphone":"yes","geolocation":[],"clipboardWrite":[{}]}}}`, ResourceUIMetadata{Permissions: &Permissions{}},
			`_meta: ui.permissions.camera must be {}, not 1
permissions.microphone must be {}, not "yes"
permissions.geolocation must be {}, not []
permissions.clipboardWrite must be {}, not [{}]`},
		{"one permission of another type", `{}`, `{"ui":{"permissions":{"camera":1,"microphone":{}},"domain":"d"}}`, ResourceUIMetadata{Permissions: &Permissions{Microphone: true}, Domain: "d"}, "ui.permissions.camera must be {}, not 1"},
		{"unknown permission", `{}`, `{"ui":{"permissions":{"midi":{}}}}`, ResourceUIMetadata{Permissions: &Permissions{Extra: map[string]any{"midi": map[string]any{}}}}, ""},
		{"permissions as a list", `{}`, `{"ui":{"permissions":["camera"],"domain":"d"}}`, ResourceUIMetadata{Domain: "d"}, "ui.permissions must be an object"},
		{"domain a number", `{}`, `{"ui":{"domain":7}}`, ResourceUIMetadata{}, "ui.domain must be a string"},
		{"border a string", `{}`, `{"ui":{"prefersBorder":"true"}}`, ResourceUIMetadata{}, "ui.prefersBorder must be true or false"},
		{"keys of a tool are dropped", `{}`, `{"ui":{"resourceUri":"ui://x","visibility":["app"],"later":1}}`, ResourceUIMetadata{Extra: map[string]any{"later": 1.0}}, ""},
		{"snake case is unknown", `{}`, `{"ui":{"csp":{"connect_domains":["https://a"]}}}`, ResourceUIMetadata{CSP: &CSP{Extra: map[string]any{"connect_domains": []any{"https://a"}}}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ResourceUI(metaOf(t, c.listed), metaOf(t, c.content))
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
			assert.Equal(t, c.want, m)
		})
	}
	m, err := ResourceUI(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, ResourceUIMetadata{}, m)
}

// A decoded declaration shares no memory with the metadata.
func TestDecodedMetadataIsACopy(t *testing.T) {
	meta := metaOf(t, `{"ui":{"resourceUri":"ui://x","visibility":["app"],"later":{"a":[1]}}}`)
	m, err := ToolUI(&mcp.Tool{Meta: meta})
	require.NoError(t, err)
	m.Extra["later"].(map[string]any)["a"].([]any)[0] = "changed"
	m.Visibility[0] = VisibilityModel
	assert.Equal(t, metaOf(t, `{"ui":{"resourceUri":"ui://x","visibility":["app"],"later":{"a":[1]}}}`), meta)
}

func TestUnknownKeysKeepTheirNumbers(t *testing.T) {
	for _, n := range []string{`12345678901234567890`, `9007199254740993`, `-9007199254740993`, `1e999`, `9007199254740992`, `1.5`, `-7`} {
		raw := `{"later":{"k":[` + n + `]}}`
		for _, v := range []any{new(ToolUIMetadata), new(ResourceUIMetadata), new(CSP), new(Permissions)} {
			require.NoError(t, json.Unmarshal([]byte(raw), v), "%T", v)
			again, err := json.Marshal(v)
			require.NoError(t, err)
			assert.Equal(t, raw, string(again), "%T", v)
		}
	}
	var m ToolUIMetadata
	require.NoError(t, json.Unmarshal([]byte(`{"visibility":["app"],"later":1e999}`), &m), "one number does not cost the rest")
	assert.Equal(t, []Visibility{VisibilityApp}, m.Visibility)
	require.NoError(t, m.UnmarshalJSON([]byte(`{"later":1} `)))
	assert.Equal(t, map[string]any{"later": 1.0}, m.Extra, "others are float64, as ever")
	assert.Error(t, m.UnmarshalJSON([]byte(`{} {}`)))
	assert.Equal(t, []Visibility{}, m.Visibility, "open to nobody")
}

// A server chooses the length of its declarations, and messages about them go to
// logs.
func TestMessagesAboutLongValues(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, uri := range []string{long, "ui://" + long + " ", "ui://" + long + "{", "ui://" + long + "#", "ui://[" + long, "ui://a:" + long} {
		_, err := ToolUI(&mcp.Tool{Name: "t", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": uri}}})
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 1000)
	}
	csp := &CSP{ConnectDomains: []string{long, "https://" + long, "https://a:" + long, "https://a/" + long}}
	require.Len(t, csp.Dropped(), 4)
	for _, err := range csp.Dropped() {
		assert.Less(t, len(err.Error()), 1000)
	}
}

// FuzzToolUI compares the decoder with a second implementation of the rules, and
// with its own encoding.
func FuzzToolUI(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		var meta mcp.Meta
		if json.Unmarshal(data, &meta) != nil {
			return
		}
		tool := &mcp.Tool{Meta: meta}
		m, err := ToolUI(tool)
		for _, who := range []Visibility{VisibilityModel, VisibilityApp} {
			want := visibleByTheRule(meta["ui"], string(who))
			if got := includes(m.Visibility, who); got != want {
				t.Errorf("ToolUI opens it to %q: %v, by the rule %v", who, got, want)
			}
			if got := VisibleTo(tool, who); got != want {
				t.Errorf("open to %q: %v, by the rule %v", who, got, want)
			}
		}
		if m.ResourceURI != "" && appuri.Validate(m.ResourceURI) != nil {
			t.Errorf("%q is not valid", m.ResourceURI)
		}
		if ui, ok := meta["ui"].(map[string]any); ok {
			if nested, ok := ui["resourceUri"].(string); ok && m.ResourceURI != "" && m.ResourceURI != nested {
				t.Errorf("URI %q in spite of %q", m.ResourceURI, nested)
			}
			extraSurvives(t, ui, m.Extra, "resourceUri", "visibility", "csp", "permissions", "domain", "prefersBorder")
		}
		fixedPoint(t, m)
		if err == nil && meta["ui"] != nil {
			// Through the standard decoder, as for metadata from configuration.
			var again ToolUIMetadata
			raw, _ := json.Marshal(meta["ui"])
			if e := json.Unmarshal(raw, &again); e != nil {
				t.Errorf("UnmarshalJSON: %v", e)
			}
		}
	})
}

// visibleByTheRule is the specification's rule for visibility, on decoded JSON.
func visibleByTheRule(ui any, who string) bool {
	if ui == nil {
		return true
	}
	obj, ok := ui.(map[string]any)
	if !ok {
		return false
	}
	v, ok := obj["visibility"]
	if !ok || v == nil {
		return true
	}
	words, ok := v.([]any)
	if !ok {
		return false
	}
	open := false
	for _, w := range words {
		s, ok := w.(string)
		if !ok {
			return false
		}
		open = open || s == who
	}
	return open
}

func extraSurvives(t *testing.T, obj, extra map[string]any, known ...string) {
	t.Helper()
	for k, v := range obj {
		if got, ok := extra[k]; ok == slices.Contains(known, k) || ok && !reflect.DeepEqual(got, v) {
			t.Errorf("key %q: Extra has %v (%v), the object %v", k, got, ok, v)
		}
	}
	for k := range extra {
		if _, ok := obj[k]; !ok {
			t.Errorf("Extra has %q from nowhere", k)
		}
	}
}

// fixedPoint checks that encoding and decoding a value returns an equal value.
func fixedPoint[T any](t *testing.T, m T) {
	t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatalf("encoding %+v: %v", m, err)
	}
	var again T
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatalf("decoding %s: %v", raw, err)
	}
	if !reflect.DeepEqual(m, again) {
		t.Fatalf("%+v became %+v by way of %s", m, again, raw)
	}
}

func FuzzResourceUI(f *testing.F) {
	f.Fuzz(func(t *testing.T, listed, content []byte) {
		var l, c mcp.Meta
		if json.Unmarshal(listed, &l) != nil || json.Unmarshal(content, &c) != nil {
			return
		}
		m, err := ResourceUI(l, c)
		ui := c["ui"]
		if ui == nil {
			ui = l["ui"]
		}
		fixedPoint(t, m)
		obj, _ := ui.(map[string]any)
		if obj == nil {
			if (err == nil) != (ui == nil) || !reflect.DeepEqual(m, ResourceUIMetadata{}) {
				t.Errorf("%v gave %+v, %v", ui, m, err)
			}
			return
		}
		extraSurvives(t, obj, m.Extra, "resourceUri", "visibility", "csp", "permissions", "domain", "prefersBorder")
		perms, _ := obj["permissions"].(map[string]any)
		if (m.Permissions == nil) != (perms == nil) {
			t.Errorf("permissions %v gave %+v", obj["permissions"], m.Permissions)
		} else if perms != nil {
			for key, got := range map[string]bool{"camera": m.Permissions.Camera, "microphone": m.Permissions.Microphone, "geolocation": m.Permissions.Geolocation, "clipboardWrite": m.Permissions.ClipboardWrite} {
				_, object := perms[key].(map[string]any)
				if want := object || perms[key] == true; got != want {
					t.Errorf("permission %s: %v, by the rule %v", key, got, want)
				}
			}
			extraSurvives(t, perms, m.Permissions.Extra, "camera", "microphone", "geolocation", "clipboardWrite")
		}
		csp, _ := obj["csp"].(map[string]any)
		if m.CSP != nil {
			if csp == nil {
				t.Errorf("csp %v gave %+v", obj["csp"], m.CSP)
			}
			extraSurvives(t, csp, m.CSP.Extra, "connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
			for key, got := range map[string][]string{"connectDomains": m.CSP.ConnectDomains, "resourceDomains": m.CSP.ResourceDomains, "frameDomains": m.CSP.FrameDomains, "baseUriDomains": m.CSP.BaseURIDomains} {
				want, _ := csp[key].([]any)
				if len(want) != len(got) || (want == nil) != (got == nil) {
					t.Errorf("%s: %v from %v", key, got, csp[key])
					continue
				}
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("%s[%d]: %q from %v", key, i, got[i], want[i])
					}
				}
			}
		} else if csp != nil && err == nil {
			t.Errorf("csp %v was left out without a word", csp)
		}
		checkPolicy(t, m.CSP)
	})
}
