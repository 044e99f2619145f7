package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A plainWriter shows the characters that a terminal would act on, or that turn
// the text around them, as escapes. What this program prints holds names and
// errors that servers chose.
type plainWriter struct{ w io.Writer }

func (p plainWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, plain(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// process is where a server's process writes its standard error: as it is, with
// the colours that its author expects.
func (s stdio) process() io.Writer {
	if p, ok := s.err.(plainWriter); ok {
		return p.w
	}
	return s.err
}

func plain(s string) string {
	if strings.IndexFunc(s, acts) < 0 {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case !acts(r):
			out.WriteString(s[:n])
		case r < 0x80:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		s = s[n:]
	}
	return out.String()
}

func acts(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
