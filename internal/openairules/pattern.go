package openairules

import (
	"regexp"
	"strings"
	"unicode"
)

// formForeign says what a pattern that Go accepts has and JavaScript reads in another way,
// or rejects, as new RegExp(pattern, "u"). It returns "" if there is no such part. Both
// differ still in what . and \s leave out, for characters that are rare in one line.
func formForeign(pattern string) string {
	r := patternReader{rest: pattern}
	for r.rest != "" && r.foreign == "" {
		r.term()
	}
	return r.foreign
}

// A patternReader reads a pattern that Go accepts, from left to right.
type patternReader struct {
	rest       string
	repeatable bool   // what was read last may have a quantifier
	foreign    string // the first part that JavaScript does not have
}

var (
	patternEscape     = regexp.MustCompile(`^\\(?:[dDwWsSnrtfv]|x[0-9A-Fa-f]{2}|[$()*+./?\[\\\]^{|}])`)
	patternBoundary   = regexp.MustCompile(`^\\[bB]`)
	patternProperty   = regexp.MustCompile(`^\\[pP]\{([A-Z][a-z]?)\}`)
	patternQuantifier = regexp.MustCompile(`^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??`)
	patternGroup      = regexp.MustCompile(`^\((?:\?:|\?<[A-Za-z_][A-Za-z0-9_]*>)?`)
)

// take reads what matches re, and reports whether there was any.
func (r *patternReader) take(re *regexp.Regexp, repeatable bool) bool {
	n := len(re.FindString(r.rest))
	if n > 0 {
		r.rest, r.repeatable = r.rest[n:], repeatable
	}
	return n > 0
}

func (r *patternReader) fail(length int) { r.foreign = r.rest[:min(length, len(r.rest))] }

// escape reads an escape that stands for a character or for a class of them.
func (r *patternReader) escape() bool {
	if m := patternProperty.FindStringSubmatch(r.rest); m != nil {
		if _, ok := unicode.Categories[m[1]]; !ok {
			return false
		}
		return r.take(patternProperty, true)
	}
	return r.take(patternEscape, true)
}

func (r *patternReader) term() {
	switch c := r.rest[0]; c {
	case '\\':
		if !r.take(patternBoundary, false) && !r.escape() {
			r.fail(3)
		}
	case '*', '+', '?', '{':
		if !r.repeatable || !r.take(patternQuantifier, false) {
			r.fail(2)
		}
	case '(':
		if strings.HasPrefix(r.rest, "(?") && len(patternGroup.FindString(r.rest)) == 1 {
			r.fail(3)
			return
		}
		r.take(patternGroup, false)
	case '[':
		r.class()
	case ']', '}':
		r.fail(1)
	default:
		r.repeatable = c != '|' && c != '^' && c != '$'
		r.rest = r.rest[1:] // also a byte within a character
	}
}

// class reads a class in brackets.
func (r *patternReader) class() {
	r.rest = strings.TrimPrefix(r.rest[1:], "^")
	for first := true; r.foreign == ""; first = false {
		switch {
		case r.rest == "":
			r.foreign = "["
		case r.rest[0] == ']' && first:
			r.fail(1) // a character to Go, and the end to JavaScript
		case r.rest[0] == ']':
			r.rest, r.repeatable = r.rest[1:], true
			return
		case strings.HasPrefix(r.rest, "[:"):
			r.fail(8)
		case strings.HasPrefix(r.rest, `\-`):
			r.rest = r.rest[2:]
		case r.rest[0] == '\\':
			isClass := len(r.rest) > 1 && strings.IndexByte("dDwWsSpP", r.rest[1]) >= 0
			if !r.escape() || isClass && strings.HasPrefix(r.rest, "-") && !strings.HasPrefix(r.rest, "-]") {
				r.fail(3) // a class can't begin a range
			}
		default:
			r.rest = r.rest[1:]
		}
	}
}
