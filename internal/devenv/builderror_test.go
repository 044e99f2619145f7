package devenv

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// An excerpt has the lines around the place. It is empty if the file does not have that line.
func TestSetExcerpt(t *testing.T) {
	const source = "one\r\ntwo\nthree\nfour\nfive\nsix"
	for line, want := range map[int]BuildError{
		0:  {},
		1:  {Excerpt: []string{"one", "two", "three"}, ExcerptLine: 1},
		3:  {Excerpt: []string{"one", "two", "three", "four", "five"}, ExcerptLine: 3},
		6:  {Excerpt: []string{"four", "five", "six"}, ExcerptLine: 3},
		7:  {},
		-3: {},
	} {
		e := BuildError{Line: line, Excerpt: []string{"old"}, ExcerptLine: 1}
		e.SetExcerpt(source)
		want.Line = line
		assert.Equal(t, want, e)
	}
	long := BuildError{Line: 1}
	long.SetExcerpt(strings.Repeat("x", 10_000))
	assert.Less(t, len(long.Excerpt[0]), 300)
}
