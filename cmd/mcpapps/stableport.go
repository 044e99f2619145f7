package main

import (
	"net"
	"strconv"
)

// stablePort is the port of the preview's page unless the user names one: always the
// same, so that a page that is open shows the next run too. On a telephone's keys it
// spells "mcpa".
const stablePort = 6272

// firstFreePort returns the first of twenty ports, first and then in steps of ten, that
// is free together with the port after it. It returns 0 if all of them are in use: the
// system then picks a port.
func firstFreePort(first int) int {
	for port := first; port < first+200; port += 10 {
		if isFree(port) && isFree(port+1) {
			return port
		}
	}
	return 0
}

// isFree reports whether nobody listens on a port of the loopback addresses. A machine
// may have no ::1.
func isFree(port int) bool {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	if c, err := net.Dial("tcp6", net.JoinHostPort("::1", strconv.Itoa(port))); err == nil {
		c.Close()
		return false
	}
	return true
}
