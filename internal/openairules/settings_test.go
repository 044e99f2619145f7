package openairules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decodeAnswer(t testing.TB, data string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(data), &v), data)
	return v
}

// first returns the pointer and the text of the first problem, "" if the list is empty.
func first(problems []Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return problems[0].Pointer + " " + problems[0].Text
}

// TestSettings has what the schemas of both SDKs say of the answer of the tool that reads.
func TestSettings(t *testing.T) {
	const one = `"schema":{"type":"object","properties":{"a":{"type":"boolean","title":"A"}}},"values":{"a":true}`
	layout := func(items string) string {
		return `{` + one + `,"layout":[{"kind":"group","title":"G","items":[` + items + `]}]}`
	}
	for answer, want := range map[string]string{
		// Of the reference.
		`{"schema":{"type":"object","properties":{"sort":{"type":"string","title":"Sort by","enum":["date","name"]}}},"values":{"sort":"date"},"layout":[{"kind":"group","title":"List","items":[{"kind":"property","property":"sort"},{"kind":"tool","tool":"notes.board"}]}]}`: "",

		`{` + one + `}`:             "",
		`{` + one + `,"layout":[]}`: "",
		layout(``):                  "",
		layout(`{"kind":"tool","tool":"t"},{"kind":"tool","tool":"t","title":"T","description":"d"}`):                                                                                  "",
		layout(`{"kind":"property","property":"a"},{"kind":"property","property":"a"}`):                                                                                                `/layout/0/items/1/property items[1] of the group "G" repeats the setting "a"`,
		`{` + one + `,"layout":[{"kind":"group","title":"G","items":[{"kind":"property","property":"a"}]},{"kind":"group","title":"H","items":[{"kind":"property","property":"a"}]}]}`: `/layout/1/items/0/property items[0] of the group "H" repeats the setting "a"`,
		layout(`{"kind":"property","property":"b"}`):                                                                                                                                   `/layout/0/items/0/property items[0] of the group "G" is the setting "b", which the schema does not have`,
		layout(`{"kind":"property"}`):                                  `/layout/0/items/0/property items[0] of the group "G" is the setting null, which the schema does not have`,
		layout(`{"kind":"property","property":"a","description":"d"}`): `/layout/0/items/0 it has the unknown key "description", for which clients may reject the object`,
		layout(`{"kind":"group","title":"H","items":[]}`):              `/layout/0/items/0 items[0] of the group "G" is {"items":[],"kind":"group","title":"H"}`,
		layout(`{"kind":"tool","tool":" "}`):                           `/layout/0/items/0/tool items[0] of the group "G" is a button for the tool " "`,
		layout(`{"kind":"tool","tool":"t","title":" "}`):               `/layout/0/items/0/title items[0] of the group "G" has the title " "`,
		layout(`{"kind":"tool","tool":"t","description":null}`):        `/layout/0/items/0/description items[0] of the group "G" has the description null`,
		layout(`7`):                   `/layout/0/items/0 items[0] of the group "G" is 7`,
		`{` + one + `,"layout":null}`: `/layout the layout of the settings is null, not a list`,
		`{` + one + `,"layout":[{"kind":"group","title":" ","items":[]}]}`:                                  `/layout/0/title layout[0] has the title " "`,
		`{` + one + `,"layout":[{"kind":"group","title":"G"}]}`:                                             `/layout/0/items the items of the group "G" are null, not a list`,
		`{` + one + `,"layout":[{"kind":"group","title":"G","items":[],"icon":1}]}`:                         `/layout/0 it has the unknown key "icon", for which clients may reject the object`,
		`{` + one + `,"layout":[{"kind":"property","property":"a"}]}`:                                       `/layout/0 layout[0] is not a group: it is {"kind":"property","property":"a"}`,
		`{"schema":{"type":"object","properties":{"a":{"type":"boolean","title":"A"}}},"values":{}}`:        `/values the setting "a" has no value`, // both schemas accept it, and the specification does not
		`{"schema":{"type":"object","properties":{"a":{"type":"boolean","title":"A"}}},"values":{"a":"s"}}`: `/values/a the value of the setting "a" does not fit its schema, {"type":"boolean"}`,
		`{"schema":{"type":"object"},"values":{}}`:                                                          "",
		`{"schema":{"type":"object","additionalProperties":false,"$schema":"x"},"values":{"b":1}}`:          "", // both accept the value
		`{"schema":{"type":["object"]},"values":{}}`:                                                        `/schema/type the schema of the settings has the type ["object"]`,
		`{"schema":{"type":"object","required":"a"},"values":{}}`:                                           `/schema/required the settings have required as "a"`,
		`{"schema":{"type":"object","properties":[]},"values":{}}`:                                          `/schema/properties the schema of the settings has properties that are a list, not an object`,
		`{"values":{}}`:                                    `/schema the schema of the settings is null, not an object`,
		`{"schema":{"type":"object"}}`:                     `/values the values of the settings are null, not an object`,
		`{"schema":{"type":"object"},"values":["secret"]}`: `/values the values of the settings are a list, not an object`,
		`{` + one + `,"groups":[]}`:                        ` it has the unknown key "groups", for which clients may reject the object`,
		`null`:                                             ` the settings are null, not an object`,
		`["secret"]`:                                       ` the settings are a list, not an object`,
		`"secret"`:                                         ` the settings are a string, not an object`,
	} {
		assert.Equal(t, want, first(Settings(decodeAnswer(t, answer))), answer)
	}
}

