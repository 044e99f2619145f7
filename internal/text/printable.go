package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Printable returns s on one line, with every character escaped that a terminal
// would act on or not show: control characters, line breaks, tabs, characters
// that reorder or hide text, and invalid UTF-8.
func Printable(s string) string {
	return escape(s, invisible, goEscape)
}

// PrintableLines is [Printable] for text of several lines: line breaks and tabs
// stay as they are.
func PrintableLines(s string) string {
	return escape(s, invisibleInLine, goEscape)
}

// PrintableJSON escapes the same characters in encoded JSON, where they occur in
// strings only, so that it is still the same JSON.
func PrintableJSON(s string) string {
	return escape(s, invisibleInLine, func(r rune) string {
		if hi, lo := utf16.EncodeRune(r); hi != unicode.ReplacementChar {
			return fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// NewWriter returns a writer to w of [PrintableLines]. Each Write must hold
// whole characters.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// A Writer makes text printable and writes it to another writer.
type Writer struct{ w io.Writer }

// Write writes b, escaped. It returns len(b) unless writing fails.
func (w *Writer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.w, PrintableLines(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap returns the writer to which w writes, for text that needs no escaping.
func (w *Writer) Unwrap() io.Writer { return w.w }

func invisible(r rune) bool {
	return r == unicode.ReplacementChar || !unicode.IsGraphic(r)
}

func invisibleInLine(r rune) bool {
	return r != '\n' && r != '\t' && invisible(r)
}

func escape(s string, unfit func(rune) bool, with func(rune) string) string {
	if strings.IndexFunc(s, unfit) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unfit(r) {
			b.WriteString(with(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func goEscape(r rune) string {
	q := strconv.QuoteRuneToASCII(r)
	return q[1 : len(q)-1]
}
