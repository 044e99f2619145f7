package bundle

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/lines"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// hazard is something that compiles, and then fails when the view runs.
type hazard struct {
	global  string         // what the compiler replaces by a marker where it is the global of that name
	marked  *regexp.Regexp // the harmful use, in compiled code with markers
	literal *regexp.Regexp // the same with a reference in a string, nil for none
	text    string
	vendor  string // the use in a package that is worth a warning, "" for none
}

const marker = "__mcpapps_"

func newHazard(global, use, literal, vendor, text string) hazard {
	mark := markerOf(global)
	h := hazard{global: global, marked: regexp.MustCompile(fmt.Sprintf(use, mark)), text: text, vendor: vendor}
	if literal != "" {
		h.literal = regexp.MustCompile(fmt.Sprintf(literal, mark))
	}
	return h
}

func markerOf(global string) string { return marker + strings.ReplaceAll(global, ".", "_") }

// quote is any quotation mark of a string.
const quote = "[\"'`]"

var hazards = []hazard{
	newHazard("import.meta.url", `%s\b`, `\(\s*`+quote+"[^\"'`:]*"+quote+`\s*,\s*%s\b`, "import.meta.url", "import.meta.url is the address of the "+
		"host's sandbox when the view runs, and nothing of yours is there: import the file instead, as in import logo from \"./logo.svg\", which gives its data URL, text or bytes"),
	newHazard("import.meta.resolve", `%s\b`, `%s\(\s*`+quote, "", "import.meta.resolve finds nothing when the view runs: import the file instead"),
	newHazard("Worker", `\bnew %s\b`, `\bnew %s\(\s*`+quote, "new Worker(", "a worker is blocked by the policy of a view: "+
		"import its code and run it in the page, in parts with a setTimeout between them if it takes long"),
	newHazard("SharedWorker", `\bnew %s\b`, `\bnew %s\(\s*`+quote, "new SharedWorker(", "a shared worker is blocked by the policy of a view: import its code and run it in the page"),
	newHazard("navigator.serviceWorker", `\b%s\.register\b`, `\b%s\.register\(\s*`+quote, "serviceWorker.register", "a service worker can't be registered in a view: leave it out"),
	newHazard("importScripts", `\b%s\(`, "", "importScripts(", "importScripts works in workers only, and those are blocked in a view"),
	newHazard("WebAssembly", `\b%s\.(?:compile|instantiate|Module|compileStreaming|instantiateStreaming)\b`, "", "WebAssembly.instantiate",
		"WebAssembly is blocked by the policy of a view: use a build in JavaScript"),
	newHazard("Function", `(?:\bnew %[1]s\b|\b%[1]s\()`, "", "", "making a function from text is blocked by the policy of a view: write the function out"),
}

// mayHaveHazard reports whether a script may contain one of the hazards. It is
// fast, and excludes nearly all scripts.
func mayHaveHazard(code string) bool {
	for _, word := range [...]string{"import.meta", "Worker", "importScripts", "WebAssembly", "Function(", "eval(", "eval)("} {
		if strings.Contains(code, word) {
			return true
		}
	}
	for range asyncConstructors(code) {
		return true
	}
	return false
}

// findHazards reports the hazards of a source. It has the globals replaced by
// markers, finds the harmful uses of markers in the compiled code, and looks their
// places up in the source map. With literalOnly it reports only those with a
// reference in a string.
func (b *bundler) findHazards(file string, s sourceText, literalOnly bool) {
	report := func(line, column int, text string) {
		line, column = s.at.in(line, column)
		b.problems.add(&Error{File: file, Line: line, Column: column, Text: text, Err: errBlocked})
	}
	o := api.TransformOptions{
		Loader: s.loader, Sourcefile: file, Target: target, Sourcemap: api.SourceMapExternal, LogLevel: api.LogLevelSilent,
		JSX: api.JSXAutomatic, Define: make(map[string]string), LogOverride: map[string]api.LogLevel{"direct-eval": api.LogLevelWarning},
		TsconfigRaw: "{}",
	}
	for _, h := range hazards {
		o.Define[h.global] = markerOf(h.global)
	}
	result := api.Transform(s.text, o)
	code := string(result.Code)
	var index *lines.Index
	var original *sourcemap.Map
	for _, h := range hazards {
		use := h.marked
		if literalOnly {
			use = h.literal
		}
		if use == nil {
			continue
		}
		for _, at := range use.FindAllStringIndex(code, -1) {
			if h.global == "Function" && probe.MatchString(strings.TrimPrefix(code[at[1]:], "(")) {
				continue // it works without
			}
			if index == nil {
				index, original = lines.New(code), compilerMap(result.Map)
			}
			line, column := index.Position(at[0] + strings.Index(code[at[0]:at[1]], marker))
			line, column = inSource(original, line, column)
			report(line, column, h.text)
		}
	}
	if at := asyncFunctionUse(code); at >= 0 && !literalOnly {
		line, column := lines.New(code).Position(at)
		line, column = inSource(compilerMap(result.Map), line, column)
		report(line, column, evalText)
	}
	for _, m := range result.Warnings {
		if m.ID == "direct-eval" && m.Location != nil && !literalOnly {
			report(m.Location.Line, m.Location.Column+1, "eval is blocked by the policy of a view: write the code out")
		}
	}
}

// checkHazards reports what will be blocked in a bundled script.
func (c *compilation) checkHazards(code string) {
	c.warnOfNames(code)
	if !mayHaveHazard(code) {
		return
	}
	b := c.b
	names := slices.Sorted(maps.Keys(c.sources))
	for _, name := range names {
		if !mayHaveHazard(c.sources[name].text) {
			continue
		}
		file := name
		if c.sources[name].page {
			file = b.name
		}
		b.findHazards(file, c.sources[name], false)
	}
	// In packages, what is still in the bundle is a warning.
	names = slices.Sorted(maps.Keys(c.vendors))
	c.warnOfEval(code, names)
	for _, h := range hazards {
		if h.vendor == "" || !strings.Contains(code, h.vendor) {
			continue
		}
		for _, name := range names {
			if i := strings.Index(c.vendors[name], h.vendor); i >= 0 {
				line, column := position(c.vendors[name], i)
				b.warnings = append(b.warnings, &Error{File: name, Line: line, Column: column, Text: h.text, Err: errBlocked})
				break
			}
		}
	}
}

// errBlocked is the cause of errors about what the policy of a view blocks.
var errBlocked = errors.New("blocked by the policy of a view")

// checkInline reports what will be blocked in a script that stays as it is. In
// finished documents such scripts contain libraries, with their fallbacks, so only
// references that are written as strings are certain to fail.
func (b *bundler) checkInline(el *element, loader api.Loader) {
	text := b.src[el.text:el.textEnd]
	if !literalHazard(text) {
		return
	}
	text, at := b.placed(text, el.text)
	b.findHazards(b.name, sourceText{text: text, at: at, loader: loader}, true)
}

var literalUse = regexp.MustCompile(`Worker(?:\.register)?\(\s*["'` + "`" + `]|\(\s*["'` + "`" + `][^"'` + "`" + `:]*["'` + "`" +
	`]\s*,\s*import\.meta\.url|import\.meta\.resolve\(\s*["'` + "`" + `]`)

// literalHazard reports whether a script may contain a hazard with a reference in a
// string. It searches near a few words only, since large scripts take long to
// compile.
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
