package openairules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
)

func decoded(t testing.TB, data string) any {
	t.Helper()
	v, err := jsonvalue.Decode([]byte(data))
	require.NoError(t, err, data)
	return v
}

func formOf(t testing.TB, field string) any {
	t.Helper()
	return decoded(t, `{"type":"object","properties":{"a":`+field+`}}`)
}

const (
	oneResource = `"x-openai-input":{"type":"resource","options":[{"uri":"cad://a","name":"a"}]`
	resources   = `"type":"array","items":{"type":"string","format":"uri"},` + oneResource
)

// TestFormFields has the fields that both of OpenAI's validators accept, and the protocol
// version in which MCP has them.
func TestFormFields(t *testing.T) {
	for field, since := range map[string]string{
		`{"type":"string"}`: "2025-06-18",
		`{"type":"string","title":"A","description":"b","minLength":1,"maxLength":3,"default":"ab"}`: "2025-06-18",
		`{"type":"string","format":"email","default":"a@example.com"}`:                               "2025-06-18",
		`{"type":"string","format":"uri","default":"https://example.com/?a=%20"}`:                    "2025-06-18",
		`{"type":"string","format":"date","default":"2026-05-31"}`:                                   "2025-06-18",
		`{"type":"string","format":"date-time","default":"2026-05-31T08:00:00.5+02:00"}`:             "2025-06-18",
		`{"type":"boolean","default":false}`:                                                         "2025-06-18",
		`{"type":"integer","minimum":1,"maximum":3,"default":2.0}`:                                   "2025-06-18",
		`{"type":"number","default":-0.5}`:                                                           "2025-06-18",
		`{"type":"string","enum":["a","b"],"default":"b"}`:                                           "2025-06-18",
		`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`:                                   "2025-06-18",
		`{"type":"string","oneOf":[{"const":"a","title":"A"}],"default":"a"}`:                        "2025-11-25",
		`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2}`:      "2025-11-25",
		`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"default":["a"]}`:             "2025-11-25",
		`{"type":"array","items":{"type":"string","anyOf":[{"const":"a","title":"A"}]}}`:             "2025-11-25",

		`{"type":"string","pattern":"b","default":"abc"}`:                                                                                              "2025-06-18",
		`{"type":"array","items":{"type":"string"}}`:                                                                                                   "",
		`{"type":"array","items":{"type":"string","minLength":2},"default":["ab","ab"]}`:                                                               "",
		`{"type":"array","uniqueItems":true,"items":{"type":"string","pattern":"^[a-z]+$"}}`:                                                           "",
		`{"type":"string","oneOf":[{"const":"a","title":"A","description":"b"}]}`:                                                                      "2025-11-25",
		`{"type":"string","x-openai-suggestions":[{"const":"a","title":"A"}],"default":"any"}`:                                                         "2025-06-18",
		`{"type":"string","x-openai-suggestions":[]}`:                                                                                                  "2025-06-18",
		`{"type":"array","items":{"type":"string","x-openai-suggestions":[{"const":"a","title":"A"}]}}`:                                                "",
		`{"type":"string","oneOf":[{"const":"a","title":"A","x-openai-thumbnail":{"src":"https://e.example/a.png"}}]}`:                                 "2025-11-25",
		`{"type":"string","oneOf":[{"const":"a","title":"A","x-openai-preview":{"src":"data:image/png;base64,aGk=","theme":"dark","sizes":["any"]}}]}`: "2025-11-25",
		`{"type":"string","_meta":{"x":1},"examples":["a"],"$comment":"c","deprecated":false,"readOnly":false,"writeOnly":false}`:                      "2025-06-18",
		`{"type":"string","format":"uri",` + oneResource + `}}`:                                                                                        "",
		`{"type":"string","format":"uri",` + oneResource + `},"default":"cad://a"}`:                                                                    "",
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{}}}`:                                                                       "",
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{"kind":"directory"}}}`:                                                     "",
		`{"type":"string","format":"uri","x-openai-input":{"type":"file","options":[],"userOptions":{"kind":"file","accept":[".pdf","image/*"]}}}`:     "",
		`{` + resources + `,"selection":"explicit"},"default":["cad://a"]}`:                                                                            "",
		`{` + resources + `,"selection":"implicit"}}`:                                                                                                  "",
		`{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"cad://a","name":"a","title":"A","mimeType":"text/plain","size":1,"_meta":{"openai/preview":{"target":{"type":"mcp_app_tool","name":"t"}}}}]}}`: "",
	} {
		form := formOf(t, field)
		assert.Empty(t, Form(form), field)
		_, got := PlainForm(json.RawMessage(`{"type":"object","properties":{"a":` + field + `}}`))
		assert.Equal(t, since, got, field)
	}
}

