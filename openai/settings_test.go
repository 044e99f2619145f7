package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type order string

type prefs struct {
	Sort  order   `json:"sort" jsonschema:"how notes are listed"`
	Dark  bool    `json:"dark"`
	Limit int64   `json:"limit"`
	Zoom  float64 `json:"zoom"`
	Small uint8   `json:"small"`
}

func prefFields() map[string]*jsonschema.Schema {
	return map[string]*jsonschema.Schema{
		"sort":  {Title: "Sort by", Enum: []any{order("date"), "name"}},
		"dark":  {Title: "Dark", Description: "White on black"},
		"limit": {Title: "Limit", Minimum: jsonschema.Ptr(0.0)},
		"zoom":  {Title: "Zoom", Maximum: jsonschema.Ptr(4.0), MultipleOf: jsonschema.Ptr(0.1)},
		"small": {Title: "Small"},
	}
}

var defaultPrefs = prefs{Sort: "date", Zoom: 0.3}

// newPrefs returns settings that are kept in *now.
func newPrefs(now *prefs) openai.Settings[prefs] {
	return openai.Settings[prefs]{
		Fields: prefFields(),
		Groups: []openai.SettingsGroup{
			{Title: "List", Items: []openai.SettingsItem{{Field: "sort"}, {Tool: "notes.board", Description: "Opens the board"}}},
			{Title: "Later"},
		},
		Read: func(context.Context, *mcp.CallToolRequest) (prefs, error) { return *now, nil },
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (prefs, error) {
			next := *now
			if err := json.Unmarshal(set, &next); err != nil {
				return prefs{}, err
			}
			*now = next
			return next, nil
		},
	}
}

func newPlainServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
}

// connectNotes returns a client's session with a server.
func connectNotes(t *testing.T, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	require.NoError(t, err)
	t.Cleanup(func() { ss.Close() })
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), ct, nil)
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close() })
	return cs
}

// answerOf returns the JSON of a tool's answer, or its error.
func answerOf(t *testing.T, cs *mcp.ClientSession, tool, arguments string) (answer, toolError string) {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	res, err := cs.CallTool(t.Context(), params)
	require.NoError(t, err)
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		assert.Nil(t, res.StructuredContent)
		return "", text
	}
	data, err := json.Marshal(res.StructuredContent)
	require.NoError(t, err)
	assert.JSONEq(t, string(data), text)
	return text, ""
}

func TestSettingsTools(t *testing.T) {
	s, now := newPlainServer(), defaultPrefs
	openai.RegisterSettings(s, newPrefs(&now))
	list, err := connectNotes(t, s).ListTools(t.Context(), nil)
	require.NoError(t, err)
	data, err := json.Marshal(list.Tools)
	require.NoError(t, err)
	assert.JSONEq(t, `[{
		"name":"settings.read","title":"Read settings",
		"description":"Returns the settings of the user, with their schema and current values.",
		"annotations":{"readOnlyHint":true,"idempotentHint":true,"destructiveHint":false,"openWorldHint":false},
		"inputSchema":{"type":"object","additionalProperties":false},
		"outputSchema":{"type":"object","required":["schema","values"],"properties":{
			"schema":{"type":"object"},
			"values":{"type":"object","additionalProperties":false,"required":["dark","limit","small","sort","zoom"],"properties":{
				"sort":{"type":"string"},"dark":{"type":"boolean"},"limit":{"type":"integer"},"zoom":{"type":"number"},"small":{"type":"integer"}}},
			"layout":{"type":"array","items":{"type":"object"}}}}
	},{
		"name":"settings.update","title":"Change settings",
		"description":"Changes settings of the user. Those that are not given stay as they are. Returns all values.",
		"annotations":{"idempotentHint":true,"readOnlyHint":false,"destructiveHint":true,"openWorldHint":false},
		"inputSchema":{"type":"object","required":["set"],"additionalProperties":false,"properties":{"set":{
			"type":"object","minProperties":1,"additionalProperties":false,
			"description":"The settings to change, at least one, with their new values.",
			"properties":{
				"sort":{"type":"string","title":"Sort by","description":"how notes are listed","enum":["date","name"]},
				"dark":{"type":"boolean","title":"Dark","description":"White on black"},
				"limit":{"type":"integer","title":"Limit","minimum":0},
				"zoom":{"type":"number","title":"Zoom","maximum":4,"multipleOf":0.1},
				"small":{"type":"integer","title":"Small","minimum":0,"maximum":255}}}}},
		"outputSchema":{"type":"object","required":["values"],"properties":{
			"values":{"type":"object","additionalProperties":false,"required":["dark","limit","small","sort","zoom"],"properties":{
				"sort":{"type":"string"},"dark":{"type":"boolean"},"limit":{"type":"integer"},"zoom":{"type":"number"},"small":{"type":"integer"}}}}}
	}]`, string(data))
}

