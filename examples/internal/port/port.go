// Package port opens the port on which an example serves HTTP.
package port

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// Listen listens on an address, the -addr of the program with the given name, and warns if
// other machines can reach it. at is where a browser on this machine finds it, as
// 127.0.0.1:8080.
func Listen(addr, program string, warnings io.Writer) (listener net.Listener, at string, err error) {
	listener, err = net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, "", fmt.Errorf("%w: another program uses this port; name another one with -addr, such as -addr 127.0.0.1:0 for any free port", err)
	}
	if err != nil {
		return nil, "", err
	}
	tcp := listener.Addr().(*net.TCPAddr)
	if !tcp.IP.IsLoopback() {
		fmt.Fprintf(warnings, "%s: warning: %s can be reached from other machines, and anybody may call the server\n", program, tcp)
	}
	if tcp.IP.IsUnspecified() { // it listens on all addresses
		tcp = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}
	}
	return listener, tcp.String(), nil
}
