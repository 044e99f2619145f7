// Package view tests the view runtime in Chromium, against the reference host
// and side by side with the reference view.
package view

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var bridges = map[string]string{
	"AppBridge 2": "@modelcontextprotocol/ext-apps",
	"AppBridge 1": "ext-apps-1",
}

// The cases in which both libraries send the same messages in the same order
// and show the view the same.
var same = []string{
	"handshake", "refusedHandshake", "emptyHandshake", "noContextHandshake", "lateHandshake",
	"otherVersionHandshake", "reconnect", "strangers", "strict",
	"requests", "refusals", "timing",
	"events", "context", "throwing", "dispatcher",
	"tools", "toolCapability",
	"answers", "cancelled", "garbage", "styles",
}

func TestSameAsReference(t *testing.T) {
	b := newBench(t)
	for name, bridge := range bridges {
		seen, ran := map[string]bool{}, 0
		for _, c := range same {
			t.Run(name+"/"+c, func(t *testing.T) {
				ran++
				want := b.run(t, bridge, reference, c, nil)
				got := b.run(t, bridge, ours, c, nil)
				assert.Empty(t, got.Violations, "of the policy")
				assert.Empty(t, got.Problems, "each message is valid by the packages' schemas")
				assert.Equal(t, want.fromView(t), got.fromView(t), "the messages")
				assert.Equal(t, want.reports(t), got.reports(t), "what the view saw")
				assert.Equal(t, string(want.Result), string(got.Result), "what the host saw")
				for _, m := range got.Messages {
					var message struct{ Method string }
					require.NoError(t, json.Unmarshal(m.Message, &message))
					seen[m.From+" "+message.Method] = true
				}
			})
		}
		if ran < len(same) {
			continue // -run chose among them
		}
		for _, method := range surface {
			assert.True(t, seen[method], "%s: no case has %q", name, method)
		}
	}
}

// surface is what the cases have to have had between them.
var surface = []string{
	"view ui/initialize", "view ui/notifications/initialized",
	"view tools/call", "view resources/read", "view resources/list", "view sampling/createMessage", "view ping",
	"view ui/open-link", "view ui/message", "view ui/download-file", "view ui/update-model-context",
	"view ui/request-display-mode", "view ui/notifications/request-teardown", "view ui/notifications/size-changed",
	"view notifications/message", "view notifications/cancelled", "view notifications/progress",
	"view notifications/tools/list_changed",
	"host ui/notifications/tool-input", "host ui/notifications/tool-input-partial", "host ui/notifications/tool-result",
	"host ui/notifications/tool-cancelled", "host ui/notifications/host-context-changed",
	"host ui/resource-teardown", "host tools/call", "host tools/list", "host ping",
	"host notifications/cancelled", "host notifications/progress", "host notifications/tools/list_changed",
}
