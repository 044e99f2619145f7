package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// hazard is something that compiles and then fails in a view.
type hazard struct {
	global  string         // what esbuild replaces by the marker, where it is the global of that name
	marked  *regexp.Regexp // the harmful use, in compiled code with markers
	literal *regexp.Regexp // the same with a reference in a string
	text    string
	vendor  bool // worth a warning in a package
}

const marker = "__mcpapps_"

func newHazard(global, use, literal, text string, vendor bool) hazard {
	mark := markerOf(global)
	return hazard{global, regexp.MustCompile(fmt.Sprintf(use, mark)), regexp.MustCompile(fmt.Sprintf(literal, mark)), text, vendor}
}

func markerOf(global string) string { return marker + strings.ReplaceAll(global, ".", "_") }

const never = `%s\A\b\B`

var hazards = []hazard{
	newHazard("import.meta.url", `%s\b`, `\(\s*["'`+"`"+`][^"'`+"`"+`:]*["'`+"`"+`]\s*,\s*%s\b`, "import.meta.url is the address of the "+
		"host's sandbox when the view runs, and nothing of yours is there: import the file instead, which gives its data URL, text or bytes", true),
	newHazard("import.meta.resolve", `%s\b`, `%s\(\s*["'`+"`"+`]`, "import.meta.resolve finds nothing when the view runs: import the file instead", true),
	newHazard("Worker", `\bnew %s\b`, `\bnew %s\(\s*["'`+"`"+`]`, "a worker is blocked by the policy of a view: run its code in the page", true),
	newHazard("SharedWorker", `\bnew %s\b`, `\bnew %s\(\s*["'`+"`"+`]`, "a shared worker is blocked by the policy of a view: run its code in the page", true),
	newHazard("navigator.serviceWorker", `\b%s\.register\b`, `\b%s\.register\(\s*["'`+"`"+`]`, "a service worker can't be registered in a view: leave it out", true),
	newHazard("importScripts", `\b%s\(`, never, "importScripts works in workers only, and those are blocked in a view", true),
	newHazard("WebAssembly", `\b%s\.(?:compile|instantiate|Module|compileStreaming|instantiateStreaming)\b`, never,
		"WebAssembly is blocked by the policy of a view: use a build in JavaScript", true),
	newHazard("Function", `(?:\bnew %[1]s\b|\b%[1]s\()`, never, "making a function from text is blocked by the policy of a view: write the function out", false),
}

// suspicious tells quickly whether a script may hold one of the hazards, so
// that nearly all are looked at no further.
func suspicious(code string) bool {
	for _, word := range [...]string{"import.meta", "Worker", "importScripts", "WebAssembly", "Function(", "eval("} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// finding is a hazard at a place of a source.
type finding struct {
	hazard *hazard // nil: eval
	line   int
	column int
}

// find compiles a source with markers in the place of the globals, and follows
// the source map from those in harmful use.
func find(name string, s sourceText, literalOnly bool) []finding {
	o := api.TransformOptions{
		Loader: s.loader, Sourcefile: name, Target: target, Sourcemap: api.SourceMapExternal, LogLevel: api.LogLevelSilent,
		JSX: api.JSXAutomatic, Define: make(map[string]string), LogOverride: map[string]api.LogLevel{"direct-eval": api.LogLevelWarning},
		TsconfigRaw: "{}",
	}
	for _, h := range hazards {
		o.Define[h.global] = markerOf(h.global)
	}
	result := api.Transform(s.text, o)
	if len(result.Errors) > 0 {
		return nil
	}
	var found []finding
	code := string(result.Code)
	for i, h := range hazards {
		use := h.marked
		if literalOnly {
			use = h.literal
		}
		for _, at := range use.FindAllStringIndex(code, -1) {
			offset := at[0] + strings.Index(code[at[0]:at[1]], marker)
			line, column := position(code, offset)
			l, c := originalPosition(result.Map, line-1, column-1)
			found = append(found, finding{&hazards[i], l + 1, c + 1})
		}
	}
	if !literalOnly {
		for _, m := range result.Warnings {
			if m.ID == "direct-eval" && m.Location != nil {
				found = append(found, finding{nil, m.Location.Line, m.Location.Column + 1})
			}
		}
	}
	return found
}

const evalText = "eval is blocked by the policy of a view: write the code out"

// checkHazards looks for what will be blocked in a bundled script.
func (c *compilation) checkHazards(code string) {
	if !suspicious(code) {
		return
	}
	b := c.b
	names := make([]string, 0, len(c.sources))
	for name, s := range c.sources {
		if suspicious(s.text) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		file := name
		if c.sources[name].page {
			file = b.name
		}
		for _, f := range find(name, c.sources[name], false) {
			text := evalText
			if f.hazard != nil {
				text = f.hazard.text
			}
			b.problems.add(&Error{File: file, Line: f.line, Column: f.column, Text: text, Err: errBlocked})
		}
	}
	b.vendorHazards(code, c.vendors)
}

// vendorHazards warns of packages that use what a view does not have, where
// such use is left in the bundle.
func (b *bundler) vendorHazards(code string, vendors map[string]string) {
	words := map[string]string{"import.meta.url": "import.meta.url", "Worker": "new Worker(", "SharedWorker": "new SharedWorker(",
		"navigator.serviceWorker": "serviceWorker.register", "importScripts": "importScripts(", "WebAssembly": "WebAssembly.instantiate"}
	names := make([]string, 0, len(vendors))
	for name := range vendors {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, h := range hazards {
		word := words[h.global]
		if !h.vendor || word == "" || !strings.Contains(code, word) {
			continue
		}
		for _, name := range names {
			if i := strings.Index(vendors[name], word); i >= 0 {
				line, column := position(vendors[name], i)
				b.warnings = append(b.warnings, &Error{File: name, Line: line, Column: column, Text: h.text, Err: errBlocked})
				break
			}
		}
	}
}

// errBlocked is the cause of errors about what the policy blocks.
var errBlocked = errors.New("blocked by the policy of a view")

// checkInline looks at a script that stays as it is. Finished documents hold
// their libraries in such scripts, fallbacks included, so only references
// written out as strings are certain to fail.
func (b *bundler) checkInline(el *element, loader api.Loader) {
	text := b.src[el.text:el.textEnd]
	if !literalHazard(text) {
		return
	}
	for _, f := range find(b.name, sourceText{text: text, loader: loader}, true) {
		line, column := position(b.src, el.text)
		if f.line == 1 {
			column += f.column - 1
		} else {
			column = f.column
		}
		b.problems.add(&Error{File: b.name, Line: line + f.line - 1, Column: column, Text: f.hazard.text, Err: errBlocked})
	}
}

var literalUse = regexp.MustCompile(`Worker(?:\.register)?\(\s*["'` + "`" + `]|\(\s*["'` + "`" + `][^"'` + "`" + `:]*["'` + "`" +
	`]\s*,\s*import\.meta\.url|import\.meta\.resolve\(\s*["'` + "`" + `]`)

// literalHazard spares large scripts the compiler: it looks at the surroundings
// of the few words that matter.
func literalHazard(text string) bool {
	for _, word := range [...]string{"Worker(", "erviceWorker.", "import.meta."} {
		for i := 0; ; {
			j := strings.Index(text[i:], word)
			if j < 0 {
				break
			}
			i += j
			if literalUse.MatchString(text[max(0, i-300):min(len(text), i+100)]) {
				return true
			}
			i += len(word)
		}
	}
	return false
}
