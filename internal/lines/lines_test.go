package lines_test

import (
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/lines"
	"github.com/stretchr/testify/assert"
)

func TestPosition(t *testing.T) {
	for _, part := range []string{"x", "\n", "xy\n", "\r\n", strings.Repeat("x", 1000) + "\n", strings.Repeat("\n", 700) + "x"} {
		text := strings.Repeat(part, 20_000/len(part))
		x := lines.New(text)
		for offset := 0; offset <= len(text); offset += 1 + offset%7*31 {
			before := text[:offset]
			line, column := x.Position(offset)
			if line != 1+strings.Count(before, "\n") || column != offset-strings.LastIndexByte(before, '\n') {
				t.Fatalf("%.10q at %d: %d:%d", part, offset, line, column)
			}
		}
	}
}

func TestPositionOutside(t *testing.T) {
	at := func(x *lines.Index, offset int) [2]int {
		line, column := x.Position(offset)
		return [2]int{line, column}
	}
	assert.Equal(t, [2]int{1, 1}, at(&lines.Index{}, 3))
	assert.Equal(t, [2]int{1, 1}, at(lines.New(""), 3))
	assert.Equal(t, [2]int{1, 1}, at(lines.New("a\nb"), -1))
	assert.Equal(t, [2]int{2, 2}, at(lines.New("a\nb"), 4))
}
