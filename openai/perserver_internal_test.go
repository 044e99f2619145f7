package openai

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

type switches struct {
	On bool `json:"on"`
}

func newSwitches() Settings[switches] {
	return Settings[switches]{
		Fields: map[string]*jsonschema.Schema{"on": {Title: "On"}},
		Read:   func(context.Context, *mcp.CallToolRequest) (s switches, err error) { return },
		Update: func(context.Context, *mcp.CallToolRequest, json.RawMessage) (s switches, err error) { return },
	}
}

func findNothing(context.Context, *mcp.CallToolRequest, string) ([]*mcp.ResourceLink, error) {
	return nil, nil
}

// TestOncePerServer: what a second call would silently replace is a panic, and the server
// stays as it was.
func TestOncePerServer(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	RegisterSettings(s, newSwitches())
	second := newSwitches()
	second.ReadTool, second.UpdateTool = "read", "update"
	assert.PanicsWithValue(t, "openai.RegisterSettings: the server has settings already: clients know one only",
		func() { RegisterSettings(s, second) })
	assert.PanicsWithValue(t, `openai.RegisterMentions: the server has the tool "settings.read" for its settings: give this one another name`,
		func() { RegisterMentions(s, &mcp.Tool{Name: "settings.read"}, findNothing) })
	RegisterMentions(s, nil, findNothing)
	assert.PanicsWithValue(t, "openai.RegisterMentions: the server has mentions already: clients know one only",
		func() { RegisterMentions(s, &mcp.Tool{Name: "find"}, findNothing) })

	other := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	RegisterMentions(other, &mcp.Tool{Name: "read"}, findNothing)
	assert.PanicsWithValue(t, `openai.RegisterSettings: the server has the tool "read" for its mentions: give this one another name`,
		func() { RegisterSettings(other, second) })
	RegisterSettings(other, newSwitches())
}

// TestServersAreForgotten: nothing of this package keeps a server that is not used any more.
func TestServersAreForgotten(t *testing.T) {
	count := func() int {
		servers.Lock()
		defer servers.Unlock()
		return len(servers.m)
	}
	runtime.GC()
	before := count()
	for range 100 {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		RegisterSettings(s, newSwitches())
		RegisterMentions(s, nil, findNothing)
		EnableAliases(s)
	}
	assert.Eventually(t, func() bool {
		runtime.GC()
		return count() <= before
	}, time.Minute, 10*time.Millisecond)
}
