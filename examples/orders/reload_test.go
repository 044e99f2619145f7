package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/e2e/hostpage"
	"github.com/mcpapps-go/mcpapps/internal/testbrowser"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// forgetful returns a host that sends a view neither input nor result when it is loaded
// again for the nth time or later, and both until then.
func forgetful(n int) *host.Emulation {
	only := func(params json.RawMessage, load int) json.RawMessage {
		if load >= n {
			return nil
		}
		return params
	}
	return &host.Emulation{Input: only, Result: only}
}

// A hosted is a view in a page of a host that can load it again.
type hosted struct {
	*hostpage.Page
	t   *testing.T
	ctx context.Context
}

// show opens the view of a tool in a host.
func show(t *testing.T, server *mcp.Server, emulated *host.Emulation, tool string, args any) hosted {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	conn, err := host.Connect(ctx, host.Target{Server: server}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	page := hostpage.Start(t)
	require.NoError(t, page.Open(ctx, testbrowser.Shared(t), 1000, 700))
	t.Cleanup(page.Close)
	bridge, err := conn.Open(ctx, tool, args, &host.BridgeOptions{Emulation: emulated})
	require.NoError(t, err)
	require.NoError(t, page.Show(ctx, strings.ReplaceAll(tool, "_", "-"), bridge))
	return hosted{page, t, ctx}
}

// wait waits until an element of a document that is not yet read contains a text.
func (h hosted) wait(selector, text string) {
	h.t.Helper()
	expression := fmt.Sprintf(`document.body.dataset.old ? "the old document" : document.querySelector(%q).textContent`, selector)
	var got string
	require.Eventually(h.t, func() bool {
		return h.EvalIn(h.ctx, "/view", expression, &got) == nil && strings.Contains(got, text)
	}, time.Minute, 20*time.Millisecond, "%s: %s", selector, text)
}

func (h hosted) do(script string) {
	h.t.Helper()
	require.NoError(h.t, h.EvalIn(h.ctx, "/view", script+"; 0", nil))
}

// again loads the view again.
func (h hosted) again(load func(context.Context) error) {
	h.t.Helper()
	h.do("document.body.dataset.old = true")
	require.NoError(h.t, load(h.ctx))
}

// The selection is there again when the frame is loaded again, and in a new frame. A
// host that then sends neither input nor result makes the view show all orders. ci/full
// adds the new frame in that host.
func TestSelectionSurvivesReload(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, _ := newTestServer()
	v := show(t, server, forgetful(3), "show_orders", Query{Status: "open", Search: "berlin"})
	v.wait("#count", "10 orders")
	v.do(`document.querySelectorAll("#orders input")[0].click(); document.querySelectorAll("#orders input")[2].click()`)
	v.wait("#selected", "2 selected")
	again := func(load func(context.Context) error, count string) {
		v.again(load)
		v.wait("#selected", "2 selected")
		v.wait("#count", count)
	}
	again(v.Reload, "10 orders") // what was selected a moment ago is saved when the page is left
	again(v.Replace, "10 orders")
	again(v.Reload, " of 2,000 orders")
	if testenv.Full() {
		again(v.Replace, " of 2,000 orders")
	}
	assert.Empty(t, v.Exceptions())
}

// A form that is loaded again shows what became of it. Without input and result it says
// that it changes nothing.
func TestChangeReloaded(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	server, b := newTestServer()
	v := show(t, server, forgetful(2), "change_orders", openOfBerlin)
	v.wait("#confirm", "Mark 10 orders as shipped")
	v.do(`document.querySelector("#confirm").click()`)
	for _, outcome := range []string{"10 orders are now shipped.", "This form has expired, and it changes nothing."} {
		v.wait("#outcome", "10 orders are now shipped.")
		v.again(v.Reload)
		v.wait("#outcome", outcome)
		assert.Equal(t, 1, b.changed())
	}
	assert.Empty(t, v.Exceptions())
}