// TestSetting has what the helpers of both SDKs say of one setting, and the types of the
// specification.
func TestSetting(t *testing.T) {
	for setting, want := range map[string]string{
		`{"type":"string"}`:  "",
		`{"type":"boolean"}`: "",
		`{"type":"number","minimum":0.5,"maximum":1,"multipleOf":0.1}`:             "",
		`{"type":"integer","minimum":-1}`:                                          "",
		`{"type":"string","enum":["a"],"minLength":0,"maxLength":9,"pattern":"a"}`: "",
		`{"type":"string","format":"email"}`:                                       "", // both let it through
		`{"type":"string","enum":[]}`:                                              `/enum the setting "a" has enum []`,
		`{"type":"string","enum":[1]}`:                                             `/enum the setting "a" has enum [1]`,
		`{"type":"string","enum":"a"}`:                                             `/enum the setting "a" has enum "a"`,
		`{"type":"integer","enum":["1"]}`:                                          `/enum the setting "a" has an enum and the type "integer"`,
		`{"type":"array"}`:                                                         `/type the setting "a" has the type "array"`,
		`{"type":"object"}`:                                                        `/type the setting "a" has the type "object"`,
		`{"type":["string","null"]}`:                                               `/type the setting "a" has the type ["string","null"]`,
		`{}`:                                                                       `/type the setting "a" has the type null`,
		`{"type":"string","oneOf":[]}`:                                             `/oneOf the setting "a" has oneOf, which clients reject`,
		`{"type":"string","anyOf":[]}`:                                             `/anyOf the setting "a" has anyOf, which clients reject`,
		`{"type":"string","allOf":[]}`:                                             `/allOf the setting "a" has allOf, which clients reject`,
		`{"type":"string","$ref":"#"}`:                                             `/$ref the setting "a" has $ref, which clients reject`,
		`{"type":"string","default":"a"}`:                                          `/default the setting "a" has a default, which clients reject`,
		`{"type":"number","multipleOf":0}`:                                         `/multipleOf the setting "a" has multipleOf 0`,
		`{"type":"number","multipleOf":-1}`:                                        `/multipleOf the setting "a" has multipleOf -1`,
		`{"type":"number","minimum":"0"}`:                                          `/minimum the setting "a" has minimum "0"`,
		`{"type":"number","maximum":null}`:                                         `/maximum the setting "a" has maximum null`,
		`{"type":"string","minLength":1.5}`:                                        `/minLength the setting "a" has minLength 1.5`,
		`{"type":"string","maxLength":-1}`:                                         `/maxLength the setting "a" has maxLength -1`,
		`{"type":"string","pattern":1}`:                                            `/pattern the setting "a" has pattern 1`,
		`{"type":"string","description":1}`:                                        `/description the setting "a" has the description 1`,
	} {
		s := decodeAnswer(t, setting).(map[string]any)
		s["title"] = "A"
		schema := map[string]any{"type": "object", "properties": map[string]any{"a": s}}
		if want != "" {
			want = "/schema/properties/a" + want
		}
		assert.Equal(t, want, first(SettingsDeclaration(schema, nil)), setting)
	}
	for setting, want := range map[string]string{
		`{"type":"boolean"}`:             `/schema/properties/a the setting "a" has no title`,
		`{"type":"boolean","title":""}`:  `/schema/properties/a/title the setting "a" has the title ""`,
		`{"type":"boolean","title":" "}`: `/schema/properties/a/title the setting "a" has the title " "`,
		`{"type":"boolean","title":1}`:   `/schema/properties/a/title the setting "a" has the title 1`,
		`true`:                           `/schema/properties/a the schema of the setting "a" is a boolean, not an object`,
	} {
		schema := map[string]any{"type": "object", "properties": map[string]any{"a": decodeAnswer(t, setting)}}
		assert.Equal(t, want, first(SettingsDeclaration(schema, nil)), setting)
	}
}

