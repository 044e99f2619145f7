package main

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

func TestTheToolToRender(t *testing.T) {
	serverWith := func(metas map[string]mcp.Meta) *host.Connection {
		s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
		for name, meta := range metas {
			s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), Meta: meta}, nil)
		}
		c, err := host.Connect(t.Context(), host.Target{Server: s}, nil)
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		return c
	}
	view := func(visibility ...string) mcp.Meta {
		return mcp.Meta{"ui": map[string]any{"resourceUri": "ui://t/v.html", "visibility": visibility}}
	}
	all := serverWith(map[string]mcp.Meta{"a-plain": nil, "b-app": view("app"), "c": view("model", "app"), "d": view("model"),
		"e-wrong": {"ui": map[string]any{"resourceUri": "ui://t/v.html", "visibility": "app"}}})
	for name, want := range map[string]string{"": "c", "b-app": "b-app", "d": "d"} {
		got, err := toolWithView(t.Context(), all, name)
		require.NoError(t, err)
		assert.Equal(t, want, got.Tool.Name)
	}
	for name, want := range map[string]string{
		"a-plain": `the tool "a-plain" has no view; those that have one: b-app, c, d`,
		"nope":    `the server has no tool "nope" with a view; those that have one: b-app, c, d`,
	} {
		_, err := toolWithView(t.Context(), all, name)
		assert.EqualError(t, err, want)
	}
	_, err := toolWithView(t.Context(), all, "e-wrong")
	assert.ErrorContains(t, err, `the tool "e-wrong" counts as one without a view: `)
	_, err = toolWithView(t.Context(), serverWith(map[string]mcp.Meta{"b-app": view("app")}), "")
	assert.EqualError(t, err, "no tool for the model has a view: name one with -tool; those that have one: b-app")
	_, err = toolWithView(t.Context(), serverWith(nil), "")
	assert.EqualError(t, err, "no tool of the server has a view")
}
