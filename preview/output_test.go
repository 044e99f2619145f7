package preview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLineWriter(t *testing.T) {
	var lines []string
	w := &lineWriter{line: func(line string) { lines = append(lines, line) }}
	for _, part := range []string{"a", "b\r\n\nc\n", "d", "\ne"} {
		n, err := w.Write([]byte(part))
		assert.NoError(t, err)
		assert.Equal(t, len(part), n)
	}
	assert.Equal(t, []string{"ab", "", "c", "d"}, lines)
	_, _ = w.Write([]byte(strings.Repeat("x", 64<<10)))
	_, _ = w.Write([]byte("f\n"))
	assert.Equal(t, "f", lines[4], "the beginning of a long line is dropped")
}

// Many lines in one write cost no more than as many lines in many writes: the rest
// is not copied for each.
func TestLineWriterIsLinear(t *testing.T) {
	n := 0
	w := &lineWriter{line: func(string) { n++ }}
	blank := []byte(strings.Repeat("\n", 10_000))
	assert.Less(t, testing.AllocsPerRun(1, func() { _, _ = w.Write(blank) }), 100.0)
	assert.Equal(t, 2*len(blank), n, "the first run is not measured")
}
