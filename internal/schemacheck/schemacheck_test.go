package schemacheck

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decode(t *testing.T, data string) any {
	t.Helper()
	v, err := Decode([]byte(data))
	require.NoError(t, err)
	return v
}

func check(t *testing.T, schema, value string) Verdict {
	t.Helper()
	verdict, err := New(decode(t, schema)).Check(decode(t, value))
	assert.Equal(t, verdict == Invalid, err != nil)
	return verdict
}

// The official test suite, as jsonschema-go carries it: a verdict is never wrong, and
// seldom unknown, for a whole schema and for a part.
func TestOfficialSuite(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	require.NoError(t, err)
	for draft, minDecided := range map[string]float64{"draft2020-12": 0.7, "draft7": 0.9} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", draft, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		decided, all := 0, 0
		for _, file := range files {
			var groups []struct {
				Description string
				Schema      any
				Tests       []struct {
					Description string
					Data        any
					Valid       bool
				}
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &groups))
			for _, g := range groups {
				if s, ok := g.Schema.(map[string]any); ok && draft == "draft7" {
					s["$schema"] = "http://json-schema.org/draft-07/schema#"
				}
				schema, err := json.Marshal(g.Schema)
				require.NoError(t, err)
				for _, c := range g.Tests {
					value, err := json.Marshal(c.Data)
					require.NoError(t, err)
					all++
					where := []any{"%s: %s: %s", filepath.Base(file), g.Description, c.Description}
					got := check(t, string(schema), string(value))
					if got != Unknown {
						decided++
						assert.Equal(t, c.Valid, got == Valid, where...)
					}
					whole := decode(t, string(schema))
					if part := New(whole).CheckPart(whole, decode(t, string(value))); part != Unknown && filepath.Base(file) != "format.json" {
						assert.Equal(t, c.Valid, part == Valid, where...)
					}
				}
			}
		}
		assert.GreaterOrEqual(t, float64(decided)/float64(all), minDecided, "%s: %d of %d are decided", draft, decided, all)
		t.Logf("%s: %d of %d", draft, decided, all)
	}
}

// A part is checked with what it refers to in the whole schema.
func TestParts(t *testing.T) {
	const document = `{"properties":{"a":{"type":"string"}},"required":["a"],"minItems":5,"$defs":{"x/y":{"type":"integer"}}}`
	for part, values := range map[string][2]string{
		`{"type":"array","maxItems":1}`:            {`[1]`, `[1,2]`},
		`{"$ref":"#/$defs/x~1y"}`:                  {`1`, `"1"`},
		`{"$ref":"#/properties/a"}`:                {`"x"`, `1`},
		`{"properties":{"a":{"type":"boolean"}}}`:  {`{"a":true}`, `{"a":"x"}`},
		`{"type":"string","format":"uri"}`:         {`"https://example.com"`, `""`},
		`{"type":"integer","maximum":12345678901}`: {`12345678901`, `12345678902`},
		`true`:  {`1`, ``},
		`false`: {``, `1`},
		`{"type":["string","null"],"enum":["a",null]}`: {`null`, `"b"`},
	} {
		for i, want := range []Verdict{Valid, Invalid} {
			if values[i] != "" {
				assert.Equal(t, want, New(decode(t, document)).CheckPart(decode(t, part), decode(t, values[i])), "%s: %s", part, values[i])
			}
		}
	}
	older := New(decode(t, `{"definitions":{"d":{"const":null}}}`))
	ref := decode(t, `{"anyOf":[{"$ref":"#/definitions/d"}]}`)
	assert.Equal(t, Valid, older.CheckPart(ref, nil))
	assert.Equal(t, Invalid, older.CheckPart(ref, "null"))
	assert.Equal(t, Unknown, New(decode(t, document)).CheckPart(decode(t, `{"$ref":"#"}`), decode(t, `{"a":1}`)))
}

// What a part does not refer to costs it nothing: 1,000 defaults are checked in a
// schema of 100 kB.
func TestManyParts(t *testing.T) {
	c := New(decode(t, `{"$defs":{"n":{"type":"integer"},`+many(2000, `"d%d":{"type":"object","description":"another definition"}`)+`}}`))
	part := decode(t, `{"$ref":"#/$defs/n"}`)
	for range 1000 {
		assert.Equal(t, Valid, c.CheckPart(part, json.Number("1")))
	}
}

func TestFormats(t *testing.T) {
	for format, values := range map[string][2]string{
		"email":     {"ada@example.com", "ada"},
		"uri":       {"https://example.com/", ""},
		"uuid":      {"123e4567-e89b-12d3-a456-426614174000", "123"},
		"date-time": {"2026-01-26t12:00:00z", "2026-01-26"},
		"date":      {"2026-01-26", "26.1."},
		"ipv4":      {"127.0.0.1", "::1"},
		"ipv6":      {"::1", "127.0.0.1"},
	} {
		schema := map[string]any{"format": format}
		assert.Equal(t, Valid, New(schema).CheckPart(schema, values[0]), format)
		assert.Equal(t, Invalid, New(schema).CheckPart(schema, values[1]), format)
	}
	schema := map[string]any{"format": "regex"}
	assert.Equal(t, Valid, New(schema).CheckPart(schema, "("), "which is not checked")
}

// A malformed schema, and one that refers to other documents, decide nothing.
func TestUndecided(t *testing.T) {
	for _, schema := range []string{
		`5`, `{"type":5}`, `{"enum":"x"}`, `{"pattern":5}`, `{"pattern":"(?=a)"}`, `{"minLength":"1"}`, `{"allOf":{}}`,
		`{"$ref":"other.json"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"#anchor"}`, `{"$ref":5}`, `{"$dynamicRef":"#"}`, `{"$ref":"#"}`,
		`{"allOf":[{"$id":"https://example.com/x"}]}`, `{"minimum":"1"}`,
	} {
		assert.Equal(t, Unknown, check(t, schema, `"a"`), schema)
		assert.Equal(t, Unknown, New(decode(t, `{}`)).CheckPart(decode(t, schema), "a"), schema)
	}
	for schema, value := range map[string]string{`{"minimum":1}`: `1e999`, `{"type":"integer"}`: `1e1000000000`} {
		assert.Equal(t, Unknown, check(t, schema, value), schema)
	}
	for _, data := range []string{``, `{`, `{} {}`, strings.Repeat(" ", MaxSchemaBytes) + `{}`} {
		_, err := Decode([]byte(data))
		assert.Error(t, err)
	}
}
