package bundle

import "strings"

// importOffset tells, without reading the grammar, where a script may import
// something by name: in an import or export declaration, or in import() of a
// string. It is -1 where it certainly does not, which is what finished scripts
// of megabytes are asked. A hit in a comment or a string is possible; whether
// anything is imported is then left to the compiler.
func importOffset(s string) int {
	for i := 0; ; {
		j := strings.Index(s[i:], "import")
		if j < 0 {
			break
		}
		at := i + j
		i = at + len("import")
		if (at == 0 || !partOfName(s[at-1])) && i < len(s) && importsFrom(s[i:]) {
			return at
		}
	}
	// export { x } from "y" and export * from "y".
	export := strings.Index(s, "export")
	for i := 0; ; {
		j := strings.Index(s[i:], "from")
		if j < 0 {
			return -1
		}
		at := i + j
		i = at + len("from")
		rest := strings.TrimLeft(s[i:], " \t\r\n")
		if rest == "" || !isQuote(rest[0]) && !strings.HasPrefix(rest, "/*") {
			continue
		}
		before := strings.TrimRight(s[:at], " \t\r\n")
		if before == "" || before[len(before)-1] != '}' && !endsWithStar(before) {
			continue
		}
		if export >= 0 && export < at {
			return export
		}
	}
}

// endsWithStar accepts "*" and "* as name".
func endsWithStar(s string) bool {
	s = strings.TrimRight(s, "$_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	s = strings.TrimRight(s, " \t\r\n")
	if strings.HasSuffix(s, "*") {
		return true
	}
	as, ok := strings.CutSuffix(s, "as")
	return ok && strings.HasSuffix(strings.TrimRight(as, " \t\r\n"), "*")
}

// importsFrom looks at what follows the word import.
func importsFrom(s string) bool {
	spaced := strings.TrimLeft(s, " \t\r\n")
	if spaced == "" {
		return false
	}
	switch c := spaced[0]; {
	case isQuote(c), c == '{', c == '*', strings.HasPrefix(spaced, "/*"), strings.HasPrefix(spaced, "//"):
		return true
	case c == '(':
		arg := strings.TrimLeft(spaced[1:], " \t\r\n")
		if strings.HasPrefix(arg, "/*") {
			return true
		}
		if arg == "" || !isQuote(arg[0]) && arg[0] != '`' {
			return false
		}
		end := strings.IndexByte(arg[1:], arg[0])
		// A name with a substitution stands in a template that holds code.
		return end >= 0 && !strings.Contains(arg[1:1+end], "${")
	case len(spaced) < len(s) && partOfName(c):
		// import name from, import name, {…} from, import type …
		rest := strings.TrimLeft(strings.TrimLeft(spaced, "$_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), " \t\r\n")
		return strings.HasPrefix(rest, "from") || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "/") ||
			strings.HasPrefix(spaced, "type") || strings.HasPrefix(spaced, "defer") || rest != "" && rest[0] >= 0x80
	}
	return s[0] >= 0x80
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func partOfName(c byte) bool {
	return c == '_' || c == '$' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}