// TestPlainForm: what MCP's own forms do not have is removed, and the fields keep their order.
func TestPlainForm(t *testing.T) {
	const schema = `{"type":"object","title":"t","required":["z"],"properties":{
		"z":{"type":"string","pattern":"a","minLength":1,"_meta":{"x":1},"x-openai-suggestions":[{"const":"a","title":"A"}]},
		"n":{"type":"number","default":1e2,"examples":[1]},
		"one":{"type":"string","oneOf":[{"const":"b","title":"B","description":"d","x-openai-thumbnail":{"src":"https://e.example/a.png"}},{"const":"a","title":"A"}],"default":"a"},
		"all":{"type":"array","uniqueItems":true,"maxItems":2,"items":{"type":"string","anyOf":[{"const":"a","title":"A","description":"d"}]}}}}`
	require.Empty(t, Form(decoded(t, schema)))
	plain, since := PlainForm(json.RawMessage(schema))
	assert.Equal(t, `{"properties":{"z":{"minLength":1,"type":"string"},"n":{"default":100,"type":"number"},`+
		`"one":{"default":"a","oneOf":[{"const":"b","title":"B"},{"const":"a","title":"A"}],"type":"string"},`+
		`"all":{"items":{"anyOf":[{"const":"a","title":"A"}],"type":"string"},"maxItems":2,"type":"array"}},`+
		`"required":["z"],"title":"t","type":"object"}`, string(plain))
	assert.Equal(t, "2025-11-25", since)

	const same = `{"type":"object", "properties":{"z":{"type":"string"},"a":{"type":"boolean"}}}`
	plain, _ = PlainForm(json.RawMessage(same))
	assert.Equal(t, same, string(plain))
	for _, invalid := range []string{``, `[]`, `{"properties":1`, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`} {
		plain, since = PlainForm(json.RawMessage(invalid))
		assert.Empty(t, since, invalid)
		assert.Nil(t, plain, invalid)
	}
}

// TestFormFieldFaults has the fields that one of the validators rejects, and what has no
// meaning for a client.
func TestFormFieldFaults(t *testing.T) {
	option := func(more string) string { return `{"type":"string","oneOf":[{"const":"a","title":"A"` + more + `}]}` }
	for field, want := range map[string]string{
		`null`:              `/properties/a: the field is null`,
		`{}`:                `/properties/a/type: the type is null`,
		`{"type":"object"}`: `/properties/a/type: the type is "object"`,
		`{"type":"object","properties":{"b":{"type":"string"}}}`:                                                   `/properties/a/type: the type is "object"`,
		`{"type":["string","null"]}`:                                                                               `/properties/a/type: the type is ["string","null"]`,
		`{"type":"string","x-openai-other":1}`:                                                                     `the key "x-openai-other"`,
		`{"type":"string","minimum":1}`:                                                                            `a field of type string does not have the key "minimum"`,
		`{"type":"integer","enum":[1]}`:                                                                            `a field of type integer does not have the key "enum"`,
		`{"type":"integer","minLength":1}`:                                                                         `the key "minLength"`,
		`{"type":"boolean","title":null}`:                                                                          `/properties/a/title: it is null: use a string`,
		`{"type":"boolean","default":null}`:                                                                        `/properties/a/default: the default must be true or false, not null`,
		`{"type":"string","minLength":-1}`:                                                                         `/properties/a/minLength: it is -1`,
		`{"type":"string","minLength":1.5}`:                                                                        `/properties/a/minLength: it is 1.5`,
		`{"type":"string","minLength":3,"maxLength":2}`:                                                            `/properties/a/maxLength: minLength is 3 and maxLength 2`,
		`{"type":"number","minimum":3,"maximum":2}`:                                                                `/properties/a/maximum`,
		`{"type":"number","minimum":1e999}`:                                                                        `/properties/a/minimum: it is 1e999`,
		`{"type":"number","default":"2"}`:                                                                          `the default must be a number, not "2"`,
		`{"type":"integer","default":1.5}`:                                                                         `the default must be a whole number`,
		`{"type":"string","format":"ipv4"}`:                                                                        `/properties/a/format: the format is "ipv4"`,
		`{"type":"string","format":"uri","default":"no uri"}`:                                                      `the default must be an absolute URI`,
		`{"type":"string","maxLength":1,"default":"ab"}`:                                                           `/properties/a/default: the default must have at most 1 characters, not 2`,
		`{"type":"string","pattern":"("}`:                                                                          `/properties/a/pattern: the pattern "(" can't be checked`,
		`{"type":"string","pattern":"(?=a)"}`:                                                                      `can't be checked`,
		`{"type":"string","pattern":"(a)\\1"}`:                                                                     `can't be checked`,
		`{"type":"string","pattern":"(?i)a"}`:                                                                      `which JavaScript does not have`,
		`{"type":"string","pattern":"\\Aa\\z"}`:                                                                    `which JavaScript does not have`,
		`{"type":"string","pattern":"[[:alpha:]]"}`:                                                                `which JavaScript does not have`,
		`{"type":"string","pattern":"` + strings.Repeat("a", 1001) + `"}`:                                          `has 1001 bytes, and may have 1000`,
		`{"type":"string","pattern":"` + strings.Repeat("a{100}", 7) + `"}`:                                        `repeats too much`,
		`{"type":"string","enum":[]}`:                                                                              `/properties/a/enum: there are no choices`,
		`{"type":"string","enum":["a","a"]}`:                                                                       `/properties/a/enum/1: the choice "a" is there twice`,
		`{"type":"string","enum":["a",1]}`:                                                                         `/properties/a/enum/1: the choice is 1`,
		`{"type":"string","enum":["a"],"default":"b"}`:                                                             `the default must be one of the choices, not "b"`,
		`{"type":"string","enum":["a"],"enumNames":["A","B"]}`:                                                     `/properties/a/enumNames`,
		`{"type":"string","enumNames":[]}`:                                                                         `/properties/a/enumNames`,
		`{"type":"string","enum":["a"],"oneOf":[{"const":"a","title":"A"}]}`:                                       `both enum and oneOf`,
		`{"type":"string","anyOf":[{"const":"a","title":"A"}]}`:                                                    `the key "anyOf"`,
		`{"type":"string","oneOf":[]}`:                                                                             `/properties/a/oneOf: there are no choices`,
		`{"type":"string","oneOf":{}}`:                                                                             `/properties/a/oneOf: it is {}: use an array`,
		`{"type":"string","oneOf":["a"]}`:                                                                          `/properties/a/oneOf/0: the option is "a"`,
		`{"type":"string","oneOf":[{"const":"a"}]}`:                                                                `/properties/a/oneOf/0/title: the option has no title`,
		`{"type":"string","oneOf":[{"const":1,"title":"A"}]}`:                                                      `/properties/a/oneOf/0/const: it is 1`,
		option(`},{"const":"a","title":"B"`):                                                                       `/properties/a/oneOf/1/const: the choice "a" is there twice`,
		option(`,"_meta":{}`):                                                                                      `an option does not have the key "_meta"`,
		option(`,"x-openai-thumbnail":{"src":"http://e.example/a.png"}`):                                           `the picture is "http://e.example/a.png"`,
		option(`,"x-openai-thumbnail":{"src":"data:image/png;base64,\n"}`):                                         `the picture is`,
		option(`,"x-openai-thumbnail":{}`):                                                                         `the picture is null`,
		option(`,"x-openai-thumbnail":null`):                                                                       `/properties/a/oneOf/0/x-openai-thumbnail: it is null: use an object`,
		option(`,"x-openai-preview":{"src":"https://e.example/","theme":"x"}`):                                     `/x-openai-preview/theme`,
		`{"type":"string","x-openai-suggestions":[{"const":"a"}]}`:                                                 `has no title`,
		`{"type":"array"}`:                                                                                         `/properties/a/items: it is missing`,
		`{"type":"array","items":{"type":"integer"}}`:                                                              `/properties/a/items/type: the type is "integer"`,
		`{"type":"array","items":{"enum":["a"]}}`:                                                                  `/properties/a/items/type: the type is null`,
		`{"type":"array","items":{"type":"string","enum":[]}}`:                                                     `/properties/a/items/enum: there are no choices`,
		`{"type":"array","items":{"type":"string","oneOf":[]}}`:                                                    `items of strings does not have the key "oneOf"`,
		`{"type":"array","items":{"type":"string","enum":["a"],"minLength":1}}`:                                    `items with choices does not have the key "minLength"`,
		`{"type":"array","items":{"type":"string","enum":["a"]},"uniqueItems":false}`:                              `/properties/a/uniqueItems`,
		`{"type":"array","items":{"type":"string","enum":["a"]},"default":["a","a"]}`:                              `the default must have each value once`,
		`{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":1}`:                                     `/properties/a/maxItems`,
		`{"type":"array","items":{"type":"string"},"minItems":1,"default":[]}`:                                     `must have at least 1 values, not 0`,
		`{"type":"array","items":{"type":"string","maxLength":1,"default":"ab"}}`:                                  `/properties/a/items/default`,
		`{"type":"string",` + oneResource + `}}`:                                                                   `without the format uri`,
		`{"type":"array","items":{"type":"string"},` + oneResource + `}}`:                                          `without the format uri`,
		`{"type":"array","items":{"type":"string","enum":["a"]},` + oneResource + `}}`:                             `choices beside x-openai-input`,
		`{"type":"string","format":"uri","enum":["cad://a"],` + oneResource + `}}`:                                 `the field has choices beside x-openai-input`,
		`{"type":"string","enum":["a"],"x-openai-suggestions":[]}`:                                                 `choices beside x-openai-suggestions`,
		`{"type":"integer",` + oneResource + `}}`:                                                                  `the key "x-openai-input"`,
		`{"type":"string","format":"uri",` + oneResource + `,"selection":"explicit"}}`:                             `/x-openai-input/selection: the field is not an array`,
		`{` + resources + `,"selection":"all"}}`:                                                                   `/x-openai-input/selection: it is "all"`,
		`{` + resources + `,"selection":"implicit"},"default":["cad://a"]}`:                                        `/properties/a/default: the field has a default beside an implicit selection`,
		`{` + resources + `},"default":["cad://b"]}`:                                                               `the default must be one of the choices, not "cad://b"`,
		`{` + resources + `,"userOptions":{}},"default":["cad://b"]}`:                                              `the default must be one of the choices, not "cad://b"`,
		`{"type":"string","format":"uri","x-openai-input":{"type":"resource"}}`:                                    `/x-openai-input/options: they are missing`,
		`{"type":"string","format":"uri","x-openai-input":{"type":"folder","options":[]}}`:                         `/x-openai-input/type: the type is "folder"`,
		`{"type":"string","format":"uri","x-openai-input":null}`:                                                   `/x-openai-input: it is null: use an object`,
		`{"type":"string","format":"uri",` + oneResource + `,"multiple":true}}`:                                    `x-openai-input does not have the key "multiple"`,
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{"kind":"x"}}}`:                         `/userOptions/kind`,
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{"more":1}}}`:                           `the key "more"`,
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{"accept":["pdf"]}}}`:                   `/userOptions/accept/0: it is "pdf"`,
		`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{"accept":[".a",".A"]}}}`:               `/userOptions/accept/1: ".A" is there twice`,
		`{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"a","name":"a"}]}}`: `/options/0/uri: it is "a"`,
		`{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"a:b"}]}}`:          `/options/0/name: it is null`,
		`{"type":"string","format":"uri","x-openai-input":{"type":"resource","options":[{"uri":"a:b","name":""},{"uri":"a:b","name":""}]}}`: `the resource "a:b" is there twice`,
	} {
		problems := Form(formOf(t, field))
		if assert.NotEmpty(t, problems, field) {
			assert.Contains(t, problems[0].Error(), want, field)
			assert.Equal(t, Field, problems[0].Kind, field)
			assert.NotEmpty(t, problems[0].Remedy, field)
		}
	}
}

func TestFormRoot(t *testing.T) {
	for _, form := range []string{
		`{"type":"object","properties":{}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"t","description":"d","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
	} {
		assert.Empty(t, Form(decoded(t, form)), form)
	}
	for form, want := range map[string]string{
		`null`:                              `the schema is null`,
		`true`:                              `the schema is true`,
		`{"properties":{}}`:                 `/type: the type of the schema is null`,
		`{"type":"object"}`:                 `/properties: it is missing`,
		`{"type":"object","properties":[]}`: `/properties: it is []: use an object`,
		`{"type":"object","properties":{},"required":["b"]}`:            `/required/0: the form has no field "b"`,
		`{"type":"object","properties":{},"required":[1]}`:              `/required: it is [1]: use an array of strings`,
		`{"type":"object","properties":{},"required":null}`:             `/required: it is null`,
		`{"type":"object","properties":{},"additionalProperties":true}`: `/additionalProperties: it is true`,
		`{"type":"object","properties":{},"$defs":{}}`:                  `the key "$defs"`,
		`{"type":"object","properties":{"a/b~c":{}}}`:                   `/properties/a~1b~0c/type`,
	} {
		problems := Form(decoded(t, form))
		if assert.NotEmpty(t, problems, form) {
			assert.Contains(t, problems[0].Error(), want)
		}
	}
	assert.Len(t, Form(formOf(t, `{"type":"string","enum":[`+strings.Repeat(`1,`, 1000)+`1]}`)), maxProblems)
}

