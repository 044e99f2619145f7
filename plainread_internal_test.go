package mcpapps

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/plainread"
)

// The SDK writes into the Meta of the result that it is given.
func TestPlainResultHasItsOwnMeta(t *testing.T) {
	r := &mcp.ReadResourceResult{
		Meta:     mcp.Meta{"a": 1},
		Contents: []*mcp.ResourceContents{{URI: "ui://a", MIMEType: MIMEType, Text: "<p>"}},
	}
	p := plainRead(r)
	assert.IsType(t, &plainread.Result{}, p)
	p.GetMeta()["b"] = 2
	assert.Equal(t, mcp.Meta{"a": 1}, r.Meta)
}

// A key that a later SDK adds must not get lost.
func TestPlainResultOfAnUnknownEnvelope(t *testing.T) {
	assert.True(t, new(plainread.Result).SetEnvelope([]byte(`{"resultType":"complete","ttlMs":1,"cacheScope":"private","contents":[]}`)))
	assert.False(t, new(plainread.Result).SetEnvelope([]byte(`{"contents":[],"later":1}`)))
	assert.False(t, new(plainread.Result).SetEnvelope([]byte(`[]`)))
}
