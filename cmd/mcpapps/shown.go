package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// shown escapes what a terminal would act on, in a text that may have names and
// words of others in it. Lines stay lines.
func shown(text string) string {
	return escape(text, func(r rune) string {
		q := strconv.QuoteRuneToASCII(r)
		return q[1 : len(q)-1]
	})
}

// shownJSON does the same to encoded JSON, which stays the same JSON: all such
// characters are in strings there.
func shownJSON(text string) string {
	return escape(text, func(r rune) string {
		if hi, lo := utf16.EncodeRune(r); hi != unicode.ReplacementChar {
			return fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

func escape(text string, with func(rune) string) string {
	bad := func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }
	if strings.IndexFunc(text, bad) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if bad(r) {
			b.WriteString(with(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
