package host_test

import (
	"encoding/json"
	"fmt"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

// A view is opened as in a host that drops structured content, and that sends nothing
// but the input when the chat is opened again.
func ExampleEmulate() {
	contentOnly, noResult := compat.ResultContentOnly, compat.ReloadNoResult
	bridge := mustBridge(&host.BridgeOptions{Emulation: host.Emulate(&compat.Profile{
		ID: "example", Name: "Example chat",
		Result: compat.Fact[compat.Result]{Claims: []compat.Claim[compat.Result]{{Value: &contentOnly}}},
		Reload: compat.Fact[compat.Reload]{Claims: []compat.Claim[compat.Reload]{{Value: &noResult}}},
	})})
	_ = bridge.SendToolInput(map[string]any{"city": "Oslo"})
	_ = bridge.SendToolResult(json.RawMessage(`{"content":[{"type":"text","text":"9 °C"}],"structuredContent":{"degrees":9}}`))
	showFrame(bridge, closes)
	fmt.Println("opened again")
	showFrame(bridge, closes)
	// Output:
	// to the view: ui/notifications/tool-input {"arguments":{"city":"Oslo"}}
	// to the view: ui/notifications/tool-result {"content":[{"type":"text","text":"9 °C"}]}
	// opened again
	// to the view: ui/notifications/tool-input {"arguments":{"city":"Oslo"}}
}

// What a host leaves of results differs by the kind of the server.
func ExampleTarget_Kind() {
	profile, _ := compat.Lookup("claude-desktop")
	for _, t := range []host.Target{{Command: []string{"./server"}}, {URL: "https://example.com/mcp"}} {
		result, _ := profile.For(t.Kind()).Result.Value()
		fmt.Printf("%s: %s\n", t.Kind(), result)
	}
	// Output:
	// local servers: content-only
	// connectors: whole
}