func TestSettingValue(t *testing.T) {
	for _, test := range []struct {
		setting, value string
		want           bool
	}{
		{`{"type":"boolean"}`, `false`, true},
		{`{"type":"boolean"}`, `0`, false},
		{`{"type":"boolean"}`, `null`, false},
		{`{"type":"string"}`, `""`, true},
		{`{"type":"string"}`, `1`, false},
		{`{"type":"string","enum":["a","b"]}`, `"b"`, true},
		{`{"type":"string","enum":["a","b"]}`, `"B"`, false},
		{`{"type":"string","maxLength":1}`, `"😀"`, true},
		{`{"type":"string","maxLength":1}`, `"ab"`, false},
		{`{"type":"string","minLength":1}`, `""`, false},
		{`{"type":"string","pattern":"b"}`, `"abc"`, true},
		{`{"type":"string","pattern":"^b"}`, `"abc"`, false},
		{`{"type":"number"}`, `1.5`, true},
		{`{"type":"number"}`, `"1"`, false},
		{`{"type":"number"}`, `1e999`, false},
		{`{"type":"integer"}`, `2.0`, true},
		{`{"type":"integer"}`, `1e3`, true},
		{`{"type":"integer"}`, `2.5`, false},
		{`{"type":"integer"}`, `"2"`, false},
		{`{"type":"integer"}`, `true`, false},
		{`{"type":"integer","maximum":9007199254740992}`, `9007199254740993`, false},
		{`{"type":"integer","minimum":3,"maximum":3}`, `3`, true},
		{`{"type":"integer","minimum":3}`, `2`, false},
		{`{"type":"number","multipleOf":0.1}`, `0.3`, true},
		{`{"type":"number","multipleOf":0.1}`, `0.35`, false},
		{`{"type":"integer","multipleOf":5}`, `10`, true},
		{`{"type":"integer","multipleOf":5}`, `11`, false},
	} {
		setting, err := schemacheck.Decode([]byte(test.setting))
		require.NoError(t, err)
		value, err := schemacheck.Decode([]byte(test.value))
		require.NoError(t, err)
		problems := SettingChanges(map[string]any{"a": setting}, map[string]any{"a": value})
		assert.Equal(t, test.want, len(problems) == 0, "%s %s: %v", test.setting, test.value, problems)
	}

	// What can't be checked is accepted from a server, and not before it is saved.
	lookahead := map[string]any{"a": map[string]any{"type": "string", "title": "A", "pattern": "(?=a)"}}
	values := map[string]any{"a": "secret"}
	assert.Empty(t, Settings(map[string]any{"schema": map[string]any{"type": "object", "properties": lookahead}, "values": values}))
	assert.Empty(t, SettingValues(lookahead, values))
	assert.Equal(t, `/values/a the value of the setting "a" does not fit its schema, {"pattern":"(?=a)","type":"string"}`, first(SettingChanges(lookahead, values)))
	assert.Equal(t, `/values the setting "a" has no value`, first(SettingValues(lookahead, map[string]any{})))
	assert.Equal(t, `/values/b "b" is not a setting`, first(SettingChanges(lookahead, map[string]any{"b": 1})))
}

