package page

import (
	"strings"
	"unicode"
)

// A Target is the kind of place that an address leads to.
type Target int

const (
	// Nowhere: it loads nothing, or too little of it is known.
	Nowhere Target = iota
	// File: a file next to the document.
	File
	// Origin: an http, https, ws or wss address.
	Origin
	// Scheme: data:, blob: and all others.
	Scheme
)

// Target returns where the address leads, and of an Origin the origin, in lower case.
func (r *Ref) Target() (Target, string) {
	s := r.URL
	if strings.HasPrefix(s, "#") {
		return Nowhere, ""
	}
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	name, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(name) {
		// What only begins like this may become anything, unless it is a path already.
		if r.Prefix && !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "./") && !strings.HasPrefix(s, "../") {
			return Nowhere, ""
		}
		return File, ""
	}
	switch name = strings.ToLower(name); name {
	case "http", "https", "ws", "wss":
		host, ok := strings.CutPrefix(rest, "//")
		end := strings.IndexAny(host, `/?#\`)
		if end >= 0 {
			host = host[:end]
		}
		if _, after, at := strings.Cut(host, "@"); at {
			host = after
		}
		if !ok || host == "" || end < 0 && r.Prefix || strings.ContainsAny(host, "{}$<>%\" ") {
			return Nowhere, "" // not an address, or only the beginning of its host
		}
		if strings.IndexFunc(host, func(c rune) bool { return c > unicode.MaxASCII }) >= 0 {
			return Nowhere, "" // declarations have another spelling of such a name
		}
		return Origin, name + "://" + strings.ToLower(host)
	case "javascript", "about", "mailto", "tel", "sms":
		return Nowhere, ""
	}
	if r.Use == Navigation {
		return Nowhere, ""
	}
	return Scheme, ""
}

func isScheme(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !('0' <= c && c <= '9') && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
