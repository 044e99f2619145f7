package check

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestLiveHangs shows that a view which is ready and then never returns is found
// out, and does not keep the check.
func TestLiveHangs(t *testing.T) {
	e2e.Need(t, e2e.Browser)
	defer func(d time.Duration) { lookFor = d }(lookFor)
	lookFor = 3 * time.Second
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://s/v"},
		Document: mcpapps.HTML(`<!doctype html><p>Hello</p><script>
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
onmessage = ({ data }) => {
  if (!(data.id === 0 && data.result)) return;
  send({ method: "ui/notifications/initialized" });
  setTimeout(() => { for (;;); }, 100);
};
send({ id: 0, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {},
} });
</script>`),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	r, err := Server(t.Context(), s, &Options{Live: true})
	require.NoError(t, err)
	var gone []string
	for _, f := range r.Findings {
		if f.Code == "view-gone" {
			gone = append(gone, f.Message)
		}
	}
	require.Len(t, gone, 1, "%v", r.Findings)
	assert.Contains(t, gone[0], "does not return")
}

// TestWiresEnd shows that the live part returns when its connections have ended,
// not before, and makes none afterwards.
func TestWiresEnd(t *testing.T) {
	w := &slowWire{}
	wires := &wireTransport{connect: func(context.Context) (rpc.Conn, error) { return w, nil }}
	_, err := wires.Connect(t.Context())
	require.NoError(t, err)
	wires.close()
	assert.True(t, w.ended)
	_, err = wires.Connect(t.Context())
	assert.Error(t, err)
}

// slowWire takes its time to end.
type slowWire struct {
	fakeWire
	ended bool
}

func (w *slowWire) Close() {
	time.Sleep(50 * time.Millisecond)
	w.ended = true
}
