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
)

// The bundler does not follow a file's name in a string or in an attribute that
// only scripts read. When the view runs, nothing is at that address, so it warns.

var (
	// A string with a path that ends in an extension, also within markup in a
	// string, or url() in a style.
	quotedName = regexp.MustCompile("[\"'`]" + `((?:\.{0,2}/)*[\w@%~+-][\w@%~+./ -]*\.[A-Za-z]\w{1,11})(?:[?#][^"'` + "`" + `\\]*)?\\?["'` + "`" + `]` +
		`|\burl\(\s*\\?["']?([^"'()\\]+)\\?["']?\s*\)`)
	// What stands before the name of an import, which the compiler follows.
	importing = regexp.MustCompile(`(?:\bfrom|\bimport|\b(?:import|require)\()\s*$`)
	// A library finds its files from the address of its style sheet or script.
	elementAddress = regexp.MustCompile(`\b(?:script|link)(?:\[[^\]]*\])*\[(?:src|href)\b` +
		`|(?:getElementsByTagName\(\s*["']script["']\s*\)|\bdocument\.scripts\b)[\s\S]{0,200}?\.src\b`)
	// So does one that reads the address of an image back from a style.
	imageAddress = regexp.MustCompile(`\bgetComputedStyle\([^()]*\)\s*(?:\.backgroundImage|\.getPropertyValue\(\s*["']background-image|\[\s*["']background-?[iI]mage)`)
	ownAddress   = regexp.MustCompile(`\bcurrentScript\??\.src\b|\bcurrentScript\s*\|\|[^;]{0,60}?\)\.src\b|\bcurrentScript\??\.getAttribute\(\s*["']src["']`)
	// A request to a literal address.
	request = regexp.MustCompile("(?:\\bfetch\\(|\\bsendBeacon\\(|\\bnew EventSource\\(|\\.open\\(\\s*[\"'`](?:GET|POST|PUT|PATCH|DELETE|HEAD)[\"'`]\\s*,)" +
		"\\s*[\"'`]([^\"'`]+)")
)

const textAddress = "this finds files by the address of a script, style sheet or background image, which the bundle has inline, so that nothing is found: " +
	"give the library the address of each file, such as the data URL that an import of it returns"

var errNotBundled = errors.New("not in the bundle")

func (b *bundler) warnAt(file string, line, column int, text string) {
	e := Error{File: file, Line: line, Column: column, Text: text, Err: errNotBundled}
	if b.warned == nil {
		b.warned = make(map[Error]bool)
	}
	if !b.warned[e] {
		b.warned[e] = true
		b.warnings = append(b.warnings, &e)
	}
}

// named returns what a text names that is a file, by its offsets in pairs. The
// compiler follows imports, but not those of handlers in attributes.
func (b *bundler) named(text string, imports bool) (found [][2]int) {
	for _, at := range quotedName.FindAllStringSubmatchIndex(text, -1) {
		start, end := at[2], at[3]
		if start < 0 {
			start, end = at[4], at[5]
		}
		if ref := strings.Trim(text[start:end], space); b.isFile(ref) && (imports || !importing.MatchString(text[max(0, at[0]-20):at[0]])) {
			found = append(found, [2]int{start, end})
		}
	}
	return found
}

// requested returns the addresses in a text that it asks the page's own origin for.
func (b *bundler) requested(text string) (found [][2]int) {
	for _, at := range request.FindAllStringSubmatchIndex(text, -1) {
		if ref := text[at[2]:at[3]]; b.baseURL == nil && isLocal(ref) && scheme(ref) == "" && !strings.HasPrefix(ref, "${") && !b.isFile(ref) {
			found = append(found, [2]int{at[2], at[3]})
		}
	}
	return found
}

// isFile reports whether a reference in the page is to a file of the folder, other
// than the page and those of packages.
func (b *bundler) isFile(ref string) bool {
	if !isLocal(ref) || scheme(ref) == "//" || b.baseURL != nil {
		return false
	}
	name, _, err := b.fileName(ref)
	return err == nil && name != b.name && !inNodeModules(name) && b.files.kind(name) == regular
}

