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

func check(t *testing.T, schema, value string) (Verdict, string) {
	t.Helper()
	s, err := Decode([]byte(schema))
	require.NoError(t, err)
	v, err := Decode([]byte(value))
	require.NoError(t, err)
	return New(s).Check(s, v)
}

// The official test suite, as jsonschema-go carries it: a verdict is never wrong, and
// seldom unknown.
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
				Schema      json.RawMessage
				Tests       []struct {
					Description string
					Data        json.RawMessage
					Valid       bool
				}
			}
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &groups))
			for _, g := range groups {
				if g.Description == "ref overrides any sibling keywords" {
					continue // which this schema of draft 7 does not say of itself
				}
				for _, c := range g.Tests {
					all++
					got, problem := check(t, string(g.Schema), string(c.Data))
					if got == Unknown {
						continue
					}
					decided++
					assert.Equal(t, c.Valid, got == Valid, "%s: %s: %s: %s", filepath.Base(file), g.Description, c.Description, problem)
				}
			}
		}
		assert.GreaterOrEqual(t, float64(decided)/float64(all), minDecided, "%s: %d of %d are decided", draft, decided, all)
		t.Logf("%s: %d of %d", draft, decided, all)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, `null`, "type: null is not of type string"},
		{`{"type":["integer","null"]}`, `"5"`, `type: "5" is not of type integer or null`},
		{`{"type":"integer"}`, `1.5`, "type: 1.5 is not of type integer"},
		{`{"enum":["a","b","c","d","e","f","g"]}`, `{}`, `enum: an object is not one of "a", "b", "c", "d", "e", 2 more`},
		{`{"const":[1]}`, `1`, "const: 1 is not an array"},
		{`{"minimum":3}`, `2`, "minimum 3: it is 2"},
		{`{"maximum":3,"exclusiveMaximum":true}`, `3`, "maximum 3: it is 3"},
		{`{"minLength":2}`, `"\u00e9"`, "minLength 2: it has 1 characters"},
		{`{"pattern":"^b+$"}`, `"a"`, `pattern: "a" does not match "^b+$"`},
		{`{"format":"date"}`, `"soon"`, `format: "soon" is not of format date`},
		{`{"required":["x"]}`, `{}`, `required: "x" is missing`},
		{`{"properties":{"a":{"properties":{"b":{"items":{"type":"boolean"}}}}}}`, `{"a":{"b":[true,0]}}`, "/a/b/1: type: 0 is not of type boolean"},
		{`{"additionalProperties":false}`, `{"q":1}`, "/q: it is not allowed"},
		{`{"properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"null"}}}`, `{"a":1}`, "/a: type: 1 is not of type null"},
		{`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, "anyOf: no alternative matches"},
		{`{"not":{}}`, `1`, "not: it matches"},
	} {
		verdict, problem := check(t, c.schema, c.value)
		assert.Equal(t, Invalid, verdict, c.schema)
		assert.Equal(t, c.want, problem, c.schema)
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
		"regex":     {"(", "\x00\x00"},
	} {
		for i, want := range []Verdict{Valid, Invalid} {
			if format == "regex" && i == 1 {
				continue // a format that is not checked
			}
			s := map[string]any{"format": format}
			got, _ := New(s).Check(s, values[i])
			assert.Equal(t, want, got, "%s %q", format, values[i])
		}
	}
}

// A malformed schema, and one with what is not known, decide nothing.
func TestUndecided(t *testing.T) {
	for _, schema := range []string{
		`5`, `{"type":5}`, `{"type":"text"}`, `{"enum":"x"}`, `{"pattern":5}`, `{"pattern":"(?=a)"}`, `{"minLength":"1"}`, `{"allOf":{}}`,
		`{"$ref":"other.json"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"#anchor"}`, `{"$ref":5}`, `{"$dynamicRef":"#"}`, `{"$ref":"#"}`,
		`{"allOf":[{"$id":"https://example.com/x"}]}`,
	} {
		verdict, problem := check(t, schema, `"a"`)
		assert.Equal(t, Unknown, verdict, schema)
		assert.Empty(t, problem)
	}
	for schema, value := range map[string]string{
		`{"properties":[]}`: `{"a":1}`, `{"required":"a"}`: `{}`, `{"unevaluatedProperties":false}`: `{}`, `{"multipleOf":0}`: `1`,
		`{"minimum":"1"}`: `1`, `{"minimum":1}`: `1e999`, `{"type":"integer"}`: `1e1000000000`, `{"items":[{}],"prefixItems":5,"contains":{},"minContains":1}`: `[1]`,
	} {
		verdict, _ := check(t, schema, value)
		assert.Equal(t, Unknown, verdict, schema)
	}
	for _, data := range []string{``, `{`, `{} {}`, strings.Repeat(" ", MaxSchemaBytes) + `{}`} {
		_, err := Decode([]byte(data))
		assert.Error(t, err)
	}
}
