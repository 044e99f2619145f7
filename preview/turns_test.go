package preview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Only one process of a command runs at a time: its client with views and its client
// without take turns, and the page says so.
func TestCommandClientsTakeTurns(t *testing.T) {
	var got events
	p := startPageFor(t, lockingCommand(t), &Options{Event: got.add})
	p.waitType("tools")
	for i := range 2 {
		p.do(fmt.Sprintf(`[{"op":"open","call":"v%d","tool":"both"}]`, i))
		result := p.waitType("result")
		assert.Contains(t, string(result["result"]), `"both"`, "%s", result["error"])
		p.do(fmt.Sprintf(`[{"op":"call","call":"t%d","tool":"both","args":{},"text":"text-only"}]`, i))
		var closed, announced, answered bool
		p.wait("close, announcement and result of the turn", func(e map[string]json.RawMessage) bool {
			switch str(e["type"]) {
			case "closed":
				closed = true
				assert.Contains(t, str(e["text"]), turnReasons[textOnly].Error())
			case "server":
				announced = announced || strings.Contains(str(e["turn"]), "the client without views")
			case "result":
				answered = true
				assert.Equal(t, fmt.Sprintf("t%d", i), str(e["call"]))
				assert.Contains(t, string(e["result"]), `"both"`, "%s", e["error"])
			}
			return closed && announced && answered
		})
	}
	other, ok := p.run.turns.useInTurn(t.Context(), withViews)
	assert.False(t, ok, "%v", other)
	p.run.broadcastTools() // as for a page that is opened later
	assert.Contains(t, string(p.waitType("tools")["tools"]), `"missing-view"`)
}

// If both clients request a process at the same time, they get it one after the
// other.
func TestConcurrentTurns(t *testing.T) {
	p := startPageFor(t, lockingCommand(t), nil)
	var commands []string
	for i := range 4 {
		commands = append(commands, fmt.Sprintf(`{"op":"open","call":"v%d","tool":"both"},{"op":"call","call":"t%d","tool":"both","args":{},"text":"text-only"}`, i, i))
	}
	p.do("[" + strings.Join(commands, ",") + "]")
	answered := map[string]bool{}
	p.wait("results", func(e map[string]json.RawMessage) bool {
		if str(e["type"]) == "result" {
			answered[str(e["call"])] = true
			assert.NotContains(t, str(e["error"]), "exit status", "a second process ran while the first held the lock")
		}
		return len(answered) == 8
	})
}

// A server that is not a command serves both clients at once.
func TestNonCommandTargetServesBothClients(t *testing.T) {
	p := startPage(t, testServer())
	p.do(`[{"op":"open","call":"1","tool":"both"}]`)
	p.waitType("view")
	p.do(`[{"op":"call","call":"2","tool":"both","args":{},"text":"text-only"}]`)
	p.wait("result of 2", func(e map[string]json.RawMessage) bool {
		assert.NotEqual(t, "closed", str(e["type"]))
		return str(e["call"]) == "2" && str(e["type"]) == "result"
	})
}
