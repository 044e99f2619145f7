package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// The named differences from the reference.

func TestEarlyNotificationsWait(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		got := b.run(t, bridge, ours, "early", nil)
		reports := got.reports(t)
		// Of 103 notifications before the first listener, 32 are kept. They are
		// delivered in the order in which they arrived.
		assert.Equal(t, []string{
			`["input",{"a":1}]`, `["second",{"a":1}]`, `["result",{"r":1}]`, `"listening"`, `["cancelled","why"]`,
			`["partial",71]`,
		}, reports[:6])
		assert.Equal(t, []string{`["partial",99]`, `"end"`}, reports[len(reports)-2:], "after the first listener nothing is kept")
		assert.Len(t, reports, 6+28+1)
	})
}

func TestErrorsOfThreeRequestsAreSoft(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		assert.Equal(t, []string{"true", "true", "true", `"end"`}, b.run(t, bridge, ours, "softErrors", nil).reports(t))
		assert.Contains(t, b.run(t, bridge, reference, "softErrors", nil).reports(t)[0], "ProtocolError")
	})
}

func TestTeardownWithoutHandler(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		assert.JSONEq(t, `{}`, string(b.run(t, bridge, ours, "teardown", nil).Result))
	})
}

// An error in a handler is reported, also if the view sets no onerror. In a handler of a
// request, an Error is an answer, and what JavaScript throws itself is reported too.
func TestThrownIsReported(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		assert.Equal(t, []string{`"ready"`, `["mine"]`, `"rejection unawaited"`, `["Cannot read properties of undefined (reading 'here')"]`, `"onerror Handler failed: Error: now heard"`},
			b.run(t, bridge, ours, "thrown", nil).reports(t))
	})
}

// The words of a rejected connect() that nobody awaits name it. The page answers in place
// of a bridge.
func TestUnawaitedConnect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, want := range map[string]string{
		"unawaitedRefusal": `["ProtocolError",-32602,"app.connect() failed: appInfo has no version"]`,
		"unawaitedEmpty":   `["SdkError","INVALID_RESULT","app.connect() failed: Invalid result for connect()"]`,
		"unawaitedSilence": `["SdkError","REQUEST_TIMEOUT","app.connect() failed: Request timed out"]`,
	} {
		assert.Equal(t, []string{want}, b.run(t, newest, ours, name, nil).reports(t), name)
	}
}

// The reference throws while it reports these messages.
func TestUnwritableMessagesAreReported(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		assert.Equal(t, []string{`"ready"`, `"Unexpected message"`, `"Unexpected message"`, `"Unexpected message"`, `"end"`},
			b.run(t, bridge, ours, "unwritable", nil).reports(t))
	})
}

func TestTraceContext(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		messages := b.run(t, bridge, ours, "trace", nil).fromView(t)
		require.Len(t, messages, 6)
		const trace = `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=b"`
		assert.Contains(t, messages[2], `"_meta":{"mine":1,"progressToken":1,`+trace+`}`)
		assert.Contains(t, messages[3], `"_meta":{`+trace+`}`)
		assert.NotContains(t, messages[4], "trace", "a link stays with the host")
	})
}

func TestToolsWithJSONSchema(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		assert.JSONEq(t, `[
			[{"name":"j","inputSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},
				"outputSchema":{"type":"object","properties":{"b":{"type":"string"}}}}],
			{"content":[{"type":"text","text":"j"}],"structuredContent":{"b":"x"}}
		]`, string(b.run(t, bridge, ours, "jsonSchemaTools", nil).Result))
	})
}

// eachBridge runs f against each bridge, in parallel with the other tests. CI has the
// newest one only, and some cases of [same] against the other; ci/full has both.
func eachBridge(t *testing.T, f func(t *testing.T, b *bench, bridge string)) {
	t.Parallel()
	b := newBench(t)
	for bridge := range bridges {
		if bridge != newest && !testenv.Full() {
			continue
		}
		t.Run(bridge, func(t *testing.T) {
			t.Parallel()
			f(t, b, bridge)
		})
	}
}