func TestFormAnswer(t *testing.T) {
	accepted := [][2]string{ // the field, the value
		{`{"type":"string","format":"uri",` + oneResource + `}}`, `"cad://a"`},
		{`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{}}}`, `"cad://foreign"`},
		{`{` + resources + `,"selection":"implicit"}}`, `["cad://foreign"]`},
		{`{` + resources + `}}`, `["cad://a","cad://a"]`},
		{`{"type":"string","x-openai-suggestions":[{"const":"a","title":"A"}]}`, `"free"`},
		{`{"type":"array","items":{"type":"string","x-openai-suggestions":[{"const":"a","title":"A"}]}}`, `["free","a"]`},
		{`{"type":"array","items":{"type":"string"}}`, `["a","a"]`},
		{`{"type":"array","items":{"type":"string","enum":["a"]}}`, `["a","a"]`},
		{`{"type":"integer"}`, `2.0`},
		{`{"type":"integer"}`, `9007199254740993`},
		{`{"type":"string","pattern":"b"}`, `"abc"`},
		{`{"type":"string","maxLength":1}`, `"😀"`},
		{`{"type":"string","minLength":2}`, `"😀é"`},
		{`{"type":"boolean"}`, `false`},
		{`{"type":"string","oneOf":[{"const":"a","title":"A"}]}`, `"a"`},
		{`{"type":"string","format":"date-time"}`, `"2026-05-31T08:00:00Z"`},
	}
	for _, c := range accepted {
		content := map[string]any{"a": decoded(t, c[1]), "extra": decoded(t, `{"b":[null]}`)}
		assert.Empty(t, Form(formOf(t, c[0])), c[0])
		assert.Empty(t, FormAnswer(formOf(t, c[0]), content), c)
	}
	rejected := [][3]string{
		{`{"type":"string","format":"uri",` + oneResource + `}}`, `"cad://foreign"`, `"a" must be one of the choices, not "cad://foreign"`},
		{`{` + resources + `,"selection":"explicit"}}`, `["cad://a","cad://foreign"]`, `one of the choices`},
		{`{"type":"string","format":"uri",` + oneResource + `,"userOptions":{}}}`, `"no uri"`, `must be an absolute URI, not "no uri"`},
		{`{"type":"string","format":"uri"}`, `"https://e.example/ä"`, `an absolute URI`},
		{`{"type":"string","format":"uri"}`, `"https://e.example/\n"`, `an absolute URI`},
		{`{"type":"string","format":"email"}`, `"a@"`, `an email address`},
		{`{"type":"string","format":"date"}`, `"2026-02-30"`, `a date`},
		{`{"type":"string","format":"date-time"}`, `"2026-05-31T08:00:00"`, `a date and time`},
		{`{"type":"string","oneOf":[{"const":"a","title":"A"}]}`, `"b"`, `one of the choices`},
		{`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`, `["b"]`, `one of the choices`},
		{`{"type":"array","minItems":1,"items":{"type":"string"}}`, `[]`, `must have at least 1 values, not 0`},
		{`{"type":"array","maxItems":1,"items":{"type":"string"}}`, `["a","b"]`, `must have at most 1 values, not 2`},
		{`{"type":"array","uniqueItems":true,"items":{"type":"string"}}`, `["a","a"]`, `each value once`},
		{`{"type":"array","items":{"type":"string"}}`, `[1]`, `a list of texts`},
		{`{"type":"array","items":{"type":"string"}}`, `"a"`, `a list of texts`},
		{`{"type":"integer","title":"Count"}`, `"2"`, `"Count" must be a number, not "2"`},
		{`{"type":"integer"}`, `2.5`, `a whole number`},
		{`{"type":"integer"}`, `true`, `a number`},
		{`{"type":"number"}`, `1e400`, `a number`},
		{`{"type":"number","minimum":1}`, `0`, `at least 1`},
		{`{"type":"number","maximum":1}`, `2`, `at most 1`},
		{`{"type":"boolean"}`, `"true"`, `true or false`},
		{`{"type":"string"}`, `null`, `a text`},
		{`{"type":"string"}`, `{}`, `a text`},
		{`{"type":"string","pattern":"^b$"}`, `"abc"`, `must be as "^b$"`},
		{`{"type":"string","maxLength":1}`, `"😀😀"`, `must have at most 1 characters, not 2`},
	}
	for _, c := range rejected {
		assert.Empty(t, Form(formOf(t, c[0])), c[0])
		problems := FormAnswer(formOf(t, c[0]), map[string]any{"a": decoded(t, c[1])})
		if assert.Len(t, problems, 1, c) {
			assert.Contains(t, problems[0].Text, c[2])
			assert.Equal(t, "/a", problems[0].Pointer)
			assert.Equal(t, Answer, problems[0].Kind)
			assert.True(t, strings.HasPrefix(problems[0].Text, problems[0].Rule), problems[0])
			assert.NotContains(t, problems[0].Rule, "not ", "a rule has nothing of the value")
		}
	}
	required := decoded(t, `{"type":"object","properties":{"a":{"type":"string","title":"Name"},"b":{"type":"string"}},"required":["a"]}`)
	assert.Equal(t, []Problem{{Kind: Answer, Pointer: "/a", Text: `"Name" is missing`, Remedy: "fill it in", Rule: `"Name" is missing`}}, FormAnswer(required, nil))
	assert.Empty(t, FormAnswer(required, map[string]any{"a": ""}))
}