func TestSettingsRead(t *testing.T) {
	s, now := newPlainServer(), defaultPrefs
	openai.RegisterSettings(s, newPrefs(&now))
	cs := connectNotes(t, s)
	for _, arguments := range []string{`{}`, ``} {
		got, _ := answerOf(t, cs, "settings.read", arguments)
		// The order is that of the struct, in which ChatGPT shows the settings.
		assert.Equal(t, `{"schema":{"type":"object","properties":{`+
			`"sort":{"type":"string","title":"Sort by","description":"how notes are listed","enum":["date","name"]},`+
			`"dark":{"type":"boolean","title":"Dark","description":"White on black"},`+
			`"limit":{"type":"integer","title":"Limit","minimum":0},`+
			`"zoom":{"type":"number","title":"Zoom","multipleOf":0.1,"maximum":4},`+
			`"small":{"type":"integer","title":"Small","minimum":0,"maximum":255}},`+
			`"required":["sort","dark","limit","zoom","small"],"additionalProperties":false},`+
			`"values":{"sort":"date","dark":false,"limit":0,"zoom":0.3,"small":0},`+
			`"layout":[{"kind":"group","title":"List","items":[{"kind":"property","property":"sort"},`+
			`{"kind":"tool","tool":"notes.board","description":"Opens the board"}]},{"kind":"group","title":"Later","items":[]}]}`, got)
	}
	_, fault := answerOf(t, cs, "settings.read", `{"user":"bob"}`)
	assert.Equal(t, `the argument "user" is unknown: leave it out`, fault)
}

