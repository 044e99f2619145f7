package bundle

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
	"github.com/mcpapps-go/mcpapps/internal/lines"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
)

// classicScript compiles a classic script by itself, since its top-level names are
// global names of the page.
func (b *bundler) classicScript(el *element, file string, linked bool, loader api.Loader) (code string, m *codeMap, ok bool) {
	var text string
	var at place
	if linked {
		var err error
		if text, err = b.files.readText(file); err != nil {
			b.failAttr(el, "src", fmt.Errorf("can't read %q: %w", file, err))
			return "", nil, false
		}
		switch strings.ToLower(path.Ext(file)) {
		case ".ts", ".mts", ".cts":
			loader = api.LoaderTS
		case ".tsx":
			loader = api.LoaderTSX
		case ".jsx":
			loader = api.LoaderJSX
		}
	} else {
		text, at = b.placed(b.src[el.text:el.textEnd], el.text)
	}
	if !b.checkScript(text, at, file, loader, htmlscan.ClassicScript) {
		return "", nil, false
	}
	config := b.readConfig()
	if err := config.unread(loader, ".jsx"); err != nil {
		b.failAttr(el, "src", err)
		return "", nil, false
	}
	o := api.TransformOptions{
		Loader: loader, Sourcefile: file, Target: target, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent,
		TsconfigRaw: config.raw, JSX: api.JSXTransform, Define: defines,
		MinifyWhitespace: !b.opts.Unminified, MinifySyntax: !b.opts.Unminified,
	}
	o.Sourcemap, o.SourcesContent = b.sourceMapOption()
	source := b.withoutMap(text)
	var start textStart
	if !linked {
		start = b.startOf(el.text)
	}
	code, m, ok = b.transform(source, at, start, o)
	if ok && !fitsScript(code) {
		o.Supported = withoutTemplates
		code, m, ok = b.transform(source, at, start, o)
		escaped := escapeTags(code)
		code, m = escaped, m.escaped(code, escaped)
	}
	if !ok {
		return "", nil, false
	}
	// The compiler writes such a template as a call, whose helpers become global.
	if i := scriptEnd.FindStringIndex(text); i != nil && strings.Contains(code, "__template") && !strings.Contains(text, "__template") {
		line, column := at.in(lines.New(text).Position(i[0]))
		b.warnings = append(b.warnings, &Error{File: file, Line: line, Column: column, Text: "an end tag in a template with a tag function makes global names " +
			`of the helpers for it, which two scripts may confuse: write ${"</script>"} for it`})
	}
	all := sourceText{text: text, at: at, loader: loader}
	if mayHaveHazard(code) {
		b.findHazards(file, all, !linked)
	}
	if linked {
		b.warnOfNames(file, all, elementAddress, imageAddress, ownAddress)
	} else {
		b.warnOfNames(file, all, imageAddress)
	}
	return strings.TrimSuffix(code, "\n"), m, true
}

// transform compiles a script by itself.
func (b *bundler) transform(text string, at place, start textStart, o api.TransformOptions) (string, *codeMap, bool) {
	result := api.Transform(text, o)
	for _, m := range result.Errors {
		b.problems.add(fromMessage(m, at))
	}
	for _, m := range result.Warnings {
		b.warn(m, at)
	}
	var m *codeMap
	if b.maps {
		_, segments := sourcemap.Decode(result.Map)
		for i := range segments {
			segments[i] = start.moved(segments[i])
		}
		m = &codeMap{[]string{o.Sourcefile}, segments}
	}
	return string(result.Code), m, len(result.Errors) == 0
}

// untouchedScript checks a script that stays as it is. Large scripts come from a
// build and are parsed only if they may import something.
func (b *bundler) untouchedScript(el *element, kind htmlscan.ScriptType) {
	text := b.src[el.text:el.textEnd]
	if el.end >= 0 && !el.foreign && (len(text) <= maxHandWritten || kind == htmlscan.ClassicScript && mayImport(text)) {
		placed, at := b.placed(text, el.text)
		if !b.checkScript(placed, at, b.name, api.LoaderJS, kind) {
			return
		}
	}
	if len(text) <= maxHandWritten {
		placed, at := b.placed(text, el.text)
		b.warnOfNames(b.name, sourceText{text: placed, at: at, loader: api.LoaderJS}, imageAddress)
		b.warnOfInlineEval(placed, at)
	}
	b.checkInline(el, api.LoaderJS)
}

// checkScript reports the syntax errors of a script and, in a classic script, what
// only modules can do: import, export, and await at the top level. The text begins
// at a place of the file. It returns whether there is nothing to report.
func (b *bundler) checkScript(text string, at place, file string, loader api.Loader, kind htmlscan.ScriptType) bool {
	const remedy = `write <script type="module">`
	o := api.BuildOptions{
		Bundle: true, Format: api.FormatESModule, Target: target, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}",
		Stdin: &api.StdinOptions{Contents: text, Sourcefile: file, Loader: loader},
		Plugins: []api.Plugin{{Name: "imports", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				if kind == htmlscan.ClassicScript && (args.Kind == api.ResolveJSImportStatement || args.Kind == api.ResolveJSDynamicImport) {
					return api.OnResolveResult{}, errors.New("a classic script can't import: " + remedy)
				}
				return api.OnResolveResult{Path: args.Path, External: true}, nil
			})
		}}},
	}
	if kind == htmlscan.ClassicScript {
		o.Format = api.FormatCommonJS
	}
	result := api.Build(o)
	hint, ok := "", true
	for _, m := range result.Errors {
		e := fromMessage(m, at)
		switch {
		case m.PluginName != "":
		case len(text) > maxHandWritten && file == b.name:
			continue // it comes from a build, which may know newer syntax than esbuild
		case strings.HasPrefix(m.Text, "Top-level await"):
			e.Text = "await at the top level does not work in a classic script: " + remedy
		default:
			if hint == "" {
				hint = typeScriptHint(text, loader, file == b.name)
			}
			e.Text += hint
		}
		b.problems.add(e)
		ok = false
	}
	if ok && kind == htmlscan.ClassicScript && len(result.OutputFiles) > 0 && strings.Contains(string(result.OutputFiles[0].Contents), "__toCommonJS(") {
		line, column := at.in(position(text, max(0, strings.Index(text, "export"))))
		b.problems.add(&Error{File: file, Line: line, Column: column, Text: "export does not work in a classic script: " + remedy})
		ok = false
	}
	return ok
}
