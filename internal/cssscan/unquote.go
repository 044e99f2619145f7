package cssscan

import "strings"

const spaces = " \t\r\n\f"

// Unquote returns the value of a string, or of an unquoted address, with its
// escapes resolved. A string that the style's end cuts off is as long as it is.
func Unquote(s string) string {
	quote := byte(0)
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		quote, s = s[0], s[1:]
	}
	if end := strings.IndexAny(s, "\\\"'"); end < 0 {
		return s
	} else if quote != 0 && end == len(s)-1 && s[end] == quote {
		return s[:end]
	}
	var out strings.Builder
	for i := 0; i < len(s) && (quote == 0 || s[i] != quote); i++ {
		if s[i] != '\\' {
			out.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			break
		}
		code, end := hexadecimal(s, i)
		switch {
		case end > i:
			out.WriteRune(code)
			i = end - 1
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n': // a line that goes on
			i++
		case s[i] == '\n' || s[i] == '\r' || s[i] == '\f':
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

// hexadecimal reads up to six digits and the one space that may end them, and
// returns the offset after them.
func hexadecimal(s string, i int) (rune, int) {
	const most, invalid = 6, '\ufffd'
	code, start := rune(0), i
	for i < len(s) && i < start+most {
		digit := strings.IndexByte("0123456789abcdefABCDEF", s[i])
		if digit < 0 {
			break
		}
		if digit >= 16 {
			digit -= 6
		}
		code = code<<4 + rune(digit)
		i++
	}
	switch {
	case i == start || i == len(s):
	case strings.HasPrefix(s[i:], "\r\n"):
		i += 2
	case strings.IndexByte(spaces, s[i]) >= 0:
		i++
	}
	if code == 0 || code > '\U0010ffff' || 0xd800 <= code && code <= 0xdfff {
		code = invalid
	}
	return code, i
}