func TestSettingsUpdate(t *testing.T) {
	s, now := newPlainServer(), defaultPrefs
	set := newPrefs(&now)
	set.ReadTool, set.UpdateTool = "prefs.get", "prefs.set"
	var got string
	update := set.Update
	set.Update = func(ctx context.Context, req *mcp.CallToolRequest, changed json.RawMessage) (prefs, error) {
		got = string(changed)
		return update(ctx, req, changed)
	}
	openai.RegisterSettings(s, set)
	cs := connectNotes(t, s)
	for _, test := range []struct{ set, changed, values string }{
		{`{"dark":true}`, `{"dark":true}`, `{"sort":"date","dark":true,"limit":0,"zoom":0.3,"small":0}`},
		{`{"sort":"name","zoom":1.5}`, `{"sort":"name","zoom":1.5}`, `{"sort":"name","dark":true,"limit":0,"zoom":1.5,"small":0}`},
		// Beyond 2^53, where a float64 would be another number.
		{`{"limit":9007199254740993}`, `{"limit":9007199254740993}`, `{"sort":"name","dark":true,"limit":9007199254740993,"zoom":1.5,"small":0}`},
		// Integers to JSON Schema, and not to Go.
		{`{"limit":1e3,"small":2.0}`, `{"limit":1000,"small":2}`, `{"sort":"name","dark":true,"limit":1000,"zoom":1.5,"small":2}`},
		{`{"small":1,"small":7}`, `{"small":7}`, `{"sort":"name","dark":true,"limit":1000,"zoom":1.5,"small":7}`},
	} {
		answer, fault := answerOf(t, cs, "prefs.set", `{"set":`+test.set+`}`)
		assert.Empty(t, fault, test.set)
		assert.Equal(t, test.changed, got, test.set)
		assert.Equal(t, `{"values":`+test.values+`}`, answer, test.set)
	}

	before := now
	for arguments, want := range map[string]string{
		``:                                  `the argument "set" is not an object`,
		`{}`:                                `the argument "set" is not an object`,
		`{"set":null}`:                      `the argument "set" is not an object`,
		`{"set":[]}`:                        `the argument "set" is not an object`,
		`{"set":{}}`:                        `the argument "set" is empty`,
		`{"Set":{"dark":false}}`:            `the argument "Set" is unknown`,
		`{"set":{"dark":false},"user":1}`:   `the argument "user" is unknown`,
		`{"set":{"colour":"red"}}`:          `"colour" is not a setting`,
		`{"set":{"Dark":false}}`:            `"Dark" is not a setting`,
		`{"set":{"LIMIT":-9}}`:              `"LIMIT" is not a setting`,
		`{"set":{"dark":"secret"}}`:         `the value of the setting "dark" does not fit its schema`,
		`{"set":{"dark":null}}`:             `the value of the setting "dark" does not fit its schema`,
		`{"set":{"sort":"secret"}}`:         `the value of the setting "sort" does not fit its schema`,
		`{"set":{"limit":-1}}`:              `the value of the setting "limit" does not fit its schema`,
		`{"set":{"limit":1.5}}`:             `the value of the setting "limit" does not fit its schema`,
		`{"set":{"limit":"2"}}`:             `the value of the setting "limit" does not fit its schema`,
		`{"set":{"limit":1e30}}`:            `the setting "limit" can't have this value`,
		`{"set":{"limit":1e999999999}}`:     `the value of the setting "limit" does not fit its schema`,
		`{"set":{"small":256}}`:             `the value of the setting "small" does not fit its schema`,
		`{"set":{"zoom":0.35}}`:             `the value of the setting "zoom" does not fit its schema`,
		`{"set":{"zoom":4.1}}`:              `the value of the setting "zoom" does not fit its schema`,
		`{"set":{"dark":true,"sort":null}}`: `the value of the setting "sort" does not fit its schema`,
	} {
		_, fault := answerOf(t, cs, "prefs.set", arguments)
		assert.Contains(t, fault, want, arguments)
		assert.NotContains(t, fault, "secret", arguments)
	}
	assert.Equal(t, before, now, "a refused change changes nothing")
}

// TestSettingsOfServer: what Read and Update return is checked, and no value of a user is
// in an error.
func TestSettingsOfServer(t *testing.T) {
	for name, test := range map[string]struct {
		returned prefs
		err      error
		want     string
	}{
		"enum":   {prefs{Sort: "secret"}, nil, `the server returned its settings wrongly: the value of the setting "sort" does not fit its schema, {"enum":["date","name"],"type":"string"}: give a value that fits it`},
		"bound":  {prefs{Sort: "date", Limit: -777}, nil, `the value of the setting "limit" does not fit its schema`},
		"author": {prefs{}, errors.New("not signed in"), "not signed in"},
	} {
		s := newPlainServer()
		set := newPrefs(nil)
		set.Read = func(context.Context, *mcp.CallToolRequest) (prefs, error) { return test.returned, test.err }
		set.Update = func(context.Context, *mcp.CallToolRequest, json.RawMessage) (prefs, error) {
			return test.returned, test.err
		}
		openai.RegisterSettings(s, set)
		cs := connectNotes(t, s)
		for tool, arguments := range map[string]string{"settings.read": `{}`, "settings.update": `{"set":{"dark":true}}`} {
			_, fault := answerOf(t, cs, tool, arguments)
			assert.Contains(t, fault, test.want, name)
			assert.NotContains(t, fault, "secret", name)
			assert.NotContains(t, fault, "777", name)
		}
	}
}

type shouting int

func (shouting) MarshalJSON() ([]byte, error) { return []byte(`"!"`), nil }

