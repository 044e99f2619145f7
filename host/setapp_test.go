package host

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/appclient"
)

const (
	proxyReady  = `{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}`
	initialized = `{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"v","version":"1"},"appCapabilities":{},"protocolVersion":"2026-01-26"}}`
)

// A document that replaces another gets input and result again, and its proxy the new
// document, in whatever order the loads of a burst arrive.
func TestSetApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notes []TraceEntry
		b := mustNewBridge(nil, &BridgeOptions{App: &appclient.App{HTML: "<p>1"}, Trace: func(e TraceEntry) {
			if e.Direction == Note {
				notes = append(notes, e)
			}
		}})
		v := newView(t, b)
		require.NoError(t, b.SendToolInput(nil))
		require.NoError(t, b.SendToolResult([]byte(`{"content":[]}`)))
		v.post(proxyReady)
		assert.Contains(t, v.takeOne(), `"html":"<p>1"`)
		v.post(initialize)
		v.post(initialized)
		assert.Len(t, v.take(), 3, "the answer, input and result")

		require.NoError(t, b.SetApp(&appclient.App{HTML: "<p>2"}))
		assert.False(t, b.Ready())
		require.NoError(t, b.SetContext(HostContext{Theme: ThemeDark}))
		assert.Empty(t, v.take(), "nothing is sent to a frame that is to be loaded again")
		v.post(proxyReady)
		assert.Contains(t, v.takeOne(), `"html":"<p>2"`)
		v.post(initialize)
		assert.Contains(t, v.takeOne(), `"theme":"dark"`)
		v.post(initialized)
		again := v.take()
		require.Len(t, again, 2)
		assert.Contains(t, again[0], "tool-input")
		assert.Contains(t, again[1], "tool-result")
		assert.True(t, b.Ready())

		// Of two loads in quick succession the proxy of the first may ask before or
		// after the second document is set.
		require.NoError(t, b.SetApp(&appclient.App{HTML: "<p>3"}))
		require.NoError(t, b.SetApp(&appclient.App{HTML: "<p>4"}))
		v.post(initialize) // of the document before
		v.take()
		for range 2 {
			v.post(proxyReady)
			assert.Contains(t, v.takeOne(), `"html":"<p>4"`)
		}
		require.Empty(t, notes)
		v.post(proxyReady)
		assert.Empty(t, v.take(), "a further proxy gets nothing")
		require.Len(t, notes, 1)
		assert.Equal(t, NoteOrder, notes[0].Kind)

		require.Error(t, b.SetApp(nil))
		b.Close(t.Context(), errors.New("over"))
		assert.ErrorIs(t, b.SetApp(&appclient.App{}), ErrClosed)
	})
}

// A view without a proxy never gets a document by pretending to be one.
func TestSetAppWithoutAProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := mustNewBridge(nil, &BridgeOptions{App: &appclient.App{HTML: "<p>1"}})
		defer b.Close(t.Context(), nil)
		v := newView(t, b)
		v.post(initialize)
		v.take()
		require.NoError(t, b.SetApp(&appclient.App{HTML: "<p>2"}))
		v.post(proxyReady)
		assert.Empty(t, v.take())
		time.Sleep(time.Second)
		assert.Empty(t, v.take())
	})
}
