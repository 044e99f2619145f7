package schemacheck

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// doubling is a schema whose every level applies the next one twice.
func doubling(keyword string, levels int) string {
	var defs strings.Builder
	for i := range levels {
		fmt.Fprintf(&defs, `"a%d":{"%s":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%[3]d"}]},`, i, keyword, i+1)
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/a0","$defs":{%s"a%d":{"type":"object"}}}`, defs.String(), levels)
}

// hostile are schemas, and values for them, that would be expensive without bounds.
var hostile = map[string][2]string{
	"allOf twice each level":    {doubling("allOf", 30), `{}`},
	"anyOf twice each level":    {doubling("anyOf", 30), `[]`},
	"oneOf twice each level":    {doubling("oneOf", 30), `{}`},
	"a schema that is its own":  {`{"$ref":"#"}`, `{}`},
	"allOf of itself":           {`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `{}`},
	"not of itself":             {`{"not":{"$ref":"#"}}`, `{}`},
	"20,000 properties":         {`{"properties":{` + many(20_000, `"p%d":{"type":"string"}`) + `},"required":[` + many(20_000, `"p%d"`) + `]}`, `{` + many(20_000, `"p%d":"x"`) + `}`},
	"patterns for properties":   {`{"patternProperties":{` + many(1000, `"^p%d":{}`) + `}}`, `{` + many(1000, `"p%d":1`) + `}`},
	"nested":                    {strings.Repeat(`{"not":`, 9000) + `true` + strings.Repeat(`}`, 9000), `1`},
	"nested values":             {`{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#/$defs/a"}}}}`, strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000)},
	"backtracking":              {`{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 100_000) + `!"`},
	"repetitions":               {`{"pattern":"` + strings.Repeat(`a{1000}`, 140) + `"}`, `"` + strings.Repeat("a", 500_000) + `"`},
	"a long pattern":            {`{"pattern":"` + strings.Repeat(`(a|b)*`, 100_000) + `"}`, `"x"`},
	"many patterns":             {`{"allOf":[` + many(900, `{"pattern":"`+strings.Repeat("a{1000}", 100)+`%d"}`) + `]}`, `"x"`},
	"unique items":              {`{"uniqueItems":true}`, `[` + many(50_000, `%d`) + `]`},
	"equal items in an enum":    {`{"items":{"enum":[` + many(5_000, `[%d]`) + `]}}`, `[` + many(50_000, `[-%d]`) + `]`},
	"a number":                  {`{"multipleOf":1e-400}`, `1e400`},
	"a number with more digits": {`{"multipleOf":3}`, strings.Repeat("1", 500_000)},
}

func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestHostileSchemasEnd(t *testing.T) {
	for name, c := range hostile {
		verdict := check(t, c[0], c[1])
		if strings.Contains(name, "itself") || strings.HasSuffix(name, "level") || strings.HasPrefix(name, "nested") {
			assert.Equal(t, Unknown, verdict, name)
		}
	}
}

func TestCostOfHostileSchemas(t *testing.T) {
	testenv.Measure(t)
	for name, c := range hostile {
		s, err := Decode([]byte(c[0]))
		require.NoError(t, err)
		v, err := Decode([]byte(c[1]))
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := cputime.Used()
		_, _ = New(s).Check(v)
		took := cputime.Used() - start
		runtime.ReadMemStats(&after)
		assert.Less(t, took, 2*time.Second, name)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), name)
	}
}