func TestSettingsDeclaration(t *testing.T) {
	fields := func(change func(map[string]*jsonschema.Schema)) func(*openai.Settings[prefs]) {
		return func(s *openai.Settings[prefs]) { change(s.Fields) }
	}
	groups := func(items ...openai.SettingsItem) func(*openai.Settings[prefs]) {
		return func(s *openai.Settings[prefs]) { s.Groups = []openai.SettingsGroup{{Title: "List", Items: items}} }
	}
	for want, change := range map[string]func(*openai.Settings[prefs]){
		`Settings.Read is nil`:   func(s *openai.Settings[prefs]) { s.Read = nil },
		`Settings.Update is nil`: func(s *openai.Settings[prefs]) { s.Update = nil },
		`ReadTool and UpdateTool are both "a": give them different names`:                                                                                                            func(s *openai.Settings[prefs]) { s.ReadTool, s.UpdateTool = "a", "a" },
		`the name of the tool "a b" has ' ': use letters, digits, _, - and . only`:                                                                                                   func(s *openai.Settings[prefs]) { s.ReadTool = "a b" },
		`the name of the tool has 129 characters: use at most 128`:                                                                                                                   func(s *openai.Settings[prefs]) { s.UpdateTool = strings.Repeat("a", 129) },
		`Settings.Fields has the setting "colour", and openai_test.prefs has no field of this JSON name: its settings are ["dark" "limit" "small" "sort" "zoom"]`:                    fields(func(f map[string]*jsonschema.Schema) { f["colour"] = &jsonschema.Schema{Title: "Colour"} }),
		`Settings.Fields has no entry for the setting "dark": add one with a Title`:                                                                                                  fields(func(f map[string]*jsonschema.Schema) { f["dark"] = nil }),
		`Settings.Fields has no entry for the setting "small": add one with a Title`:                                                                                                 fields(func(f map[string]*jsonschema.Schema) { delete(f, "small") }),
		`the setting "dark" has no title: give it a title, with which it is shown`:                                                                                                   fields(func(f map[string]*jsonschema.Schema) { f["dark"].Title = "" }),
		`the setting "dark" has the title " ": make it a string that is not blank`:                                                                                                   fields(func(f map[string]*jsonschema.Schema) { f["dark"].Title = " " }),
		`the setting "dark" has a default, which clients reject: return the default among the values`:                                                                                fields(func(f map[string]*jsonschema.Schema) { f["dark"].Default = json.RawMessage("true") }),
		`the setting "limit" has an enum and the type "integer": leave it out, or make the type "string"`:                                                                            fields(func(f map[string]*jsonschema.Schema) { f["limit"].Enum = []any{1, 2} }),
		`the setting "sort" has enum [1]: make it a list of at least one string, or leave it out`:                                                                                    fields(func(f map[string]*jsonschema.Schema) { f["sort"].Enum = []any{1} }),
		`the setting "sort" has an empty Enum: list the values, or leave it nil`:                                                                                                     fields(func(f map[string]*jsonschema.Schema) { f["sort"].Enum = []any{} }),
		`the setting "zoom" has multipleOf 0: make it a number greater than 0`:                                                                                                       fields(func(f map[string]*jsonschema.Schema) { f["zoom"].MultipleOf = jsonschema.Ptr(0.0) }),
		`the setting "sort" has minLength -1: make it an integer of at least 0`:                                                                                                      fields(func(f map[string]*jsonschema.Schema) { f["sort"].MinLength = jsonschema.Ptr(-1) }),
		"the pattern \"(?=a)\" of the setting \"sort\" can't be checked (error parsing regexp: invalid or unsupported Perl syntax: `(?=`): simplify it, or check the rule in Update": fields(func(f map[string]*jsonschema.Schema) { f["sort"].Pattern = "(?=a)" }),
		`the pattern "(?i)a" of the setting "sort" has "(?i", which JavaScript does not have or reads in another way: simplify it, or check the rule in Update`:                      fields(func(f map[string]*jsonschema.Schema) { f["sort"].Pattern = "(?i)a" }),
		`the setting "zoom" has the type string in Fields and number in Go: leave Type out`:                                                                                          fields(func(f map[string]*jsonschema.Schema) { f["zoom"].Type = "string" }),
		`the setting "dark" has oneOf, which clients reject: write a single schema of type boolean, string, number or integer`:                                                       fields(func(f map[string]*jsonschema.Schema) { f["dark"].OneOf = []*jsonschema.Schema{{}} }),
		`the setting "sort" of type string has the keyword format, which ChatGPT does not have: leave it out, and check the rule in Update`:                                          fields(func(f map[string]*jsonschema.Schema) { f["sort"].Format = "uri" }),
		`the setting "dark" of type boolean has the keyword minLength, which ChatGPT does not have: leave it out, and check the rule in Update`:                                      fields(func(f map[string]*jsonschema.Schema) { f["dark"].MinLength = jsonschema.Ptr(1) }),
		`Settings.Groups[0].Title: it is blank: write a title for the group`:                                                                                                         func(s *openai.Settings[prefs]) { s.Groups[0].Title = " " },
		`items[1] of the group "List" repeats the setting "sort": name each setting once over all groups`:                                                                            groups(openai.SettingsItem{Field: "sort"}, openai.SettingsItem{Field: "sort"}),
		`Items[0] of the group "List" has the Field "colour", which is not a setting: use one of ["dark" "limit" "small" "sort" "zoom"]`:                                             groups(openai.SettingsItem{Field: "colour"}),
		`Settings.Groups[0].Items[0].Tool: it is blank: name a tool of this server that accepts {}`:                                                                                  groups(openai.SettingsItem{Tool: " "}),
		`items[0] of the group "More" repeats the setting "sort": name each setting once over all groups`: func(s *openai.Settings[prefs]) {
			s.Groups = []openai.SettingsGroup{
				{Title: "List", Items: []openai.SettingsItem{{Field: "sort"}}},
				{Title: "More", Items: []openai.SettingsItem{{Field: "sort"}}},
			}
		},
		`Items[0] of the group "List" has no name: set Field or Tool`:                                                 groups(openai.SettingsItem{}),
		`Items[0] of the group "List" is the setting "sort" and the tool "a": use an item for each`:                   groups(openai.SettingsItem{Field: "sort", Tool: "a"}),
		`Items[0] of the group "List" has a Description, which is for buttons: describe the setting "sort" in Fields`: groups(openai.SettingsItem{Field: "sort", Description: "x"}),
	} {
		now := defaultPrefs
		set := newPrefs(&now)
		change(&set)
		assert.PanicsWithValue(t, "openai.RegisterSettings: "+want, func() { openai.RegisterSettings(newPlainServer(), set) }, want)
	}
	now := defaultPrefs
	assert.PanicsWithValue(t, "openai.RegisterSettings: the server is nil", func() { openai.RegisterSettings(nil, newPrefs(&now)) })

	type inner struct {
		A bool `json:"a"`
	}
	for want, register := range map[string]func(){
		`the type map[string]interface {} is not a struct: use one with a field for each setting`: registering[map[string]any](),
		`the type *openai_test.prefs is not a struct: use one with a field for each setting`:      registering[*prefs](),
		`the setting "a" has the type *bool: use a bool, a string, a number or a type of these`: registering[struct {
			A *bool `json:"a"`
		}](),
		`the setting "A" has the type []string: use a bool, a string, a number or a type of these`:           registering[struct{ A []string }](),
		`the setting "A" has the type map[string]int: use a bool, a string, a number or a type of these`:     registering[struct{ A map[string]int }](),
		`the setting "A" has the type interface {}: use a bool, a string, a number or a type of these`:       registering[struct{ A any }](),
		`the setting "In" has the type openai_test.inner: use a bool, a string, a number or a type of these`: registering[struct{ In inner }](),
		`struct { a bool } has no settings: give it exported fields`:                                         registering[struct{ a bool }](),
		`the settings "Name" and "name" differ in case only, which encoding/json takes for one: rename one of them`: registering[struct {
			A string `json:"name"`
			B string `json:"Name"`
		}](),
		`the setting "a" is not in the JSON of an empty`: registering[struct {
			A bool `json:"a,omitempty"`
		}]("a"),
		`the value of the setting "A" does not fit its schema, {"type":"integer"}`: registering[struct{ A shouting }]("A"),
		`the value of the setting "a" does not fit its schema, {"type":"integer"}`: registering[struct {
			A int `json:"a,string"`
		}]("a"),
	} {
		assert.Contains(t, panicText(register), want)
	}
}

