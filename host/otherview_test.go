package host

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result that names another view than its tool is opened with is noted.
func TestResultThatNamesAnotherView(t *testing.T) {
	const note = "the result names the view ui://t/other, which some hosts would open instead of ui://t/view.html"
	for meta, noted := range map[string]bool{
		`{"ui":{"resourceUri":"ui://t/other"}}`:                                     true,
		`{"ui/resourceUri":"ui://t/other"}`:                                         true,
		`{"ui":7,"ui/resourceUri":"ui://t/other"}`:                                  true,
		`{"ui":{"resourceUri":"ui://t/view.html"},"ui/resourceUri":"ui://t/other"}`: false,
		`{"ui":{"resourceUri":"https://t/other"}}`:                                  false,
		`{"ui":{"resourceUri":["ui://t/other"]}}`:                                   false,
		`{}`: false,
	} {
		for _, failed := range []bool{false, true} {
			s := testServer()
			s.AddTool(&mcp.Tool{Name: "chooses", InputSchema: json.RawMessage(`{"type":"object"}`), Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://t/view.html"}}},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					r := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: failed}
					return r, json.Unmarshal([]byte(meta), &r.Meta)
				})
			conn, err := Connect(t.Context(), Target{Server: s}, nil)
			require.NoError(t, err)
			r := &record{}
			b, err := conn.Open(t.Context(), "chooses", nil, &BridgeOptions{Trace: r.trace})
			require.NoError(t, err)
			_, err = b.WaitResult(t.Context())
			require.NoError(t, err)
			if noted && !failed {
				assert.Contains(t, r.String(), note, meta)
			} else {
				assert.NotContains(t, r.String(), "the result names", meta)
			}
			conn.Close()
		}
	}
}
