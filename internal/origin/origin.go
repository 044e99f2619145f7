// Package origin decides which strings can be entries of a CSP, and splits
// origins to compare them.
package origin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Validate returns an error if s can't be an entry of a CSP. The grammar is the
// intersection of what hosts accept and what browsers match, so a valid entry
// means the same everywhere. The error gives the most useful reason; the caller
// adds the value.
func Validate(s string) error {
	if i := strings.IndexFunc(s, func(r rune) bool { return r >= 0x7f || r < ' ' || strings.ContainsRune(" \"',;\\<>", r) }); i >= 0 {
		if s[i] >= 0x80 {
			return fmt.Errorf("it has a non-ASCII character at byte %d; write the host in punycode (xn--…)", i)
		}
		return fmt.Errorf("it has the character %q at byte %d; an entry is one origin, such as %q", s[i], i, example)
	}
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		switch {
		case s == "":
			return fmt.Errorf("it is empty; name an origin, such as %q", example)
		case strings.HasSuffix(s, ":"):
			return fmt.Errorf("it is a scheme, which hosts do not allow; name each origin, such as %q", example)
		case s == "*":
			return fmt.Errorf("it allows every host; name each origin, such as %q", example)
		default:
			if meant := meantBy(s); meant != "" {
				return &MeantError{"it has no scheme", meant}
			}
			return fmt.Errorf("it has no scheme; name an origin, such as %q", example)
		}
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss":
	default:
		return errors.New("its scheme is not http, https, ws or wss")
	}
	if i := strings.IndexAny(rest, "/?#@"); i >= 0 {
		if origin, ok := strings.CutSuffix(s, "/"); ok && i == len(rest)-1 && Validate(origin) == nil {
			return &MeantError{"it ends in a slash, which an origin does not", origin}
		}
		part := map[byte]string{'/': "a path", '?': "a query", '#': "a fragment", '@': "user information"}[rest[i]]
		if meant := meantBy(s); meant != "" {
			return &MeantError{"it has " + part, meant}
		}
		return fmt.Errorf("it has %s; an origin ends after the host and the port", part)
	}
	if strings.HasPrefix(rest, "[") {
		return errors.New("browsers do not match IPv6 addresses in a policy; name a host or an IPv4 address")
	}
	host, port, hasPort := strings.Cut(rest, ":")
	if hasPort {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return fmt.Errorf("its port is %s; it must be a number from 1 to 65535", text.Quote(port))
		}
	}
	return validateHost(host)
}

// A MeantError is the error of an entry that stands for another.
type MeantError struct {
	Reason string
	Meant  string // a valid entry
}

// Error gives the reason and the remedy.
func (e *MeantError) Error() string { return fmt.Sprintf("%s; write %q", e.Reason, e.Meant) }

// meantBy returns the origin that the author of an invalid entry probably meant: without
// a path, and with https if the entry has no scheme. It returns "" if that is not an
// origin either.
func meantBy(entry string) string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(entry), "://")
	if !ok {
		scheme, rest = "https", strings.TrimPrefix(scheme, "//")
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if o := scheme + "://" + rest; !strings.Contains(o, "@") && len(o) <= 120 && strings.Contains(rest, ".") && Validate(o) == nil {
		return o
	}
	return ""
}

const example = "https://api.example.com"

const maxHost = 253 // characters in a name

func validateHost(host string) error {
	if host == "*" {
		return fmt.Errorf("it allows every host; name each origin, such as %q", example)
	}
	name, wildcard := strings.CutPrefix(host, "*.")
	if name == "" {
		return errors.New("it has no host")
	}
	if len(name) > maxHost {
		return fmt.Errorf("its host has %d characters; a name has at most %d", len(name), maxHost)
	}
	labels := strings.Split(name, ".")
	if labels[len(labels)-1] == "" {
		return errors.New("its host ends with a dot, which browsers treat as another host; remove the dot")
	}
	for _, label := range labels {
		switch {
		case label == "":
			return errors.New("its host has an empty label between dots")
		case len(label) > 63:
			return fmt.Errorf("its host has a label of %d characters; a label has at most 63", len(label))
		case label[0] == '-' || label[len(label)-1] == '-':
			return fmt.Errorf("its host's label %q begins or ends with a hyphen", label)
		case strings.Contains(label, "*"):
			return errors.New("a wildcard may only be the whole first label, as in \"https://*.example.com\"")
		}
		for _, c := range []byte(label) {
			if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-') {
				return fmt.Errorf("its host has the character %q", c)
			}
		}
	}
	// If the last label is a number, hexadecimal included, browsers parse the host
	// of a URL as an IPv4 address (URL Standard, "ends in a number") and write it
	// as four decimal numbers, the only form that a policy matches.
	last := labels[len(labels)-1]
	switch {
	case isNumber(last) && wildcard:
		return errors.New("a wildcard can't stand before an address")
	case isNumber(last) && !isIPv4(labels):
		return errors.New("its host ends in a number but is not an IPv4 address")
	case wildcard && len(labels) == 1 && !strings.EqualFold(last, "localhost"):
		return fmt.Errorf("it allows every host under %q; name a domain, such as %q", last, "https://*.example.com")
	}
	return nil
}

func isIPv4(labels []string) bool {
	if len(labels) != 4 {
		return false
	}
	for _, l := range labels {
		n, err := strconv.ParseUint(l, 10, 8)
		if err != nil || strconv.FormatUint(n, 10) != l {
			return false
		}
	}
	return true
}

func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(strings.ToLower(label), "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
