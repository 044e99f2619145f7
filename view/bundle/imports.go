package bundle

import (
	"regexp"
	"strings"
)

// Both begin with a word, which makes them fast on scripts of megabytes.
var (
	importUse = regexp.MustCompile(`import(?:\s*(?:["'{*]|/[*/]|\(\s*(?:/\*|["'` + "`" + `](?:[^"'` + "`" + `$]|\$[^{])*["'` + "`" + `]))` +
		`|\s+(?:[\w$]+\s*(?:from|[,/]|[^\x00-\x7f])|type|defer|[^\x00-\x7f])|[^\x00-\x7f])`)
	fromUse = regexp.MustCompile(`from\s*(?:["']|/\*)`)
	// What stands before a fromUse in "export { x } from" and "export * as x from".
	exported = regexp.MustCompile(`(?:\}|\*(?:\s*as\s+[\w$]+)?)$`)
)

// mayImport reports whether a script may import something by name: in an import
// or export declaration, or in import() of a string. It does not read the
// grammar, since it is asked of finished scripts of megabytes. It may be true of
// a comment or a string; whether anything is imported is then decided by the
// compiler.
func mayImport(script string) bool {
	for rest := script; ; {
		at := importUse.FindStringIndex(rest)
		if at == nil {
			break
		}
		if at[0] += len(script) - len(rest); at[0] == 0 || !isPartOfName(script[at[0]-1]) {
			return true
		}
		rest = script[at[0]+len("import"):]
	}
	export := strings.Index(script, "export")
	if export < 0 {
		return false
	}
	for _, at := range fromUse.FindAllStringIndex(script[export:], -1) {
		before := strings.TrimRight(script[export:export+at[0]], " \t\r\n")
		if exported.MatchString(before[max(0, len(before)-200):]) {
			return true
		}
	}
	return false
}

func isPartOfName(c byte) bool {
	return c == '_' || c == '$' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}
