package bundle

import (
	"iter"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/lines"
)

// Code that is made from text is blocked by the policy of a view, and no metadata
// allows it. Many packages only ask whether it is, or get the global object by it,
// and go on without it: those are no reason for a warning. Neither is what a package
// calls by another name, as zod does after it has asked.

const evalText = "code is made from text here, which the policy of a view blocks: if the view needs it, use a build of the package without it, " +
	"such as @alpinejs/csp for Alpine"

// probe matches the arguments with which packages ask, after the parenthesis. The
// static check of a document ignores the same ones.
var probe = regexp.MustCompile(`^\s*(?:` + quote + `[\s;]*(?:this|return this|debugger)?[\s;]*` + quote + `\s*)?\)`)

// asyncConstructor matches the one way to the constructor of asynchronous functions,
// which has no name of its own.
var asyncConstructor = regexp.MustCompile(`([\w$]+)\s*=\s*(?:Object\.getPrototypeOf\(\s*)?\(?\s*async\s*` +
	`(?:function\s*\*?\s*\(\s*\)|\(\s*\)\s*=>)\s*\{\s*\}\s*\)+\s*\.constructor$`)

// evalUse returns the offset of the first place in compiled code where code is made
// from text, -1 if there is none.
func evalUse(code string) int {
	first := -1
	for _, name := range [...]string{"Function(", "eval(", "eval)("} {
		for i := 0; ; {
			j := strings.Index(code[i:], name)
			if j < 0 {
				break
			}
			at := i + j
			i = at + len(name)
			if isGlobalAt(code[:at]) && !probe.MatchString(code[i:]) {
				if first < 0 || at < first {
					first = at
				}
				break
			}
		}
	}
	if at := asyncFunctionUse(code); at >= 0 && (first < 0 || at < first) {
		first = at
	}
	return first
}

// asyncFunctionUse is evalUse for the constructor of asynchronous functions.
func asyncFunctionUse(code string) int {
	for end, name := range asyncConstructors(code) {
		if i := strings.Index(code[end:], "new "+name+"("); i >= 0 {
			return end + i
		}
	}
	return -1
}

// asyncConstructors returns the variables that are set to the constructor of
// asynchronous functions, by the offsets after that. It looks only near the word,
// since bundled code is long.
func asyncConstructors(code string) iter.Seq2[int, string] {
	const word, near = ".constructor", 120
	return func(yield func(int, string) bool) {
		for end := 0; ; {
			i := strings.Index(code[end:], word)
			if i < 0 {
				return
			}
			end += i + len(word)
			m := asyncConstructor.FindStringSubmatch(code[max(0, end-near):end])
			if m != nil && !yield(end, m[1]) {
				return
			}
		}
	}
}

// isGlobalAt reports whether a name after this code may be a global one.
func isGlobalAt(before string) bool {
	for _, global := range [...]string{"window.", "globalThis.", "self."} {
		if strings.HasSuffix(before, global) {
			return true
		}
	}
	return before == "" || !isNamePart(before[len(before)-1])
}

func isNamePart(c byte) bool {
	return c == '_' || c == '$' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// warnOfEval warns of packages that make code from text, if that is still in the
// bundled code.
func (c *compilation) warnOfEval(code string, names []string) {
	if evalUse(code) < 0 {
		return
	}
	for _, name := range names {
		text := c.vendors[name]
		if !mayHaveHazard(text) {
			continue
		}
		if line, column := evalPlace(name, text); line > 0 {
			c.b.warnings = append(c.b.warnings, &Error{File: name, Line: line, Column: column, Text: evalText, Err: errBlocked})
			return
		}
	}
}

// warnOfInlineEval warns of an inline script that makes code from text. It stays as
// it is, and may go on without.
func (b *bundler) warnOfInlineEval(text string, at place) {
	if !mayHaveHazard(text) {
		return
	}
	if line, column := evalPlace(b.name, text); line > 0 {
		line, column = at.in(line, column)
		b.warnings = append(b.warnings, &Error{File: b.name, Line: line, Column: column, Err: errBlocked,
			Text: "code is made from text here, which the policy of a view blocks: write the code out"})
	}
}

// evalPlace returns where a script makes code from text, 0 if it doesn't.
func evalPlace(name, text string) (line, column int) {
	// Without comments, but with names and places.
	result := api.Transform(text, api.TransformOptions{Sourcefile: name, Target: target, Sourcemap: api.SourceMapExternal,
		LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"})
	at := evalUse(string(result.Code))
	if at < 0 {
		return 0, 0
	}
	line, column = lines.New(string(result.Code)).Position(at)
	return inSource(compilerMap(result.Map), line, column)
}
