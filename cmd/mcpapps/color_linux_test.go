package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestColorsOnATerminal shows that the output has colors on a terminal alone, unless the
// user turns them off, and that a text of the server adds none.
func TestColorsOnATerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "warns.html")
	require.NoError(t, os.WriteFile(path, []byte("<!doctype html><p>Hello</p><script>eval(x)</script><img src='https://a.example/\x1b[35m'>"), 0o644))
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	for _, c := range []struct {
		name, key, value string
		colors           bool
	}{
		{"a terminal", "TERM", "xterm", true},
		{"NO_COLOR", "NO_COLOR", "1", false},
		{"an empty NO_COLOR", "NO_COLOR", "", true},
		{"a dumb terminal", "TERM", "dumb", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.key, c.value)
			tty, written := newTerminal(t)
			assert.Zero(t, run(t.Context(), []string{"check", path}, stdio{tty, tty}))
			assert.Equal(t, 2, run(t.Context(), []string{"check", "-nope"}, stdio{tty, tty}))
			got := written()
			assert.Equal(t, c.colors, strings.Contains(got, "\x1b[1;33mwarning\x1b[0m doc-eval"), "%q", got)
			assert.Equal(t, c.colors, strings.Contains(got, "\x1b[1;31mmcpapps check:\x1b[0m no flag -nope"), "%q", got)
			assert.Equal(t, c.colors, strings.Contains(strings.ReplaceAll(got, "\r\x1b[K", ""), "\x1b["), "%q", got)
			assert.NotContains(t, got, "\x1b[35m")
		})
	}
	t.Run("a file", func(t *testing.T) {
		t.Setenv("CLICOLOR_FORCE", "1")
		file, err := os.Create(filepath.Join(t.TempDir(), "out"))
		require.NoError(t, err)
		defer file.Close()
		assert.Zero(t, run(t.Context(), []string{"check", path}, stdio{file, file}))
		got, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		assert.Contains(t, string(got), "warning doc-eval")
		assert.NotContains(t, string(got), "\x1b")
	})
}

// TestProgressOnATerminal shows that the line which says what a check waits for is gone
// when the report is printed.
func TestProgressOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("COLUMNS", "30")
	self, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "tool.txt")
	require.NoError(t, os.WriteFile(file, []byte("one"), 0o644))
	tty, written := newTerminal(t)
	var out bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"check", "--", self, file}, stdio{&out, tty}))
	got := written()
	assert.Contains(t, got, "\rwaiting for the server to an…\x1b[K")
	assert.Contains(t, got, "\rasking as other clients do:…\x1b[K")
	assert.True(t, strings.HasSuffix(got, "\r\x1b[K"), "%q", got)
	assert.NotContains(t, got, "\n")
	assert.NotContains(t, out.String(), "\x1b")
}