// TestSettingsAreJudgedAlone: what a value costs to check takes nothing from the others, and
// a value that was accepted is one to answer with.
func TestSettingsAreJudgedAlone(t *testing.T) {
	properties, values := make(map[string]any), make(map[string]any)
	for i := range 100 {
		name := fmt.Sprint("p", i)
		properties[name] = map[string]any{"type": "string", "title": "P", "pattern": "^[a-z0-9 ,.-]{0,200}$"}
		values[name] = strings.Repeat("a", 200)
	}
	assert.Empty(t, SettingChanges(properties, values))
	assert.Empty(t, SettingValues(properties, values))
	values["p7"] = strings.Repeat("a", 201)
	assert.Len(t, SettingValues(properties, values), 1)

	text := map[string]any{"a": map[string]any{"type": "string", "title": "A"}}
	long := map[string]any{"a": strings.Repeat("a", MaxSettingValue+1)}
	assert.Equal(t, `/values/a the value of the setting "a" has 16385 bytes, and may have 16384`, first(SettingChanges(text, long)))
	assert.Empty(t, SettingValues(text, long), "a server may have a longer one")
}

func TestSettingsButtons(t *testing.T) {
	v := decodeAnswer(t, `{"layout":[1,{"items":[{"kind":"property","property":"a"},{"kind":"tool","tool":"t"},{"kind":"tool"},[]]}]}`)
	assert.Equal(t, []SettingsButton{{"/layout/1/items/1", "t"}}, SettingsButtons(v))
	assert.Empty(t, SettingsButtons(nil))
}

// TestMentions has what the schemas of both SDKs say.
func TestMentions(t *testing.T) {
	for items, want := range map[string]string{
		``: "",
		`{"type":"resource_link","uri":"notes://n/7","name":"n7","title":"Groceries"}`: "",
		`{"type":"resource_link","uri":"a","name":"b","other":1}`:                      "", // dropped
		`{"type":"resource_link","uri":"a","name":"b","icons":[{"src":"https://a"}]}`:  "",
		`{"type":"resource","resourceUri":"a","title":"b","subtitle":"c","icons":[]}`:  "",
		`{"type":"resource_link","uri":"a"}`:                                           `/items/0 items[0] has no name`,
		`{"type":"resource_link","name":"a"}`:                                          `/items/0 items[0] has no uri`,
		`{"type":"resource_link","uri":1,"name":"a"}`:                                  `/items/0/uri uri of items[0] is 1`,
		`{"type":"resource_link","uri":"a","name":"b","title":null}`:                   `/items/0/title title of items[0] is null`,
		`{"type":"resource_link","uri":"a","name":"b","icons":{}}`:                     `/items/0/icons the icons of items[0] are an object, not a list`,
		`{"type":"resource_link","uri":"a","name":"b","icons":[{}]}`:                   `/items/0/icons/0 icons[0] of items[0] is {}`,
		`{"type":"resource","resourceUri":"a","title":"b","other":1}`:                  `/items/0 it has the unknown key "other", for which clients may reject the object`,
		`{"type":"resource","resourceUri":" ","title":"b"}`:                            `/items/0/resourceUri resourceUri of items[0] is " "`,
		`{"type":"resource","title":"b"}`:                                              `/items/0 items[0] has no resourceUri`,
		`{"type":"resource","resourceUri":"a","title":"b","subtitle":1}`:               `/items/0/subtitle subtitle of items[0] is 1`,
		`{"uri":"a","name":"b"}`:                                                       `/items/0 items[0] is {"name":"b","uri":"a"}`,
		`{"URI":"a","Name":"b"}`:                                                       `/items/0 items[0] is {"Name":"b","URI":"a"}`, // without the SDK's encoding
		`null`:                                                                         `/items/0 items[0] is null`,
	} {
		assert.Equal(t, want, first(Mentions(decodeAnswer(t, `{"items":[`+items+`]}`))), items)
	}
	for answer, want := range map[string]string{
		`{}`:                     `/items the items of the mentions are null, not a list`,
		`{"items":null}`:         `/items the items of the mentions are null, not a list`,
		`{"items":[],"total":1}`: ` it has the unknown key "total", for which clients may reject the object`,
		`[]`:                     ` the mentions are a list, not an object`,
	} {
		assert.Equal(t, want, first(Mentions(decodeAnswer(t, answer))), answer)
	}
}