// warnOfNames warns of the files that a script names, and of the use of the
// addresses of scripts and style sheets if it is one of addresses.
func (b *bundler) warnOfNames(file string, s sourceText, addresses ...*regexp.Regexp) {
	if len(b.named(s.text, false)) == 0 && len(b.requested(s.text)) == 0 &&
		!slices.ContainsFunc(addresses, func(re *regexp.Regexp) bool { return re.MatchString(s.text) }) {
		return
	}
	// Once more in compiled code, which has no comments.
	result := api.Transform(s.text, api.TransformOptions{Loader: s.loader, Sourcefile: file, Target: target, Sourcemap: api.SourceMapExternal,
		LogLevel: api.LogLevelSilent, JSX: api.JSXAutomatic, LegalComments: api.LegalCommentsNone, TsconfigRaw: "{}"})
	code := string(result.Code)
	index, original := lines.New(code), compilerMap(result.Map)
	warn := func(offset int, text string) {
		line, column := index.Position(offset)
		line, column = s.at.in(inSource(original, line, column))
		b.warnAt(file, line, column, text)
	}
	for _, at := range b.named(code, false) {
		warn(at[0], fmt.Sprintf("%q names a file that is not in the bundle, and nothing is at that address when the view runs: "+
			"import the file in a module script, which returns its data URL, text or value, or put it into the page", code[at[0]:at[1]]))
	}
	for _, at := range b.requested(code) {
		warn(at[0], fmt.Sprintf("%q is an address of the view's own origin, which is the host's, where nothing answers: "+
			"call a tool of the server, or give the whole address and declare its origin in ConnectDomains", code[at[0]:at[1]]))
	}
	for _, re := range addresses {
		if at := re.FindStringIndex(code); at != nil && !isAssigned(code[at[1]:]) {
			warn(at[0], textAddress)
		}
	}
}

// isAssigned reports whether the code after an expression assigns to it.
func isAssigned(after string) bool {
	after = strings.TrimLeft(after, space)
	return strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
}

// warnOfNames warns of the files that bundled scripts name, and of packages that
// find their files by the addresses of elements.
func (c *compilation) warnOfNames(code string) {
	for _, name := range slices.Sorted(maps.Keys(c.sources)) {
		s, file := c.sources[name], name
		if s.page {
			file = c.b.name
		}
		c.b.warnOfNames(file, s, elementAddress, imageAddress)
	}
	if !elementAddress.MatchString(code) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.vendors)) {
		text := c.vendors[name]
		if at := elementAddress.FindStringIndex(text); at != nil && !isAssigned(text[at[1]:]) {
			line, column := position(text, at[0])
			c.b.warnAt(name, line, column, textAddress)
		}
	}
}

// mayName reports whether the element has an attribute that may name a file for a
// script or a person.
func (e *element) mayName() bool {
	for _, a := range e.attrs {
		if strings.Contains(a.Value, ".") && e.isName(a.Key) {
			return true
		}
	}
	return false
}

func (e *element) isName(key string) bool {
	return strings.HasPrefix(key, "data-") || strings.HasPrefix(key, "on") || key == "href" && (e.name == "a" || e.name == "area") ||
		e.foreign && (key == "fill" || key == "filter" || key == "mask" || key == "clip-path" || key == "cursor")
}

// namedInAttributes warns of the files that attributes name which the bundler does
// not follow.
func (b *bundler) namedInAttributes(el *element) {
	if !el.mayName() {
		return
	}
	for _, a := range el.attrs {
		value, named := strings.Trim(a.Value, space), ""
		switch {
		case !el.isName(a.Key):
		case b.isFile(value):
			named = value
		case strings.HasPrefix(a.Key, "on") || el.foreign:
			if found := b.named(a.Value, true); len(found) > 0 {
				named = a.Value[found[0][0]:found[0][1]]
			}
		}
		if named == "" {
			continue
		}
		text := fmt.Sprintf("the attribute %s names %q, which is not in the bundle, and nothing is at that address when the view runs: ", a.Key, named)
		if a.Key == "href" {
			text += "show it within the page, or link to where it is on the web"
		} else {
			text += "let a module script import the file and set it, or put it into the page"
		}
		line, column := b.lines.Position(el.start + a.Start)
		b.warnAt(b.name, line, column, text)
	}
}
