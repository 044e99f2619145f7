package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHelp shows that the help of each command has an example and its exit codes, and
// fits in a terminal.
func TestHelp(t *testing.T) {
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			assert.Zero(t, run(t.Context(), []string{c.name, "-h"}, stdio{&stdout, &stderr}))
			assert.Empty(t, stderr.String())
			help := stdout.String()
			assert.True(t, strings.HasPrefix(help, "usage: mcpapps "+c.name), help)
			assert.Contains(t, help, "\nexit codes:\n  0  ")
			assert.Contains(t, help, "\n  1  ")
			assert.Contains(t, help, "\n  2  a mistake on the command line")
			if c.name != "version" {
				assert.Contains(t, help, "\nexamples:\n  mcpapps "+c.name+" ")
				assert.Contains(t, help, "\nflags:\n  -")
			}
			for line := range strings.Lines(help) {
				if !strings.Contains(line, "  mcpapps ") { // an example stands on one line
					assert.LessOrEqual(t, len([]rune(line)), 86, line)
				}
			}
		})
	}
}

func TestWrap(t *testing.T) {
	assert.Equal(t, []string{"one two", "three", "unbreakable"}, wrap("one two three\nunbreakable", 8))
	assert.Equal(t, []string{""}, wrap("", 8))
}