// TestSettingsBounded: what a server sends has a bounded number of problems of bounded
// length, and patterns that take long are not matched.
func TestSettingsBounded(t *testing.T) {
	var properties, values, items strings.Builder
	for i := range 5000 {
		if i > 0 {
			properties.WriteByte(',')
			values.WriteByte(',')
			items.WriteByte(',')
		}
		fmt.Fprintf(&properties, `"p%d":{"type":"string","title":"T","pattern":"(x{900}|y{900})+$"}`, i)
		fmt.Fprintf(&values, `"p%d":%q`, i, strings.Repeat("x", 100))
		items.WriteString(`{}`)
	}
	long := strings.Repeat("a", 1<<20)
	deep := strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000)
	for _, answer := range []string{
		`{"schema":{"type":"object","properties":{` + properties.String() + `}},"values":{` + values.String() + `}}`,
		`{"schema":{"type":"object","properties":{` + strings.ReplaceAll(properties.String(), `"T"`, `1`) + `}},"values":{}}`,
		`{"schema":{"type":"object"},"values":{},"layout":[{"kind":"group","title":"G","items":[` + items.String() + `]}]}`,
		`{"schema":{"type":"object","properties":{"` + long + `":{}}},"values":{}}`,
		`{"schema":{"type":"object","properties":{"a":{"type":"string","title":"A","pattern":"` + long + `"}}},"values":{"a":"` + long + `"}}`,
		`{"schema":{"type":"object","properties":{"a":{"type":"number","title":"A","multipleOf":1e-300}}},"values":{"a":1e300}}`,
		`{"schema":` + deep + `,"values":` + deep + `,"layout":` + deep + `,"items":` + deep + `}`,
		`{"items":[` + items.String() + `]}`,
		deep,
	} {
		v := decodeAnswer(t, answer)
		for _, problems := range [][]Problem{Settings(v), Mentions(v)} {
			assert.LessOrEqual(t, len(problems), maxProblems)
			for _, p := range problems {
				assert.Less(t, len(p.Error()), 1000)
			}
		}
		SettingsButtons(v)
	}
}

// FuzzSettings: no answer panics, and none is repeated at length.
func FuzzSettings(f *testing.F) {
	f.Add(`{"schema":{"type":"object","properties":{"a":{"type":"string","title":"A","enum":["x"],"pattern":"x*"}},"required":["a"]},"values":{"a":"x"},"layout":[{"kind":"group","title":"G","items":[{"kind":"property","property":"a"},{"kind":"tool","tool":"t"}]}]}`)
	f.Add(`{"schema":{"type":"object","properties":{"a":{"type":"integer","title":"A","minimum":1e300,"multipleOf":1e-300}}},"values":{"a":1e308}}`)
	f.Add(`{"schema":{"properties":{"":null,"~/":7}},"values":{"":null},"layout":[null,{"kind":"group","items":[null,{"kind":"tool"}]}]}`)
	f.Add(`{"items":[{"type":"resource_link","uri":"a","name":"b","icons":[{"src":"c"},null]},{"type":"resource","resourceUri":"a"},null]}`)
	f.Add(`[[[[{}]]]]`)
	f.Fuzz(func(t *testing.T, data string) {
		v, err := schemacheck.Decode([]byte(data))
		if err != nil {
			return
		}
		for _, problems := range [][]Problem{Settings(v), Mentions(v)} {
			for _, p := range problems {
				if p.Text == "" || p.Remedy == "" || len(p.Text) > 600 {
					t.Errorf("%q: %q", data, p.Error())
				}
			}
		}
		SettingsButtons(v)
		content, _ := v.(map[string]any)
		schema, _ := content["schema"].(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		values, _ := content["values"].(map[string]any)
		SettingValues(properties, values)
		SettingChanges(properties, values)
	})
}
