package page

// The nesting of scripts that are read is at most minNesting + maxNesting per byte.
// Real ones have 0.3 to 1.2 per byte, and small ones a little more.
const (
	minNesting = 300_000
	maxNesting = 4
)

// nesting estimates the parser's work on the scopes of a script: the number of scopes
// around each name, summed up. The parser bounds the depth of scopes, but it passes
// each name that a scope does not declare on to the next outer one.
func nesting(script string) int {
	type level struct {
		scopes int // one, and one more for each arrow function in it
	}
	var stack []level
	depth, cost := 0, 0
	word := false
	for i := 0; i < len(script); i++ {
		c := script[i]
		isWord := isLetter(c) || c == '_' || c == '$' || c >= 0x80 || word && '0' <= c && c <= '9'
		if isWord && !word {
			cost += depth
		}
		word = isWord
		switch c {
		case '{', '(', '[':
			stack = append(stack, level{1})
			depth++
		case '}', ')', ']':
			if n := len(stack); n > 0 {
				depth -= stack[n-1].scopes
				stack = stack[:n-1]
			}
		case '>':
			if n := len(stack); n > 0 && i > 0 && script[i-1] == '=' {
				stack[n-1].scopes++
				depth++
			}
		case ';', ',':
			if n := len(stack); n > 0 {
				depth -= stack[n-1].scopes - 1
				stack[n-1].scopes = 1
			}
		}
	}
	return cost
}
