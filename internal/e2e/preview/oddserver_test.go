package preview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// said is what the page says at a time.
type said struct{ Banner, Stage, Result, Output string }

func (g page) said(t *testing.T) (s said) {
	t.Helper()
	g.eval(t, `({ banner: document.getElementById("banner").textContent, stage: document.querySelector("#stage-empty:not([hidden]) p")?.textContent ?? "",
		result: document.getElementById("result").textContent, output: document.getElementById("stderr").textContent })`, &s)
	return s
}

// What the page says of servers that behave in unusual ways, and that a call or
// "Restart server" brings them back.
func TestOddServers(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Patience)
	program := e2e.Build(t, "internal/e2e/oddserver")
	const gone, fault = "the server's process ended: exit status 3", "panic: index out of range [3] with length 3\n"
	odd := func(t *testing.T, args ...string) page {
		return startTarget(t, host.Target{Command: append([]string{program}, args...)}).open(t, "", 1280, 900)
	}
	restart := func(t *testing.T, g page) {
		g.eval(t, `document.getElementById("restart").click()`, nil)
		g.wait(t, `document.getElementById("banner").hidden && document.getElementById("dot").dataset.state === "up"`)
	}
	t.Run("prints first and crashes during the call", func(t *testing.T) {
		t.Parallel()
		g := odd(t, "-banner", "-crash", "call")
		g.wait(t, `document.getElementById("stderr").textContent.endsWith("Ready.\n")`)
		assert.Equal(t, "on standard output, where messages belong: *** oddserver 1.0 ***\non standard output, where messages belong: Ready.\n", g.said(t).Output)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.result === "error" && !document.getElementById("banner").hidden && document.querySelector("#stage-empty:not([hidden])")?.textContent.includes("ended")`)
		g.wait(t, fmt.Sprintf(`document.getElementById("stderr").textContent.endsWith(%q)`, fault))
		s := g.said(t)
		assert.Equal(t, "The server is not connected: "+gone+". The next call or “Restart server” starts it again.", s.Banner)
		assert.Contains(t, s.Result, gone)
		assert.Contains(t, s.Stage, gone)
		restart(t, g)
		g.wait(t, `/\n— started again at \d\d:\d\d:\d\d —\n/.test(document.getElementById("stderr").textContent)`)
	})
	t.Run("crashes while the view is open", func(t *testing.T) {
		t.Parallel()
		g := odd(t, "-crash", "view")
		g.call(t, "odd", "{}")
		g.wait(t, `!document.getElementById("stage-empty").hidden && document.documentElement.dataset.result === "ok" && !document.getElementById("banner").hidden`)
		said := g.said(t)
		assert.Equal(t, "The server is not connected: "+gone+". The next call or “Restart server” starts it again.", said.Banner)
		assert.Equal(t, "The view was closed: the view's server is gone: "+gone+". Call the tool to open it again.", said.Stage)
		// Its last lines stand in place of the view.
		g.wait(t, fmt.Sprintf(`!document.getElementById("crash").hidden && document.getElementById("crash-lines").textContent.includes(%q)`, strings.TrimSpace(fault)))
		g.shoot(t, "preview-odd-crash-view")
		var title string
		g.eval(t, `document.getElementById("crash-title").textContent`, &title)
		assert.Contains(t, title, "exit status 3")
		// Restarted, the call is offered on a key.
		g.eval(t, `document.getElementById("crash-restart").click()`, nil)
		g.wait(t, `document.getElementById("crash").hidden && document.getElementById("dot").dataset.state === "up"`)
		g.wait(t, `!document.getElementById("repeat").hidden`)
		g.eval(t, `delete document.documentElement.dataset.result`, nil)
		require.NoError(t, g.Press(t.Context(), "r"))
		g.wait(t, `document.documentElement.dataset.result === "ok"`)
		// A call starts it again, too.
		g.wait(t, `!document.getElementById("crash").hidden`)
		g.eval(t, `document.documentElement.dataset.ready = ""`, nil)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	})
	t.Run("holds a lock", func(t *testing.T) {
		t.Parallel()
		lock := t.TempDir() + "/lock"
		g := odd(t, "-lock", lock)
		restart(t, g)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
		g.eval(t, `document.getElementById("client").value = "text-only"; document.documentElement.dataset.result = ""; document.getElementById("call").click()`, nil)
		g.wait(t, `document.documentElement.dataset.result === "ok"`) // the second client's process
		g.eval(t, `document.getElementById("client").value = "ui"; document.documentElement.dataset.ready = ""; document.getElementById("call").click()`, nil)
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	})
	lossy := func(t *testing.T, args ...string) page {
		url := e2e.Start(t, program, append([]string{"-lose-sessions", "127.0.0.1:0"}, args...)...)
		return startTarget(t, host.Target{URL: url}).open(t, "", 1280, 900)
	}
	t.Run("forgot its sessions", func(t *testing.T) {
		t.Parallel()
		g := lossy(t)
		g.eval(t, `document.getElementById("client").value = "text-only"`, nil)
		g.call(t, "odd", "{}") // of which nobody notices that it is made twice
		g.wait(t, `document.documentElement.dataset.result === "ok"`)
		g.eval(t, `document.getElementById("client").value = "ui"`, nil)
		g.call(t, "odd", "{}") // on a session that the server has forgotten too
		g.wait(t, `document.documentElement.dataset.ready === "yes"`)
	})
	t.Run("forgets its sessions while a view opens", func(t *testing.T) {
		t.Parallel()
		g := lossy(t)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.result === "error" && document.querySelector("#stage-empty:not([hidden])")?.textContent.includes("session not found")`)
		s := g.said(t)
		assert.Regexp(t, `^The server is not connected: .*: session not found. The next call or “Restart server” starts it again.$`, s.Banner)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.ready === "yes" && document.getElementById("banner").hidden`)
	})
	t.Run("forgets them at each call", func(t *testing.T) {
		t.Parallel()
		g := lossy(t, "-always")
		g.eval(t, `document.getElementById("client").value = "text-only"`, nil)
		g.call(t, "odd", "{}")
		g.wait(t, `document.documentElement.dataset.result === "error"`)
		assert.Contains(t, g.said(t).Result, "session not found")
	})
}
