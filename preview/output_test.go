package preview

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// What a process writes is separated from what the last one wrote. Separators that
// follow each other are one.
func TestOutputOfTheNextProcess(t *testing.T) {
	p := startPageFor(t, lockingCommand(t), nil)
	p.waitType("tools")
	p.run.showLine("of the first")
	p.run.serverEnded(errors.New("exit status 2"))
	require.NoError(t, p.run.Restart(t.Context()))
	p.run.showLine("of the second")
	require.NoError(t, p.run.Restart(t.Context())) // of one that runs
	p.run.showLine("of the third")
	p.run.output.mu.Lock()
	defer p.run.output.mu.Unlock()
	kept := p.run.output.kept
	at := slices.IndexFunc(kept, func(e map[string]any) bool { return e["text"] == "of the first" })
	next := slices.IndexFunc(kept, func(e map[string]any) bool { return e["text"] == "of the second" })
	require.True(t, 0 <= at && at < next)
	separators := 0
	for i, e := range kept {
		if e["again"] != nil {
			separators++
			assert.True(t, at < i && i != next)
		}
	}
	assert.Equal(t, 2, separators)
	assert.Equal(t, "of the third", kept[len(kept)-1]["text"])
}