func registering[V any](titled ...string) func() {
	set := openai.Settings[V]{
		Fields: map[string]*jsonschema.Schema{},
		Read:   func(context.Context, *mcp.CallToolRequest) (v V, err error) { return },
		Update: func(context.Context, *mcp.CallToolRequest, json.RawMessage) (v V, err error) { return },
	}
	for _, name := range titled {
		set.Fields[name] = &jsonschema.Schema{Title: name}
	}
	return func() { openai.RegisterSettings(newPlainServer(), set) }
}

func panicText(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return
}

// TestSettingsCopied: what the author passes stays as it is, and may be changed later.
func TestSettingsCopied(t *testing.T) {
	s, now := newPlainServer(), defaultPrefs
	set := newPrefs(&now)
	openai.RegisterSettings(s, set)
	assert.Equal(t, prefFields(), set.Fields)
	cs := connectNotes(t, s)
	before, _ := answerOf(t, cs, "settings.read", `{}`)
	set.Fields["sort"].Title = "changed"
	set.Fields["sort"].Enum[0] = "changed"
	set.Groups[0].Items[0].Field = "changed"
	after, _ := answerOf(t, cs, "settings.read", `{}`)
	assert.Equal(t, before, after)
}

// TestSettingsReadWhatWasUpdated: whatever an update accepts, the settings can be read
// afterwards. What is too long is refused before it is stored.
func TestSettingsReadWhatWasUpdated(t *testing.T) {
	type texts struct {
		A string `json:"a"`
		B string `json:"b"`
		C string `json:"c"`
	}
	pattern := func(name string) *jsonschema.Schema {
		return &jsonschema.Schema{Title: name, Pattern: "^[^>]{0,200}[^>]*$"}
	}
	var saved texts
	s := newPlainServer()
	openai.RegisterSettings(s, openai.Settings[texts]{
		Fields: map[string]*jsonschema.Schema{"a": pattern("a"), "b": pattern("b"), "c": {Title: "c"}},
		Read:   func(context.Context, *mcp.CallToolRequest) (texts, error) { return saved, nil },
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (texts, error) {
			return saved, json.Unmarshal(set, &saved)
		},
	})
	cs := connectNotes(t, s)
	for _, value := range []string{strings.Repeat("<", 16<<10), strings.Repeat("a", 400_000)} {
		for _, name := range []string{"a", "b", "c"} {
			_, fault := answerOf(t, cs, "settings.update", fmt.Sprintf(`{"set":{%q:%q}}`, name, value))
			if len(value) > 16<<10 {
				assert.Equal(t, fmt.Sprintf(`the value of the setting %q has 400000 bytes, and may have 16384: shorten it`, name), fault)
			} else {
				assert.Empty(t, fault)
			}
		}
	}
	assert.Len(t, saved.A, 16<<10)
	saved.C = strings.Repeat("c", 1<<20)
	_, fault := answerOf(t, cs, "settings.read", `{}`)
	assert.Empty(t, fault, "a text that the server has from elsewhere")
}

