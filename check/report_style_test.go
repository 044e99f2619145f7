package check_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
)

// TestColorText shows that colors add nothing but escape sequences, and that text of
// the server adds none.
func TestColorText(t *testing.T) {
	r, err := check.Document("<!doctype html><p>Hello</p>\n<script>fetch('https://a.example/\x1b[31m'); eval(code)</script><script src=a.js></script>", nil)
	require.NoError(t, err)
	r.Unchecked = []check.Unchecked{{Part: "live", Reason: "no browser\x1b[2J"}}
	var plain, colored bytes.Buffer
	require.NoError(t, r.WriteText(&plain))
	require.NoError(t, r.WriteColorText(&colored))
	assert.NotContains(t, plain.String(), "\x1b")
	assert.Equal(t, plain.String(), regexp.MustCompile("\x1b\\[[0-9;]+m").ReplaceAllString(colored.String(), ""))
	for _, want := range []string{
		"\x1b[1;31merror\x1b[0m doc-relative-script: ",
		"\x1b[1;33mwarning\x1b[0m doc-eval: ",
		"    \x1b[2mremedy:\x1b[0m ",
		"\x1b[1;33mnot checked:\x1b[0m the live part: no browser\\x1b[2J\n",
		"\n\x1b[1;31m1 error\x1b[0m, ",
	} {
		assert.Contains(t, colored.String(), want)
	}
	assert.NotContains(t, colored.String(), "\x1b[31m")
	assert.NotContains(t, colored.String(), "\x1b[2J")
}
