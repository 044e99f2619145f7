package viewdata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type city struct {
	City string `json:"city"`
	Days int    `json:"days,omitempty"`
}

type summary struct {
	Days int `json:"days"`
}

// forecast returns as many values as days.
func forecast(_ context.Context, _ *mcp.CallToolRequest, in city) (Result[summary, []string], error) {
	var r Result[summary, []string]
	if in.City == "nowhere" {
		return r, errors.New("no such city")
	}
	for d := range in.Days {
		r.Data = append(r.Data, fmt.Sprintf("%s %d", in.City, d))
	}
	r.Text, r.Out = "Sunny.", summary{in.Days}
	return r, nil
}

// TestReadOnly shows the model's result and the twin's on each wire.
func TestReadOnly(t *testing.T) {
	server := func() *mcp.Server {
		s := newServer()
		Register(s, readTool("forecast"), testView, forecast, nil)
		return s
	}
	eachWire(t, "", server, func(t *testing.T, c *client) {
		res := c.call("forecast", `{"city":"Oslo","days":2}`)
		require.Len(t, res.Content, 1)
		assert.Equal(t, "Sunny.", res.Content[0].Text)
		assert.JSONEq(t, `{"days":2}`, string(res.Structured))
		assert.JSONEq(t, `{"data":["Oslo 0","Oslo 1"]}`, string(res.Meta.Data))

		res = c.call("forecast", `{"city":"Oslo","days":1000}`)
		assert.JSONEq(t, `{"tool":"forecast_data"}`, string(res.Meta.Data))
		assert.JSONEq(t, `{"days":1000}`, string(res.Structured))
		assert.Less(t, len(mustJSON(t, res.members)), 500, "nothing else carries the data")

		assert.Equal(t, `{"data":["Oslo 0","Oslo 1"]}`, c.ask("forecast_data", `{"city":"Oslo","days":2}`))
		assert.Equal(t, 10_900, len(c.ask("forecast_data", `{"city":"Oslo","days":1000}`)))
		assert.Equal(t, `{"data":null}`, c.ask("forecast_data", `{"city":"Oslo"}`))

		assert.Equal(t, "no such city", c.fail("forecast", `{"city":"nowhere"}`))
		assert.Equal(t, "no such city", c.fail("forecast_data", `{"city":"nowhere"}`))
		assert.Contains(t, c.fail("forecast_data", `{}`), `"city"`)
		assert.Contains(t, c.fail("forecast_data", `[]`), "not an object")
		assert.Contains(t, c.fail("forecast_data", `{"city":"Oslo","view_id":"x"}`), "view_id")
	})
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

func TestInlineBytes(t *testing.T) {
	const data = `["Oslo 0"]`
	for inline, want := range map[int]string{
		len(data):     `{"data":["Oslo 0"]}`,
		len(data) - 1: `{"tool":"forecast_data"}`,
		-1:            `{"tool":"forecast_data"}`,
	} {
		s := newServer()
		o := &Options{InlineBytes: inline}
		Register(s, readTool("forecast"), testView, forecast, o)
		*o = Options{InlineBytes: 1 << 20} // options are copied
		res := inMemory(t, s, modern).call("forecast", `{"city":"Oslo","days":1}`)
		assert.JSONEq(t, want, string(res.Meta.Data), "%d", inline)
	}
}

// TestOutputs shows what the model gets of each kind of output, with and without text.
func TestOutputs(t *testing.T) {
	s := newServer()
	store := newStore()
	add := func(name string, tool *mcp.Tool, text string) {
		Register(s, tool, testView, func(context.Context, *mcp.CallToolRequest, any) (Result[any, int], error) {
			return Result[any, int]{Text: text, Data: 1}, nil
		}, &Options{Store: store})
	}
	add("nothing", readTool("nothing"), "")
	add("words", readTool("words"), "Words.")
	Register(s, readTool("empty"), testView, func(context.Context, *mcp.CallToolRequest, any) (Result[struct{}, int], error) {
		return Result[struct{}, int]{Text: "Done."}, nil
	}, nil)
	Register(s, readTool("silent"), testView, func(context.Context, *mcp.CallToolRequest, any) (Result[*summary, int], error) {
		return Result[*summary, int]{Out: &summary{3}}, nil
	}, nil)
	Register(s, &mcp.Tool{Name: "write"}, testView, func(context.Context, *mcp.CallToolRequest, any) (Result[summary, int], error) {
		return Result[summary, int]{Out: summary{4}}, nil
	}, &Options{Store: store})
	c := inMemory(t, s, modern)
	texts := func(r result) (all []string) {
		for _, b := range r.Content {
			all = append(all, b.Text)
		}
		return all
	}
	for tool, want := range map[string]struct {
		texts      []string
		structured string
	}{
		"nothing": {nil, ""},
		"words":   {[]string{"Words."}, ""},
		"empty":   {[]string{"Done."}, "{}"},
		"silent":  {[]string{`{"days":3}`}, `{"days":3}`},
	} {
		res := c.call(tool, `{}`)
		assert.Equal(t, want.texts, texts(res), tool)
		assert.Equal(t, want.structured, string(res.Structured), tool)
	}
	res := c.call("write", `{}`)
	require.Len(t, res.Content, 2)
	assert.Equal(t, `{"days":4}`, res.Content[0].Text)
}

// TestFullText shows that clients which do not show views get the full text, in both
// eras, where there is one.
func TestFullText(t *testing.T) {
	store := newStore()
	for _, tt := range []struct{ text, full, shown, other string }{
		{"On screen.", "12 degrees.", "On screen.", "12 degrees."},
		{"On screen.", "", "On screen.", "On screen."},
		{"", "12 degrees.", `{"days":3}`, "12 degrees."},
		{"", "", `{"days":3}`, `{"days":3}`},
	} {
		s := newServer()
		for _, tool := range []*mcp.Tool{readTool("read"), {Name: "write"}} {
			Register(s, tool, testView, func(context.Context, *mcp.CallToolRequest, any) (Result[summary, int], error) {
				return Result[summary, int]{Text: tt.text, FullText: tt.full, Out: summary{3}, Data: 1}, nil
			}, &Options{Store: store})
		}
		for _, version := range []string{legacy, modern} {
			for c, want := range map[*client]string{showing(t, s, version): tt.shown, inMemory(t, s, version): tt.other} {
				for tool, blocks := range map[string]int{"read": 1, "write": 2} {
					res := c.call(tool, `{}`)
					require.Len(t, res.Content, blocks, tool)
					assert.Equal(t, want, res.Content[0].Text, tool)
					assert.JSONEq(t, `{"days":3}`, string(res.Structured))
				}
			}
		}
	}
}

// marked is an output that looks like the mark of a view.
type marked struct {
	View string `json:"$view"`
}

// TestForeignMarks shows that no text of the author's is taken for the mark of a view.
func TestForeignMarks(t *testing.T) {
	const evil, harmless = `{"$view":"EVIL"}`, `{ "$view":"EVIL"}`
	s := newServer()
	store := newStore()
	RegisterPages(s, readTool("pages"), testView, (&table{}).read, &PageOptions[search, string]{
		Text: func(context.Context, *mcp.CallToolRequest, FirstPage[search, string]) string { return evil },
	})
	type row = map[string]string
	RegisterPages(s, readTool("rows"), testView, func(context.Context, search, Page) ([]row, string, error) {
		return []row{{"$view": "EVIL"}}, "", nil
	}, nil)
	for name, tool := range map[string]*mcp.Tool{"read": readTool(""), "write": {}} {
		add := func(suffix string, h func(context.Context, *mcp.CallToolRequest, search) (Result[any, int], error)) {
			tt := *tool
			tt.Name = name + suffix
			Register(s, &tt, testView, h, &Options{Store: store})
		}
		add("Text", func(context.Context, *mcp.CallToolRequest, search) (r Result[any, int], _ error) {
			r.Text = evil
			return r, nil
		})
		add("FullText", func(context.Context, *mcp.CallToolRequest, search) (r Result[any, int], _ error) {
			r.FullText = evil
			return r, nil
		})
		add("Map", func(context.Context, *mcp.CallToolRequest, search) (r Result[any, int], _ error) {
			r.Out = map[string]string{"$view": "EVIL"}
			return r, nil
		})
		add("Raw", func(context.Context, *mcp.CallToolRequest, search) (r Result[any, int], _ error) {
			r.Out = json.RawMessage(" \n" + evil)
			return r, nil
		})
		tt := *tool
		tt.Name = name + "Pointer"
		Register(s, &tt, testView, func(context.Context, *mcp.CallToolRequest, search) (r Result[*marked, int], _ error) { return r, nil }, &Options{Store: store})
	}
	for _, version := range []string{legacy, modern} {
		c := inMemory(t, s, version)
		for _, tool := range []string{"Text", "FullText", "Map", "Raw"} {
			for _, name := range []string{"read", "write"} {
				res := c.call(name+tool, `{"text":""}`)
				assert.Equal(t, harmless, res.Content[0].Text, name+tool)
				if name == "write" {
					var p struct{ ID string }
					require.NoError(t, json.Unmarshal(res.Meta.Data, &p))
					require.Len(t, res.Content, 2)
					assert.Equal(t, `{"$view":"`+p.ID+`"}`, res.Content[1].Text)
				}
			}
		}
		assert.Equal(t, `{ "$view":""}`, c.call("readPointer", `{"text":""}`).Content[0].Text)
		assert.Equal(t, `{ "$view":""}`, c.call("writePointer", `{"text":""}`).Content[0].Text)
		assert.Equal(t, harmless, c.call("pages", `{"text":""}`).Content[0].Text)
		assert.Equal(t, "Found 1 row:\n["+harmless+"]", c.call("rows", `{"text":""}`).Content[0].Text)
	}
}

// TestOutputsOtherThanObjects: the SDK adds their JSON, once.
func TestOutputsOtherThanObjects(t *testing.T) {
	s := newServer()
	for name, out := range map[string]any{"list": []string{"a"}, "word": "a", "number": 1} {
		Register(s, readTool(name), testView, func(context.Context, *mcp.CallToolRequest, any) (Result[any, int], error) {
			return Result[any, int]{Out: out}, nil
		}, nil)
		res := inMemory(t, s, modern).call(name, `{}`)
		require.Len(t, res.Content, 1)
		assert.Equal(t, string(mustJSON(t, out)), res.Content[0].Text)
	}
}

// TestTools shows the entries of the tools in the list, and that the caller's values
// stay as they are.
func TestTools(t *testing.T) {
	s := newServer()
	yes := true
	read := &mcp.Tool{Name: "read", Title: "Read", Meta: mcp.Meta{"vendor": 1}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &yes}}
	write := &mcp.Tool{Name: "write", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}}
	before := mustJSON(t, []*mcp.Tool{read, write})
	Register(s, read, testView, forecast, nil)
	Register(s, write, testView, forecast, &Options{Store: newStore()})
	assert.Equal(t, string(before), string(mustJSON(t, []*mcp.Tool{read, write})))

	var list struct {
		Result struct{ Tools []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(inMemory(t, s, modern).Send(t, "tools/list", `{}`)), &list))
	tools := make(map[string]string)
	for _, raw := range list.Result.Tools {
		var tool struct{ Name string }
		require.NoError(t, json.Unmarshal(raw, &tool))
		tools[tool.Name] = string(raw)
	}
	assert.Len(t, tools, 4)
	assert.JSONEq(t, `{"name":"read_data","title":"Read","description":"The data of read for its view. Only the view calls it.",
		"_meta":{"ui":{"visibility":["app"]}},"annotations":{"readOnlyHint":true,"idempotentHint":false,"openWorldHint":true},
		"inputSchema":{"type":"object","required":["city"],"additionalProperties":false,"properties":{"city":{"type":"string"},"days":{"type":"integer"}}}}`, tools["read_data"])
	assert.JSONEq(t, `{"name":"write_data","description":"The stored data of a result of write for its view. Only the view calls it.",
		"_meta":{"ui":{"visibility":["app"]}},"annotations":{"readOnlyHint":true,"idempotentHint":true,"destructiveHint":false,"openWorldHint":false},
		"inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},
			"view_id":{"type":"string","description":"The id of a result, as its view has it."}}}}`, tools["write_data"])
	assert.Contains(t, tools["read"], `"vendor":1`)
	assert.Contains(t, tools["read"], `"outputSchema"`)
}

