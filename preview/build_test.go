package preview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// What the go command writes about a build that failed has the place of the first
// problem, and all of them in its text.
func TestGoBuildError(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tools"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools", "a.go"), []byte("package tools\n\nvar x = y\nvar z = w\n"), 0o644))
	for name, c := range map[string]struct {
		lines string
		want  *devenv.BuildError
	}{
		"a compiler's": {"# example.com/m/tools\n./tools/a.go:3:9: undefined: y\n./tools/a.go:4:9: undefined: w\n\thave (x)\n./tools/a.go:4:9: too many errors", &devenv.BuildError{
			File: "tools/a.go", Line: 3, Column: 9, Excerpt: []string{"package tools", "", "var x = y", "var z = w"}, ExcerptLine: 3,
			Text: "./tools/a.go:3:9: undefined: y\n./tools/a.go:4:9: undefined: w\n\thave (x)\n./tools/a.go:4:9: too many errors",
		}},
		"a loader's": {"main.go:9:12: pattern ui: no matching files found", &devenv.BuildError{
			File: "main.go", Line: 9, Column: 12, Text: "main.go:9:12: pattern ui: no matching files found",
		}},
		"beyond the end":       {"tools/a.go:90:1: x", &devenv.BuildError{File: "tools/a.go", Line: 90, Column: 1, Text: "tools/a.go:90:1: x"}},
		"a program's log":      {"main.go:12: listening", nil},
		"a panic":              {"panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:7 +0x1d\nexit status 2", nil},
		"no Go":                {"ui/main.ts:3:9: unexpected", nil},
		"nothing":              {"", nil},
		"another language's":   {"error: server.py:1:2 x", nil},
		"a number of its size": {"a.go:99999999999999999999:1: x", nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, goBuildError(strings.Split(c.lines, "\n"), dir))
		})
	}
}

// A bundle's problem is read from the data of the error of a read, and nothing else is.
func TestBundleError(t *testing.T) {
	of := func(data string) *devenv.BuildError {
		return bundleError(&appclient.ReadError{URI: "ui://x/y", Err: fmt.Errorf("reading: %w", &jsonrpc.Error{Code: -32603, Message: "m", Data: []byte(data)})})
	}
	assert.Equal(t, &devenv.BuildError{File: "ui/a.ts", Line: 3, Column: 4, Text: "x", Excerpt: []string{"a"}, ExcerptLine: 1},
		of(`{"io.github.mcpapps-go/buildError":{"file":"ui/a.ts","line":3,"column":4,"text":"x","excerpt":["a"],"excerptLine":1}}`))
	for _, data := range []string{``, `null`, `[]`, `"x"`, `{"io.github.mcpapps-go/buildError":3}`, `{"io.github.mcpapps-go/buildError":{"line":3}}`, `{"uri":"x"}`} {
		assert.Nil(t, of(data), data)
	}
	assert.Nil(t, bundleError(nil))
	assert.Nil(t, bundleError(os.ErrNotExist))
}

// A page is uncovered once nothing fails any more.
func TestBuilds(t *testing.T) {
	p := &Preview{buffers: buffers{most: allBuffers}}
	tab := newTab(p, "a")
	last := int64(0)
	told := func() (all []string) {
		for _, e := range tab.buffer.after(last) {
			all = append(all, string(e.data))
			last = e.id
		}
		return all
	}
	assert.False(t, tab.buildWorks("v"))
	tab.buildFailed("v", &devenv.BuildError{Text: "x", File: "a", Line: 1, Column: 2})
	tab.buildFailed(theServer, &devenv.BuildError{Text: "y"})
	assert.Equal(t, []string{`{"type":"build","failed":true,"file":"a","line":1,"column":2,"text":"x"}`, `{"type":"build","failed":true,"text":"y"}`}, told())
	assert.True(t, tab.buildWorks("v"))
	assert.Empty(t, told())
	assert.True(t, tab.buildWorks(theServer))
	assert.Equal(t, []string{`{"failed":false,"type":"build"}`}, told())
}

// The page shows why a program panicked, and of another one what it wrote last.
func TestLastWords(t *testing.T) {
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprint(i))
	}
	assert.Empty(t, lastWords(nil))
	assert.Equal(t, []string{"a", "b"}, lastWords([]string{"a", "b"}))
	assert.Equal(t, many[30:], lastWords(many))
	assert.Equal(t, append([]string{"panic: now"}, many...), lastWords(append([]string{"a", "panic: before", "b", "panic: now"}, many...)))

	var s process
	s.starts()
	s.runs()
	s.add(strings.Repeat("x", 1<<20))
	for range 2 * processLines {
		s.add("y")
	}
	lines, ran := s.ended()
	assert.True(t, ran)
	assert.Len(t, lines, processLines)
	lines, ran = s.ended()
	assert.False(t, ran)
	assert.Empty(t, lines)
}

// The panic of a Go program is named with its place in the author's file.
func TestFaultOf(t *testing.T) {
	dir := t.TempDir()
	trace := []string{"panic: no names", "", "goroutine 9 [running]:", "runtime.panicIndex(...)", "\t/go/src/runtime/panic.go:1 +0x1", "main.greet(...)", "\t" + filepath.Join(dir, "main.go") + ":85 +0x14"}
	assert.Equal(t, "panic: no names at main.go:85", faultOf(trace, dir))
	assert.Equal(t, "panic: no names at "+filepath.Join(dir, "main.go")+":85", faultOf(trace, filepath.Join(dir, "other")))
	assert.Equal(t, "panic: no names", faultOf(trace[:3], dir))
	assert.Empty(t, faultOf(nil, ""))
}
