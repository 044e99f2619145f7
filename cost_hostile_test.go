package mcpapps

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/cputime"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCostOfHostileValues: what a client sends to a server, or a server to a host,
// costs at most in proportion to its size, whatever is in it.
func TestCostOfHostileValues(t *testing.T) {
	testenv.Measure(t)
	decoded := func(format string, args ...any) map[string]any {
		var v map[string]any
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, format, args...), &v))
		return v
	}
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	object := func(value string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":%s,`, i, value)
		}
		return "{" + strings.TrimSuffix(b.String(), ",") + "}"
	}
	asked := func(caps string) func() {
		meta := mcp.Meta{mcp.MetaKeyClientCapabilities: decoded(`{"extensions":{%q:%s}}`, ExtensionID, caps)}
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: meta}}
		return func() { ClientSupport(t.Context(), req) }
	}
	readTool := func(ui string) func() {
		tool := &mcp.Tool{Name: "x", Meta: decoded(`{"ui":%s}`, ui)}
		return func() {
			_, _ = ToolUI(tool)
			VisibleTo(tool, VisibilityModel)
			WithoutUI(tool)
		}
	}
	readApp := func(ui string) func() {
		meta := mcp.Meta(decoded(`{"ui":%s}`, ui))
		return func() {
			m, _ := ResourceUI(nil, meta)
			m.CSP.Policy()
			m.Permissions.Allow()
			_ = m.Validate()
		}
	}
	unmarshal := func(ui string) func() {
		return func() {
			_ = json.Unmarshal([]byte(ui), new(ToolUIMetadata))
			_ = json.Unmarshal([]byte(ui), new(ResourceUIMetadata))
		}
	}
	for name, f := range map[string]func(n int) func(){
		"media types": func(n int) func() {
			return asked(`{"mimeTypes":` + list(`"text/html;profile=mcp-ap;a=b"`, n) + `}`)
		},
		"one long media type": func(n int) func() { return asked(`{"mimeTypes":["text/html` + strings.Repeat(`;a=b`, 10*n) + `"]}`) },
		"quotes in media types": func(n int) func() {
			return asked(`{"mimeTypes":["text/html;a=\"` + strings.Repeat(`\\\"`, 10*n) + `"]}`)
		},
		"continued parameters": func(n int) func() {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ";a*%d=b", i)
			}
			return asked(`{"mimeTypes":["text/html` + b.String() + `"]}`)
		},
		"extension of many keys": func(n int) func() { return asked(object(`{}`, n)) },
		"visibility":             func(n int) func() { return readTool(`{"visibility":` + list(`"user"`, n) + `}`) },
		"visibility that ends in a number": func(n int) func() {
			return readTool(`{"visibility":` + strings.Replace(list(`"app"`, n), `]`, `,1]`, 1) + `}`)
		},
		"unknown keys of a tool": func(n int) func() { return readTool(object(`{"a":[1]}`, n)) },
		"a long URI":             func(n int) func() { return readTool(`{"resourceUri":"ui://` + strings.Repeat("%41", 10*n) + `"}`) },
		"a long invalid URI":     func(n int) func() { return readTool(`{"resourceUri":"` + strings.Repeat(`\u0000`, 10*n) + `"}`) },
		"domains": func(n int) func() {
			return readApp(`{"csp":{"connectDomains":` + list(`"https://a.example"`, n) + `}}`)
		},
		"long domains": func(n int) func() {
			return readApp(`{"csp":{"frameDomains":["https://` + strings.Repeat("a.", 10*n) + `"]}}`)
		},
		"unknown keys of the csp": func(n int) func() { return readApp(`{"csp":` + object(`["x"]`, n) + `}`) },
		"unknown permissions":     func(n int) func() { return readApp(`{"permissions":` + object(`{}`, n) + `}`) },
		"unknown keys of an app":  func(n int) func() { return readApp(object(`{"a":[1]}`, n)) },
		"keys that resemble known": func(n int) func() {
			return readApp(`{"csp":` + strings.ReplaceAll(object(`1`, n), `"k`, `"connectDomain_`) + `}`)
		},
		"a long value of a wrong type": func(n int) func() {
			return readApp(`{"csp":` + list(`"x"`, n) + `,"permissions":{"camera":` + list(`1`, n) + `},"domain":` + list(`{}`, n) + `}`)
		},
		"numbers":                  func(n int) func() { return unmarshal(`{"a":` + list(`123456789012345678901234567890`, n) + `}`) },
		"one long number":          func(n int) func() { return unmarshal(`{"a":` + strings.Repeat("1", 10*n) + `}`) },
		"exponents":                func(n int) func() { return unmarshal(`{"a":` + list(`1e999999999`, n) + `}`) },
		"nested objects":           func(n int) func() { return unmarshal(`{"a":` + list(nested(100), n/100) + `}`) },
		"nested objects of an app": func(n int) func() { return readApp(`{"csp":{"a":` + list(nested(100), n/100) + `}}`) },
		"deepest nesting":          func(n int) func() { return readApp(`{"a":` + nested(min(n, 9_000)) + `}`) },
	} {
		t.Run(name, func(t *testing.T) {
			const n, more = 1_000, 8
			small, large := cpu(f(n), more), cpu(f(more*n), 1)
			t.Logf("%v for %d times %d, %v for %d", small, more, n, large, more*n)
			// In proportion it is 1; quadratic cost makes it 8.
			assert.LessOrEqual(t, large, 4*small+20*time.Millisecond)
		})
	}
}

// cpu returns the least processor time that some runs of f take.
func cpu(f func(), times int) time.Duration {
	least := time.Duration(1 << 62)
	for range 3 {
		start := cputime.Used()
		for range times {
			f()
		}
		least = min(least, cputime.Used()-start)
	}
	return least
}
