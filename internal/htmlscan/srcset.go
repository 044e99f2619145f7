package htmlscan

import (
	"iter"
	"strings"
)

// A Candidate is the address of one image of a srcset attribute.
type Candidate struct {
	URL        string
	Start, End int // byte offsets in the value
}

// Srcset returns the images of the value of a srcset attribute, split as the
// HTML standard says: an address ends at a space, whatever commas are in it, and
// commas at its end are separators.
func Srcset(value string) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for rest := value; ; {
			rest = strings.TrimLeft(rest, spaces+",")
			if rest == "" {
				return
			}
			c := Candidate{Start: len(value) - len(rest)}
			end := strings.IndexAny(rest, spaces)
			if end < 0 {
				end = len(rest)
			}
			c.URL = strings.TrimRight(rest[:end], ",")
			c.End = c.Start + len(c.URL)
			if !yield(c) {
				return
			}
			separated := len(c.URL) < end
			rest = rest[end:]
			if !separated {
				rest = rest[descriptorLength(rest):]
			}
		}
	}
}

// descriptorLength returns the length of what stands before the next comma
// outside parentheses.
func descriptorLength(s string) int {
	parentheses := false
	for i := range len(s) {
		switch {
		case s[i] == '(':
			parentheses = true
		case s[i] == ')':
			parentheses = false
		case s[i] == ',' && !parentheses:
			return i
		}
	}
	return len(s)
}
