package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The smallest example, over stdio.
func TestHello(t *testing.T) {
	Need(t, Packages, Browser)
	var r struct {
		Shown          struct{ Greeting, Note string }
		Size           struct{ Frame, Content, Overflow float64 }
		Ping, Teardown map[string]any
		Errors         []string
	}
	Drive(t, "hello.mjs", map[string]any{"command": []string{Build(t, "examples/hello")}}, &r)
	assert.Equal(t, "Hello, Ada <b>!", r.Shown.Greeting, "the name is text, not HTML")
	assert.Equal(t, "Rendered by an MCP App", r.Shown.Note)
	assert.Equal(t, r.Size.Content, r.Size.Frame)
	assert.Zero(t, r.Size.Overflow)
	assert.NotNil(t, r.Ping)
	assert.NotNil(t, r.Teardown)
	assert.Empty(t, r.Errors)
	assert.Greater(t, Ink(t, "hello.png"), 0.01)
}
