// Package view tests the view runtime in Chromium, against the reference host
// and side by side with the reference view.
package view

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// newest is the bridge for tests that need only one.
const newest = "AppBridge 2"

// bridges has the npm package of each bridge.
var bridges = map[string]string{
	newest:        "@modelcontextprotocol/ext-apps",
	"AppBridge 1": "ext-apps-1",
}

// same are the cases in which both libraries send the same messages in the same
// order and pass the same events to the view.
var same = []string{
	"handshake", "reconnect", "strangers", "strict",
	"requests", "timing",
	"events", "context", "throwing",
	"tools", "toolCapability",
	"answers", "cancelled", "garbage",
}

// sameWithoutBridge are such cases in which the host page answers without a
// bridge.
var sameWithoutBridge = []string{
	"refusedHandshake", "emptyHandshake", "noContextHandshake", "lateHandshake", "otherVersionHandshake",
	"refusals", "dispatcher", "styles",
	"enforcedWithout", "enforcedWith",
}

// sameInCI are those of same that CI runs against the older bridge, too.
var sameInCI = []string{"requests", "events", "tools"}

// CI runs the cases of sameInCI against the older bridge, ci/full all.
func TestSameAsReference(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, c := range sameWithoutBridge {
		t.Run(c, func(t *testing.T) {
			t.Parallel()
			b.compare(t, newest, c)
		})
	}
	for bridge := range bridges {
		cases := same
		if bridge != newest && !testenv.Full() {
			cases = sameInCI
		}
		t.Run(bridge, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			seen, ran := map[string]bool{}, 0
			t.Run("case", func(t *testing.T) {
				for _, c := range cases {
					t.Run(c, func(t *testing.T) {
						t.Parallel()
						got := b.compare(t, bridge, c)
						mu.Lock()
						defer mu.Unlock()
						ran++
						for _, m := range got.Messages {
							var message struct{ Method string }
							require.NoError(t, json.Unmarshal(m.Message, &message))
							seen[m.From+" "+message.Method] = true
						}
					})
				}
			})
			if ran < len(same) {
				return // some were left out, here or by -run
			}
			for _, method := range surface {
				assert.True(t, seen[method], "no case has %q", method)
			}
		})
	}
}

// compare runs a case with both libraries and returns the record of ours.
func (b *bench) compare(t *testing.T, bridge, name string) record {
	want := b.run(t, bridge, reference, name, nil)
	got := b.run(t, bridge, ours, name, nil)
	assert.Empty(t, got.Violations, "of the policy")
	assert.Empty(t, got.Problems, "each message is valid by the packages' schemas")
	assert.Equal(t, want.fromView(t), got.fromView(t), "the messages")
	assert.Equal(t, want.reports(t), got.reports(t), "what the view saw")
	assert.Equal(t, string(want.Result), string(got.Result), "what the host saw")
	return got
}

// surface lists the messages that must occur in the cases.
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
