package unasked

import (
	"net"
	"net/url"
)

// OnThisMachine reports whether a URL is one of this machine's, whose servers are
// their author's own. Names below localhost are not: a resolver may ask the network
// for them.
func OnThisMachine(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
