package bundle

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/cssscan"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/mcpapps-go/mcpapps/internal/lines"
)

// Some languages look like CSS, or are imported like it, and need a compiler of
// their own. A browser ignores what it does not know of them, so that the view would
// be unstyled without a message.

// tailwindRemedy is what to do about a style sheet for Tailwind.
const tailwindRemedy = "compile the style sheet first (npx @tailwindcss/cli -i in.css -o out.css), and refer to the result"

// sassRemedy is what to do about a style sheet in Sass.
const sassRemedy = "compile it to CSS first (npx sass in.scss out.css), and refer to the result"

// dialect is a rule that browsers do not know.
type dialect struct{ language, remedy string }

var (
	tailwind = dialect{"Tailwind", tailwindRemedy}
	sass     = dialect{"Sass", sassRemedy}
	postCSS  = dialect{"PostCSS", "compile the style sheet with PostCSS first, and refer to the result, or write it in CSS"}
)

// dialects maps the names of at-rules to the languages that have them. A name that
// browsers know, or that CSS may get soon (@function, @mixin, @if), is not in it.
var dialects = map[string]dialect{
	"tailwind": tailwind, "apply": tailwind, "theme": tailwind, "utility": tailwind, "custom-variant": tailwind,
	"variant": tailwind, "variants": tailwind, "reference": tailwind, "source": tailwind, "config": tailwind, "plugin": tailwind,
	"screen": tailwind, "responsive": tailwind,
	"use": sass, "forward": sass, "include": sass, "extend": sass, "each": sass, "at-root": sass,
	"custom-media": postCSS, "custom-selector": postCSS, "nest": postCSS, "define-mixin": postCSS,
}

func isDialect(name string) bool { return dialects[name].language != "" }

// dialectError returns the first use of another language in a style sheet, nil if
// there is none.
func dialectError(file, text string, at place) *Error {
	for rule := range cssscan.AtRules(text, isDialect) {
		d := dialects[rule.Name]
		line, column := at.in(lines.New(text).Position(rule.Start))
		return &Error{File: file, Line: line, Column: column,
			Text: fmt.Sprintf("@%s is a rule of %s, which browsers ignore: %s", rule.Name, d.language, d.remedy)}
	}
	return nil
}

// checkDialect reports the use of another language in a style sheet. In a package and
// in the result of a build it is a warning, since they may not need it.
func (b *bundler) checkDialect(file, text string, at place) {
	e := dialectError(file, text, at)
	switch {
	case e == nil:
	case inNodeModules(file), file == b.name && len(text) > maxHandWritten:
		b.mu.Lock()
		b.warnings = append(b.warnings, e)
		b.mu.Unlock()
	default:
		b.mu.Lock()
		b.dialects = append(b.dialects, e)
		b.mu.Unlock()
	}
}

// importsTailwind reports whether a style imports Tailwind, of which a package has
// only the sources.
func importsTailwind(ref string) bool {
	ref = strings.TrimPrefix(ref, "~")
	return ref == "tailwindcss" || strings.HasPrefix(ref, "tailwindcss/")
}

var errTailwind = errors.New("the styles of Tailwind are made from the classes of the page, by a compiler of its own: " + tailwindRemedy)

// errLanguage returns what to do about a file in a language that this package does
// not compile, nil for any other file.
func errLanguage(name string) error {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".scss", ".sass":
		return fmt.Errorf("%q is in Sass: %s", name, sassRemedy)
	case ".less":
		return fmt.Errorf("%q is in Less: compile it to CSS first (npx lessc in.less out.css), and refer to the result", name)
	case ".styl", ".stylus", ".pcss", ".postcss", ".sss":
		return fmt.Errorf("%q is not CSS: compile it to CSS first, and refer to the result", name)
	case ".vue", ".svelte", ".astro", ".marko", ".mdx", ".coffee", ".elm", ".res", ".imba", ".civet", ".riot":
		return fmt.Errorf("%q needs the compiler of its language: run the build of its framework first (such as npx vite build), "+
			"and bundle the page that the build makes", name)
	}
	return nil
}

// styleLanguage returns the language of a style element, "" for CSS.
func (e *element) styleLanguage() string {
	lang := htmlscan.Lower(strings.Trim(e.attr("lang"), space))
	switch lang {
	case "scss", "sass", "less", "stylus", "styl", "postcss", "pcss":
		return lang
	}
	return ""
}
