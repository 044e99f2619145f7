package view

import (
	"context"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/tooltypes"
	"github.com/mcpapps-go/mcpapps/view"
)

// Go types become declarations for a view's compiler, by way of the tools that a
// client lists.
func TestToolTypesWithTheCompiler(t *testing.T) {
	t.Parallel()
	type forecast struct {
		City string `json:"city"`
		Days int    `json:"days,omitempty"`
		Unit string `json:"unit,omitempty"`
	}
	type day struct {
		Celsius float64 `json:"celsius"`
	}
	type days struct {
		Days []day `json:"days"`
	}
	in, err := jsonschema.For[forecast](nil)
	require.NoError(t, err)
	in.Properties["unit"].Enum = []any{"C", "F"}
	out, err := jsonschema.For[days](nil)
	require.NoError(t, err)
	out.Properties["next"] = &jsonschema.Schema{Ref: "#/$defs/place"}
	out.Defs = map[string]*jsonschema.Schema{"place": {
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"place": {Types: []string{"null", "string"}},
			"next":  {Ref: "#/$defs/place"},
		},
	}}

	server := mcp.NewServer(&mcp.Implementation{Name: "forecast", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "forecast", Description: "a */ b", InputSchema: in, OutputSchema: out},
		func(context.Context, *mcp.CallToolRequest, forecast) (*mcp.CallToolResult, days, error) {
			return nil, days{}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "refresh"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	server.AddTool(&mcp.Tool{Name: "a-b.c", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })

	here, there := mcp.NewInMemoryTransports()
	_, err = server.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "types", Version: "1.0.0"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)

	types, err := tooltypes.Declare(list.Tools)
	require.NoError(t, err)
	assert.Empty(t, tsc(t, declarations(), source(t, "forecast.ts"), map[string]string{"tools.ts": types}), "%s", types)
	// On standard output, all declarations are one file.
	one := map[string]string{"mcp-app.ts": view.Types() + "\n" + view.DataTypes() + "\n" + view.OpenAITypes() + "\n" + view.ReactTypes() + "\n" + types}
	assert.Empty(t, tsc(t, one, source(t, "forecast.ts")))
}
