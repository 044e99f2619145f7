package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestFirstFreePort shows that a port is skipped if another program has it or the one
// after it, on either address.
func TestFirstFreePort(t *testing.T) {
	first := firstFreePort(20_000 + 200*rand.IntN(50)) // below the ports that systems pick
	for i, at := range []string{"127.0.0.1:%d", "127.0.0.1:%d", "[::1]:%d"} {
		l, err := net.Listen("tcp", fmt.Sprintf(at, first+[]int{0, 11, 20}[i]))
		if err != nil {
			e2e.Skip(t, "this test needs free ports on 127.0.0.1 and ::1: "+err.Error())
		}
		defer l.Close()
		assert.Equal(t, first+10*(i+1), firstFreePort(first))
	}
}