// TestSettingsPattern: a value that can't be matched at bounded cost is refused.
func TestSettingsPattern(t *testing.T) {
	type tag struct {
		Tag string `json:"tag"`
	}
	saved := tag{"a-1"}
	s := newPlainServer()
	openai.RegisterSettings(s, openai.Settings[tag]{
		Fields: map[string]*jsonschema.Schema{"tag": {Title: "Tag", Pattern: "^[a-z]+-[0-9]{1,90}$"}},
		Read:   func(context.Context, *mcp.CallToolRequest) (tag, error) { return saved, nil },
		Update: func(_ context.Context, _ *mcp.CallToolRequest, set json.RawMessage) (tag, error) {
			return saved, json.Unmarshal(set, &saved)
		},
	})
	cs := connectNotes(t, s)
	for value, want := range map[string]string{
		"b-2": "", "B-2": `the value of the setting "tag"`, strings.Repeat("a", 500_000) + "-1": `the value of the setting "tag"`,
	} {
		_, fault := answerOf(t, cs, "settings.update", fmt.Sprintf(`{"set":{"tag":%q}}`, value))
		assert.True(t, strings.HasPrefix(fault, want) && (want == "") == (fault == ""), fault)
	}
	assert.Equal(t, tag{"b-2"}, saved)
}
