// Package text makes untrusted text safe to print: names, errors and values from
// a server, a view or a file. [Shorten], [Quote] and [JSON] limit how much of it
// a message repeats. [Printable], [PrintableLines], [PrintableJSON] and [Writer]
// escape characters that a terminal would interpret or not show.
package text

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inMessage is how many bytes of a value [Quote] and [JSON] keep.
const inMessage = 120

// Shorten returns s if it has at most maxBytes bytes. Otherwise it returns at most
// its first maxBytes bytes, cut between characters, and a note of its length, such
// as "… (4096 bytes)". The result is valid UTF-8: each run of invalid bytes in
// s becomes one U+FFFD, which may cost characters at the end of the cut.
func Shorten(s string, maxBytes int) string {
	head := cut(s, maxBytes)
	valid := strings.ToValidUTF8(head, "\uFFFD")
	if len(head) == len(s) && len(valid) <= maxBytes {
		return valid
	}
	return cut(valid, maxBytes) + note(s)
}

// Quote returns s as a quoted Go string, shortened to 120 bytes before it is
// quoted. Characters that are not printable, and invalid bytes, are escaped.
func Quote(s string) string {
	head := cut(s, inMessage)
	if len(head) == len(s) {
		return strconv.Quote(s)
	}
	return strconv.Quote(head + note(s))
}

// JSON returns v as JSON, shortened to 120 bytes. It never fails: a value that
// can't be encoded is named by its type. A [json.RawMessage] is used as it is,
// valid or not.
func JSON(v any) string {
	data, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if data, err = json.Marshal(v); err != nil {
			return fmt.Sprintf("a value of type %T", v)
		}
	}
	return Shorten(string(data), inMessage)
}

// cut returns the longest prefix of s of at most maxBytes bytes that does not end
// within a character.
func cut(s string, maxBytes int) string {
	if len(s) <= maxBytes {
		return s
	}
	end := maxBytes
	for end > 0 && end > maxBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

func note(s string) string { return fmt.Sprintf("… (%d bytes)", len(s)) }
