package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestProgressInALog shows that a check that takes long says what it waits for where
// nobody sees a line that changes, on lines of its own, and one that is quick does not.
func TestProgressInALog(t *testing.T) {
	e2e.NeedCommand(t, "sh")
	before := slowEvery
	defer func() { slowEvery = before }()
	for every, want := range map[time.Duration]string{
		10 * time.Millisecond: "waiting for the server to answer\n",
		time.Hour:             "",
	} {
		slowEvery = every
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, runCheck(t, &stdout, &stderr, "--", "sh", "-c", "sleep 0.3; exit 1"))
		said, _, _ := bytes.Cut(stderr.Bytes(), []byte("mcpapps check: "))
		assert.True(t, bytes.HasPrefix(said, []byte(want)), "%s", said)
		assert.Equal(t, want == "", len(said) == 0, "%s", said)
		assert.NotContains(t, stderr.String(), "\x1b")
		assert.Empty(t, stdout.String())
	}
}
