package preview

import (
	"fmt"
	"net"
	"strconv"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A port must be free on both loopback addresses: a program that holds it on the
// other one would answer for "localhost" in half of all browsers.
func TestListenLoopbackPortInUse(t *testing.T) {
	other, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		e2e.Skip(t, "this machine has no ::1")
	}
	defer other.Close()
	port := other.Addr().(*net.TCPAddr).Port
	listeners, _, err := listenLoopback(port, false)
	closeAll(listeners)
	assert.ErrorContains(t, err, fmt.Sprintf("port %d is free on 127.0.0.1 but in use on [::1]", port))
	v4, err := net.Listen("tcp4", "127.0.0.1:"+strconv.Itoa(port))
	require.NoError(t, err, "the listener on 127.0.0.1 was closed")
	v4.Close()

	listeners, port, err = listenLoopback(0, false)
	require.NoError(t, err)
	defer closeAll(listeners)
	require.Len(t, listeners, 2)
	for _, l := range listeners {
		assert.Equal(t, port, l.Addr().(*net.TCPAddr).Port)
		assert.True(t, l.Addr().(*net.TCPAddr).IP.IsLoopback())
	}
	_, _, err = listenLoopback(port, false)
	assert.ErrorContains(t, err, fmt.Sprintf("port %d is in use", port))
}
