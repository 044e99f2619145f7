package origin

import (
	"strconv"
	"strings"
)

// An Origin is an origin in the form in which origins are compared: in lower
// case, with a port.
type Origin struct {
	Scheme, Host string
	Port         uint16
}

// DefaultPort returns the port of an origin with the given scheme (http, https,
// ws or wss) that names none.
func DefaultPort(scheme string) uint16 {
	switch scheme {
	case "https", "wss":
		return 443
	default:
		return 80
	}
}

// notInHost are characters that the host of an origin can't have, and those of
// IPv6 addresses, which browsers do not match to any entry.
const notInHost = `/?#@\[]%<>^|"`

// Parse splits an origin. It accepts more than [Validate]: a document may use a
// host, such as one with an underscore, that an entry can't name but a wildcard
// covers.
func Parse(s string) (o Origin, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://") // in lower case below, once it is ASCII
	if !ok || len(rest) > maxHost+len(":65535") || strings.ContainsFunc(rest, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(notInHost, r) }) {
		return Origin{}, false
	}
	scheme, rest = strings.ToLower(scheme), strings.ToLower(rest)
	switch scheme {
	case "http", "https", "ws", "wss":
	default:
		return Origin{}, false
	}
	host, port := rest, DefaultPort(scheme)
	if name, digits, ok := strings.Cut(rest, ":"); ok {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return Origin{}, false
		}
		host, port = name, uint16(n)
	}
	return Origin{scheme, host, port}, host != "" && len(host) <= maxHost
}
