package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNearestCommand shows that a misspelled command is told the one that was meant,
// and another word all commands.
func TestNearestCommand(t *testing.T) {
	for name, want := range map[string]string{
		"chek":    "mcpapps: no command \"chek\": the nearest is \"check\"\nRun \"mcpapps help check\" for its flags.\n",
		"preveiw": "the nearest is \"preview\"",
		"type":    "the nearest is \"types\"",
		"deploy":  "no command \"deploy\"\n\nmcpapps previews and checks",
		"":        "no command \"\"\n\nmcpapps previews and checks",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitUsage, run(t.Context(), []string{name}, stdio{&stdout, &stderr}))
		assert.Contains(t, stderr.String(), want)
		assert.Empty(t, stdout.String())
	}
}
