package check

import (
	"encoding/json"
	"strconv"
	"strings"
)

// pointer returns a JSON pointer.
func pointer(parts ...any) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		switch p := p.(type) {
		case int:
			b.WriteString(strconv.Itoa(p))
		case string:
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
		}
	}
	return b.String()
}

// shown returns a value as JSON, short enough for a message.
func shown(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		return shorten(string(raw))
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "a value that is no JSON"
	}
	return shorten(string(raw))
}

func quote(s string) string { return strconv.Quote(shorten(s)) }

// plain is a key without case and separators, for spellings.
func plain(key string) string {
	return strings.NewReplacer("/", "", ".", "", "_", "", "-", "").Replace(strings.ToLower(key))
}
