package mcpapps_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// TestCostVersionedList: versioned lists of 100 apps allocate little more than
// plain ones, and nothing that grows with the documents.
func TestCostVersionedList(t *testing.T) {
	testenv.Measure(t)
	plain := oursCost(nil, 100, true)
	versioned := mcp.NewServer(costInfo, nil)
	mcpapps.Enable(versioned, &mcpapps.Options{VersionedURIs: true})
	for i := range 100 {
		addOurs(versioned, i, true)
	}
	hp, hv := statelessHandler(func() *mcp.Server { return plain }), statelessHandler(func() *mcp.Server { return versioned })
	for line, most := range map[string]float64{listTools: 1.45, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`: 1.85} {
		p, v := costOf(20, func() { discard(hp, line) }), costOf(20, func() { discard(hv, line) })
		t.Logf("%s: plain %.0f allocations and %.0f bytes, versioned %.0f and %.0f: %.2f times the bytes", line, p.allocs, p.bytes, v.allocs, v.bytes, v.bytes/p.bytes)
		assert.LessOrEqual(t, v.bytes, most*p.bytes, "%s: bytes", line)
		assert.LessOrEqual(t, v.allocs, p.allocs+3800, "%s: allocations", line)
	}
}
