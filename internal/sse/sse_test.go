package sse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEventsComeInPieces(t *testing.T) {
	const stream = ": comment\r\n\r\nevent: message\r\ndata: {\"a\":\rdata:1}\r\n\r\nevent: other\ndata: no\n\ndata\n\nid: 5\ndata: two\n\ndata: unfinished"
	for size := 1; size < len(stream); size++ {
		var got []string
		s := New(100, func(data []byte) { got = append(got, string(data)) })
		for rest := []byte(stream); len(rest) > 0; {
			n := min(size, len(rest))
			written, err := s.Write(rest[:n])
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		require.Equal(t, []string{"{\"a\":\n1}", "two"}, got, "in pieces of %d", size)
		s.End()
		require.Equal(t, []string{"{\"a\":\n1}", "two", "unfinished"}, got, "in pieces of %d", size)
	}
}

func TestBounds(t *testing.T) {
	count := 0
	s := New(20, func([]byte) { count++ })
	_, err := s.Write([]byte(strings.Repeat("data: 0123456789\n\n", 100)))
	require.NoError(t, err, "the bound is that of one event")
	assert.Equal(t, 100, count)
	_, err = s.Write([]byte("data: 0123456789\ndata: 0123456789\n\n"))
	assert.ErrorIs(t, err, ErrTooLong, "of all its lines")
	_, err = New(20, nil).Write([]byte(strings.Repeat("x", 21)))
	assert.ErrorIs(t, err, ErrTooLong, "of a line that does not end")
}
