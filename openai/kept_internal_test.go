package openai

import (
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSettingsAreKept: servers that declare the same settings share what follows from it,
// and nothing is shared with those that declare others.
func TestSettingsAreKept(t *testing.T) {
	type kept struct {
		Sort string `json:"sort"`
	}
	fields := func(f jsonschema.Schema) map[string]*jsonschema.Schema {
		return map[string]*jsonschema.Schema{"sort": &f}
	}
	declare := func(f jsonschema.Schema, groups ...SettingsGroup) *declaredSettings {
		d, err := settingsType[kept]().declared(fields(f), groups)
		require.NoError(t, err)
		return d
	}
	first := declare(jsonschema.Schema{Title: "Sort"})
	assert.Same(t, first, declare(jsonschema.Schema{Title: "Sort"}))
	for _, other := range []*declaredSettings{
		declare(jsonschema.Schema{Title: "Order"}),
		declare(jsonschema.Schema{Title: "Sort", Enum: []any{"date"}}),
		declare(jsonschema.Schema{Title: "Sort"}, SettingsGroup{Title: "G"}),
	} {
		assert.NotEqual(t, string(first.schemaJSON)+string(first.layoutJSON), string(other.schemaJSON)+string(other.layoutJSON))
	}
	declare(jsonschema.Schema{Title: "Sort"})
	_, err := settingsType[kept]().declared(fields(jsonschema.Schema{Title: "Sort", Enum: []any{}}), nil)
	assert.EqualError(t, err, `the setting "sort" has an empty Enum: list the values, or leave it nil`)
	_, err = settingsType[kept]().declared(nil, nil)
	assert.ErrorContains(t, err, "has no entry for the setting")
}

// TestToolsAreKept: a tool is checked again if anything that the rules read differs, and what
// is kept is bounded.
func TestToolsAreKept(t *testing.T) {
	type opened struct {
		File OpenedFile `json:"file"`
	}
	no := false
	tool := func(meta mcp.Meta) *mcp.Tool {
		return &mcp.Tool{Name: "t", Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}, Meta: meta}
	}
	file := ToolUI{Entrypoints: []Entrypoint{File(".note")}}
	in := inputOf(reflect.TypeFor[opened]())
	in.correct = nil // of an earlier run in this process
	for range 2 {
		assert.Same(t, in.schema, Tool[opened](tool(nil), file).InputSchema)
		assert.Len(t, in.correct, 1)
	}
	assert.Panics(t, func() { Tool[opened](tool(nil), ToolUI{Entrypoints: []Entrypoint{Global(nil)}}) })
	assert.Panics(t, func() { Tool[opened](&mcp.Tool{Name: "t"}, file) })
	assert.Panics(t, func() { Tool[opened](tool(mcp.Meta{"openai/outputTemplate": 1}), file) })
	n := 0
	same := testing.AllocsPerRun(10, func() { Tool[opened](tool(nil), file) })
	other := testing.AllocsPerRun(10, func() { n++; Tool[opened](tool(mcp.Meta{"y": n}), file) })
	assert.Less(t, 2*same, other, "allocations of a tool that was checked, and of one that was not")
	for i := range 2 * maxCorrect {
		Tool[opened](tool(mcp.Meta{"x": i}), file)
	}
	assert.LessOrEqual(t, len(in.correct), maxCorrect)
}
