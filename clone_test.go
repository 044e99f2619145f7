package mcpapps_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

// Values that can't be encoded as JSON are rejected: the SDK would not answer a
// list that contains them, and a map that contains itself overflowed the stack,
// from which a program can't recover.
func TestMetaWithoutJSON(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	for want, v := range map[string]any{
		`json: unsupported value: encountered a cycle via map[string]interface {}`: cycle,
		`json: unsupported type: func()`:                                           func() {},
		`json: unsupported value: NaN`:                                             map[string]float64{"a": math.NaN()},
	} {
		for _, meta := range []mcp.Meta{{"vendor": v}, {"ui": map[string]any{"vendor": v}}} {
			for k := range meta {
				message := `_meta["` + k + `"] can't be encoded as JSON: ` + want
				assert.EqualError(t, mcpapps.SetToolUI(&mcp.Tool{Name: "x", Meta: meta}, mcpapps.AppOnly("")), `mcpapps.SetToolUI: tool "x": `+message)
				assert.PanicsWithValue(t, `mcpapps.RegisterAppResource: resource "ui://a": `+message, func() {
					mcpapps.RegisterAppResource(newServer(), &mcp.Resource{URI: "ui://a", Meta: meta}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<p>"))
				})
			}
			assert.NotNil(t, mcpapps.WithoutUI(&mcp.Tool{Meta: meta}))
		}
	}
	// In an author's own registry the SDK fails; this package does not reject the
	// list.
	s := newServer()
	mcpapps.Enable(s, &mcpapps.Options{OmitAppToolsForText: true})
	mcp.AddTool(s, &mcp.Tool{Name: "own", Meta: mcp.Meta{"ui": map[string]any{"visibility": []string{"app"}, "vendor": cycle}}}, say(""))
	assert.NotContains(t, connectRaw(t, s, "2025-11-25", capsText).result("tools/list", `{}`), "own")
}

// Pointers, structs and arrays have their values at registration on the wire.
func TestPointersAreCopied(t *testing.T) {
	type vendor struct {
		List []int          `json:"list"`
		Map  map[string]any `json:"map"`
		Big  int64          `json:"big"`
	}
	v := vendor{List: []int{1}, Map: map[string]any{"k": "v"}, Big: 9007199254740993}
	values := map[string]any{"pointer": &v, "struct": v, "pointers": map[string]*vendor{"a": &v}, "array": [1][]int{v.List}}
	const wire = `{"list":[1],"map":{"k":"v"},"big":9007199254740993}`
	s := newServer()
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "x", Meta: mcp.Meta{"vendor": values, "ui": map[string]any{"own": values}}},
		mcpapps.ToolUIMetadata{ResourceURI: "ui://a", Extra: map[string]any{"extra": values}}, say(""))
	v.List[0], v.Map["k"], v.Big = 2, "changed", 0

	var list struct {
		Tools []struct {
			Meta struct {
				Vendor map[string]json.RawMessage
				UI     struct{ Own, Extra map[string]json.RawMessage }
			} `json:"_meta"`
		}
	}
	assert.NoError(t, json.Unmarshal([]byte(connectRaw(t, s, "2025-11-25", capsUI).result("tools/list", `{}`)), &list))
	m := list.Tools[0].Meta
	for _, got := range []map[string]json.RawMessage{m.Vendor, m.UI.Own, m.UI.Extra} {
		assert.JSONEq(t, wire, string(got["pointer"]))
		assert.Contains(t, string(got["pointer"]), "9007199254740993")
		assert.JSONEq(t, wire, string(got["struct"]))
		assert.JSONEq(t, `{"a":`+wire+`}`, string(got["pointers"]))
		assert.JSONEq(t, `[[1]]`, string(got["array"]))
	}
}

// WithoutUI returns a copy: writing to its Meta does not change the tool.
func TestWithoutUIIsACopy(t *testing.T) {
	tool := &mcp.Tool{Name: "x", Meta: mcp.Meta{"vendor": 1}}
	mcpapps.WithoutUI(tool).Meta["more"] = 2
	assert.Equal(t, mcp.Meta{"vendor": 1}, tool.Meta)
}