// TestFormAnswerIsBounded: a long answer to the most expensive pattern and to many choices.
func TestFormAnswerIsBounded(t *testing.T) {
	var options []string
	for i := range 5000 {
		options = append(options, fmt.Sprintf(`{"const":"%d","title":"t"}`, i))
	}
	many := formOf(t, `{"type":"array","items":{"anyOf":[`+strings.Join(options, ",")+`]}}`)
	values := strings.TrimSuffix(strings.Repeat(`"4999",`, 20_000), ",")
	assert.Empty(t, FormAnswer(many, map[string]any{"a": decoded(t, "["+values+"]")}))
	assert.Empty(t, Form(formOf(t, `{"type":"string","pattern":"^[a-z]{1,255}$"}`)))
	slow := formOf(t, `{"type":"string","pattern":"^(a+)+(a{500})?$"}`)
	assert.Empty(t, Form(slow))
	assert.NotEmpty(t, FormAnswer(slow, map[string]any{"a": strings.Repeat("a", 16_000) + "!"}))
}

func FuzzForm(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"a","title":"A"}]}},"required":["a"]}`, `{"a":"a"}`},
		{`{"type":"object","properties":{"a":{` + resources + `,"selection":"implicit"}}}}`, `{"a":["cad://b"]}`},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","pattern":"^(a+)+$"}}}}`, `{"a":["aaaa!"]}`},
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1e999,"enum":[null]},"b":null},"required":[1,"c"]}`, `{"a":1e999,"b":{}}`},
		{`{"type":[],"properties":{"a":{"type":"array","items":[],"x-openai-input":{"options":[{"uri":1}],"userOptions":null}}}}`, `{"a":[[]]}`},
		{`null`, `{}`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, schema, answer string) {
		form, err := jsonvalue.Decode([]byte(schema))
		if err != nil {
			return
		}
		var content map[string]any
		if json.Unmarshal([]byte(answer), &content) != nil {
			return
		}
		problems, faults := Form(form), FormAnswer(form, content)
		for _, p := range append(problems, faults...) {
			if len(p.Error()) > 2000 || p.Text == "" || p.Remedy == "" {
				t.Errorf("%q", p.Error())
			}
		}
		if len(problems) > 0 {
			return
		}
		if plain, since := PlainForm(json.RawMessage(schema)); since != "" {
			v, err := jsonvalue.Decode(plain)
			if again, same := PlainForm(plain); err != nil || len(Form(v)) > 0 || since != same || string(again) != string(plain) {
				t.Errorf("%s: %v", plain, Form(v))
			}
		}
		// What a form accepts, it accepts after it was written and read.
		again, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		same, err := jsonvalue.Decode(again)
		if err != nil || len(Form(same)) > 0 {
			t.Errorf("%s: %v", again, Form(same))
		}
	})
}
