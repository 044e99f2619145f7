// Package view tests the view runtime in Chromium, against the reference host
// and side by side with the reference view.
package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
		for _, c := range same {
			t.Run(name+"/"+c, func(t *testing.T) {
				want := b.run(t, bridge, reference, c, nil)
				got := b.run(t, bridge, ours, c, nil)
				assert.Empty(t, got.Violations, "of the policy")
				assert.Empty(t, got.Problems, "each message is valid by the packages' schemas")
				assert.Equal(t, want.fromView(t), got.fromView(t), "the messages")
				assert.Equal(t, want.reports(t), got.reports(t), "what the view saw")
				assert.Equal(t, string(want.Result), string(got.Result), "what the host saw")
			})
		}
	}
}
