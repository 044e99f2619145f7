package schemacheck_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/schemacheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A schema that means something else to the validator than to the estimate overflows
// its stack, which ends the process.
func TestSchemasThatMeanSomethingElseAreNotChecked(t *testing.T) {
	const loop = `"$defs":{"a":{"$ref":"#/$defs/a"}}`
	for name, schema := range map[string]string{
		"case of $ref":        `{"$defs":{"a":{"$REF":"#/$defs/a"}},"$ref":"#/$defs/a"}`,
		"case of allOf":       `{` + loop + `,"allof":[{"$ref":"#/$defs/a"}]}`,
		"long s":              `{` + loop + `,"el\u017fe":{"$ref":"#/$defs/a"},"if":false}`,
		"reference into $id":  `{"$ref":"#/$defs/x/properties/y","$defs":{"a":true,"x":{"$id":"http://h/x","properties":{"y":{"$ref":"#/$defs/a"}},` + loop + `}}}`,
		"the same $id within": `{"$id":"http://h/x","$ref":"#/$defs/a","$defs":{"a":true,"b":{"$id":"http://h/x",` + loop + `}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schemacheck.Decode([]byte(schema))
			require.NoError(t, err)
			verdict, _ := schemacheck.New(s).Check("value")
			assert.Equal(t, schemacheck.Unknown, verdict)
			assert.Equal(t, schemacheck.Unknown, schemacheck.New(s).CheckPart(s, "value"))
		})
	}
}

func TestNamesAreNotKeywords(t *testing.T) {
	s, err := schemacheck.Decode([]byte(`{"properties":{"Type":{"type":"string"},"$id":{}},"dependentRequired":{"ID":["Type"]},"x-note":{"Items":1},"const":{"$ID":"a"}}`))
	require.NoError(t, err)
	verdict, _ := schemacheck.New(s).Check(map[string]any{"$ID": "a"})
	assert.Equal(t, schemacheck.Valid, verdict)
}

// Messages repeat values, the schema's own and paths, once for each schema applied.
func TestCostOfMessages(t *testing.T) {
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	refs := `"anyOf":` + list(`{"$ref":"#/$defs/e"}`, 2000)
	long := strings.Repeat("x", 100_000)
	var many strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&many, `"%d":{},`, i)
	}
	for name, test := range map[string]struct{ schema, value string }{
		"value":        {`{"$defs":{"e":{"type":"string"}},` + refs + `}`, list("1", 20_000)},
		"object":       {`{"$defs":{"e":{"type":"string"}},` + refs + `}`, `{"` + long + `":1}`},
		"const":        {`{"$defs":{"e":{"const":"` + long + `"}},` + refs + `}`, "1"},
		"enum":         {`{"$defs":{"e":{"enum":["` + long + `"]}},` + refs + `}`, "1"},
		"required":     {`{"$defs":{"e":{"required":["` + long + `"]}},` + refs + `}`, "{}"},
		"dependent":    {`{"$defs":{"e":{"dependentRequired":{"a":["` + long + `"]}}},` + refs + `}`, `{"a":1}`},
		"dependencies": {`{"$schema":"http://json-schema.org/draft-07/schema#","$defs":{"e":{"dependencies":{"a":["` + long + `"]}}},` + refs + `}`, `{"a":1}`},
		"$id":          {`{"$id":"http://h/` + long + `","type":"object","properties":{"a":{"anyOf":` + list(`{"$ref":"#"}`, 2000) + `}}}`, `{"a":1}`},
		"paths":        {`{"properties":{"` + long + `":{"anyOf":` + list("{}", 5000) + `}}}`, "{}"},
		"keywords":     {`{"$defs":{"e":{` + many.String() + `"a":{}}},` + refs + `}`, "{}"},
		"patterns":     {`{"$defs":{"e":{"patternProperties":{` + many.String() + `"a":{}}}},` + refs + `}`, "{}"},
		"large number": {`{"uniqueItems":true}`, `[1e999999,1e999999]`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schemacheck.Decode([]byte(test.schema))
			require.NoError(t, err)
			v, err := schemacheck.Decode([]byte(test.value))
			require.NoError(t, err)
			c := schemacheck.New(s)
			verdict, _ := c.Check(v)
			assert.Equal(t, schemacheck.Unknown, verdict)
			assert.True(t, c.Exhausted())
		})
	}
}
