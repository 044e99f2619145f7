package schemacheck

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// hasFormat checks the formats that servers commonly reject values for, such as "" as
// the default of a URL. A format is no more than an annotation for jsonschema-go.
func hasFormat(schema, value any) bool {
	object, _ := schema.(map[string]any)
	format, _ := object["format"].(string)
	s, ok := value.(string)
	return !ok || HasFormat(format, s)
}

// HasFormat reports whether a string has a format, and true for formats that it does not
// know and for strings of more than 10,000 bytes.
func HasFormat(format, s string) bool {
	if len(s) > 10_000 {
		return true
	}
	var err error
	switch format {
	case "email":
		_, err = mail.ParseAddress("<" + s + ">")
	case "uri", "url":
		u, parseErr := url.Parse(s)
		return parseErr == nil && u.IsAbs()
	case "uuid":
		return uuid.MatchString(s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, strings.ToUpper(s))
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "ipv4", "ipv6":
		ip, parseErr := netip.ParseAddr(s)
		return parseErr == nil && ip.Is4() == (format == "ipv4")
	}
	return err == nil
}