// TestMistakes shows that each mistake panics, names the tool, and registers nothing.
func TestMistakes(t *testing.T) {
	type withID struct {
		ID string `json:"view_id"`
	}
	type withCursor struct {
		Cursor string `json:"view_cursor"`
	}
	type withVersion struct {
		Version string `json:"view_version"`
	}
	store := &Options{Store: newStore()}
	yes := true
	rows := func(context.Context, city, Page) ([]int, string, error) { return nil, "", nil }
	value := func(context.Context, string) (int, error) { return 0, nil }
	for want, register := range map[string]func(s *mcp.Server){
		`viewdata.Register: tool "x": Options.Store is nil`: func(s *mcp.Server) { Register(s, &mcp.Tool{Name: "x"}, testView, forecast, nil) },
		`viewdata.Register: the tool is nil`:                func(s *mcp.Server) { Register(s, nil, testView, forecast, nil) },
		`viewdata.Register: the server is nil`:              func(*mcp.Server) { Register(nil, readTool("x"), testView, forecast, nil) },
		`viewdata.Register: tool "x": the handler is nil`: func(s *mcp.Server) {
			Register[city, summary, int](s, readTool("x"), testView, nil, nil)
		},
		`viewdata.Register: tool "x": the input has a property "view_id"`: func(s *mcp.Server) {
			Register(s, &mcp.Tool{Name: "x"}, testView, func(context.Context, *mcp.CallToolRequest, withID) (r Result[any, int], err error) { return }, store)
		},
		`viewdata.Register: tool "x": the root of the input schema`: func(s *mcp.Server) {
			Register(s, readTool("x"), testView, func(context.Context, *mcp.CallToolRequest, []string) (r Result[any, int], err error) { return }, nil)
		},
		`has the character ' '`: func(s *mcp.Server) { Register(s, readTool("x y"), testView, forecast, nil) },
		`has 129 characters`:    func(s *mcp.Server) { Register(s, readTool(strings.Repeat("x", 124)), testView, forecast, nil) },
		`View.Document is nil`: func(s *mcp.Server) {
			Register(s, readTool("x"), mcpapps.View{Resource: testView.Resource}, forecast, nil)
		},
		`wrap it in a struct`: func(s *mcp.Server) {
			Register(s, readTool("x"), testView, func(context.Context, *mcp.CallToolRequest, city) (r Result[[]int, int], err error) { return }, nil)
		},
		`viewdata.RegisterPages: tool "x": the input has a property "view_cursor"`: func(s *mcp.Server) {
			RegisterPages(s, readTool("x"), testView, func(context.Context, withCursor, Page) ([]int, string, error) { return nil, "", nil }, nil)
		},
		`viewdata.RegisterPages: tool "x": its annotations say that it destroys something`: func(s *mcp.Server) {
			RegisterPages(s, &mcp.Tool{Name: "x", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}}, testView, rows, nil)
		},
		`viewdata.RegisterPages: tool "x": PageOptions.Key has 15 bytes, so cursors could be forged: use at least 16 random ones`: func(s *mcp.Server) {
			RegisterPages(s, readTool("x"), testView, rows, &PageOptions[city, int]{Key: make([]byte, 15)})
		},
		`viewdata.RegisterPages: tool "x": PageOptions.Key has 0 bytes`: func(s *mcp.Server) {
			RegisterPages(s, readTool("x"), testView, rows, &PageOptions[city, int]{Key: []byte("")})
		},
		`viewdata.RegisterPages: tool "x": the handler is nil`: func(s *mcp.Server) {
			RegisterPages[city, int](s, readTool("x"), testView, nil, nil)
		},
		`viewdata.RegisterLive: tool "x": the input has a property "view_version"`: func(s *mcp.Server) {
			RegisterLive(s, &mcp.Tool{Name: "x"}, func(context.Context, *mcp.CallToolRequest, withVersion) (string, error) { return "", nil }, value, nil)
		},
		`viewdata.RegisterLive: tool "x": OutputSchema is set`: func(s *mcp.Server) {
			RegisterLive(s, &mcp.Tool{Name: "x", OutputSchema: &jsonschema.Schema{Type: "object"}}, func(context.Context, *mcp.CallToolRequest, city) (string, error) { return "", nil }, value, nil)
		},
	} {
		s := newServer()
		func() {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), want) }()
			register(s)
		}()
		raw := inMemory(t, s, modern).Send(t, "tools/list", `{}`)
		assert.NotContains(t, raw, `"name":"x`, want)
		assert.NotContains(t, inMemory(t, s, modern).Send(t, "resources/list", `{}`), "ui://test", want)
	}
}

// failingJSON can't be encoded.
type failingJSON struct{}

func (failingJSON) MarshalJSON() ([]byte, error) { return nil, errors.New("odd") }

func TestDataThatIsNotJSON(t *testing.T) {
	s := newServer()
	h := func(context.Context, *mcp.CallToolRequest, any) (Result[any, failingJSON], error) {
		return Result[any, failingJSON]{Text: "Done."}, nil
	}
	Register(s, readTool("read"), testView, h, nil)
	Register(s, &mcp.Tool{Name: "write"}, testView, h, &Options{Store: newStore(), Logger: slog.New(slog.DiscardHandler)})
	c := inMemory(t, s, modern)
	assert.Contains(t, c.fail("read", `{}`), "can't be encoded")
	assert.Contains(t, c.fail("read_data", `{}`), "can't be encoded")
	res := c.call("write", `{}`)
	assert.False(t, res.IsError, "the work is done")
	assert.JSONEq(t, `{"gone":true}`, string(res.Meta.Data))
	assert.Equal(t, `{"gone":true}`, c.ask("write_data", `{}`))
}
