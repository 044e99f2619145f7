package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFirstFreePort shows that a port is skipped if another program has it or the one
// after it, on either address.
func TestFirstFreePort(t *testing.T) {
	const first = 42160
	require.Equal(t, first, firstFreePort(first), "this test needs these ports")
	for i, at := range []string{"127.0.0.1:42160", "127.0.0.1:42171", "[::1]:42180"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Skip(err)
		}
		defer l.Close()
		assert.Equal(t, first+10*(i+1), firstFreePort(first))
	}
}
