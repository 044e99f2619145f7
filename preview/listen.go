package preview

import (
	"errors"
	"fmt"
	"net"
	"strconv"
)

// listenLoopback binds a port on both loopback addresses: if another program holds
// [::1]:port while we hold 127.0.0.1:port, it answers for "localhost" in half of all
// browsers. On a machine without ::1 it binds only 127.0.0.1. Port 0 picks a free
// port. With everywhere it binds all addresses, which gives the views of this server
// to everybody who can reach the machine.
func listenLoopback(port int, everywhere bool) ([]net.Listener, int, error) {
	var last error
	for range 20 {
		listeners, got, err := listenBoth(port, everywhere)
		if err == nil {
			return listeners, got, nil
		}
		last = err
		if port != 0 || !errors.Is(err, errAddrInUse) {
			break
		}
	}
	return nil, 0, last
}

func listenBoth(port int, everywhere bool) ([]net.Listener, int, error) {
	if everywhere {
		l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(port)))
		if err != nil {
			return nil, 0, err
		}
		return []net.Listener{l}, l.Addr().(*net.TCPAddr).Port, nil
	}
	v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, 0, portError(port, err)
	}
	port = v4.Addr().(*net.TCPAddr).Port
	v6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	switch {
	case err == nil:
		return []net.Listener{v4, v6}, port, nil
	case errors.Is(err, errAddrInUse):
		v4.Close()
		return nil, 0, fmt.Errorf("port %d is free on 127.0.0.1 but in use on [::1], so another program would answer for localhost there; choose another port: %w", port, err)
	default: // no IPv6 here
		return []net.Listener{v4}, port, nil
	}
}

func portError(port int, err error) error {
	if errors.Is(err, errAddrInUse) {
		return fmt.Errorf("port %d is in use: stop the program that uses it, or choose another port: %w", port, err)
	}
	return err
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		l.Close()
	}
}
