package bundle

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// classicScript compiles one script by itself: its top-level names are those
// of the page.
func (b *bundler) classicScript(el *element, file string, linked bool, loader api.Loader) (string, bool) {
	text, prefix := "", ""
	if linked {
		var err error
		if text, err = b.files.readText(file); err != nil {
			b.failAttr(el, "src", fmt.Errorf("can't read %q: %w", file, err))
			return "", false
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
		line, column := position(b.src, el.text)
		prefix = strings.Repeat("\n", line-1) + strings.Repeat(" ", column-1)
		text = b.src[el.text:el.textEnd]
	}
	config := b.readConfig()
	if err := config.unread(loader, ".jsx"); err != nil {
		b.failAttr(el, "src", err)
		return "", false
	}
	o := api.TransformOptions{
		Loader: loader, Sourcefile: file, Target: target, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent,
		TsconfigRaw: config.raw, JSX: api.JSXTransform, Define: defines,
		MinifyWhitespace: !b.opts.Unminified, MinifySyntax: !b.opts.Unminified,
	}
	if b.opts.SourceMaps {
		o.Sourcemap = api.SourceMapInline
	}
	text = b.withoutMap(text)
	code, ok := b.transform(prefix+text, o, !linked)
	if !ok {
		return "", false
	}
	if i := importOffset(code); i >= 0 {
		line, column := position(prefix+text, max(0, importOffset(prefix+text)))
		b.problems.add(&Error{File: file, Line: line, Column: column, Text: `a classic script can't import: write <script type="module">`})
		return "", false
	}
	if !b.scriptGoal(prefix+text, file, loader) {
		return "", false
	}
	if !fitsScript(code) {
		o.Supported = map[string]bool{"template-literal": false}
		if code, ok = b.transform(prefix+text, o, !linked); !ok {
			return "", false
		}
		code = escapeComments(code)
	}
	if suspicious(code) {
		for _, f := range find(file, sourceText{text: prefix + text, loader: loader}, !linked) {
			text := evalText
			if f.hazard != nil {
				text = f.hazard.text
			}
			b.problems.add(&Error{File: file, Line: f.line, Column: f.column, Text: text, Err: errBlocked})
		}
	}
	return strings.TrimSuffix(code, "\n"), true
}

func (b *bundler) transform(text string, o api.TransformOptions, inPage bool) (string, bool) {
	result := api.Transform(text, o)
	b.syntax(result.Errors, text, o.Loader, inPage)
	for _, m := range result.Warnings {
		b.warn(m)
	}
	return string(result.Code), len(result.Errors) == 0
}

// scriptGoal reports whether a text may be a classic script, which can't export
// and can't await at its top level. The compiler takes it for a module then.
func (b *bundler) scriptGoal(text, file string, loader api.Loader) bool {
	if !strings.Contains(text, "export") && !strings.Contains(text, "await") {
		return true
	}
	const remedy = `in a classic script: write <script type="module">`
	result := api.Transform(text, api.TransformOptions{Loader: loader, Sourcefile: file, Format: api.FormatCommonJS, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"})
	for _, m := range result.Errors {
		e := fromMessage(m)
		if strings.HasPrefix(m.Text, "Top-level await") {
			e.Text = "await at the top level does not work " + remedy
		}
		b.problems.add(e)
	}
	if strings.Contains(string(result.Code), "__toCommonJS(") {
		line, column := position(text, max(0, strings.Index(text, "export")))
		b.problems.add(&Error{File: file, Line: line, Column: column, Text: "export does not work " + remedy})
		return false
	}
	return len(result.Errors) == 0
}

// inlineClassic looks at a classic script that stays as it is.
func (b *bundler) inlineClassic(el *element) {
	text := b.src[el.text:el.textEnd]
	if i := importOffset(text); i >= 0 {
		if at, ok := b.reallyImports(el); ok {
			b.fail(at, errors.New(`a classic script can't import: write <script type="module">`))
			return
		}
	}
	b.untouchedScript(el)
}

// reallyImports asks the compiler for the first import in an inline script.
func (b *bundler) reallyImports(el *element) (offset int, ok bool) {
	text := b.src[el.text:el.textEnd]
	offset = -1
	api.Build(api.BuildOptions{
		Bundle: true, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}", Target: target,
		Stdin: &api.StdinOptions{Contents: text, Sourcefile: b.name, Loader: api.LoaderJS},
		Plugins: []api.Plugin{{Name: "imports", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				if args.Kind == api.ResolveJSImportStatement || args.Kind == api.ResolveJSDynamicImport {
					ok = true
				}
				return api.OnResolveResult{Path: args.Path, External: true}, nil
			})
		}}},
	})
	return el.text + max(0, importOffset(text)), ok
}

// untouchedScript checks a script that is not changed.
func (b *bundler) untouchedScript(el *element) {
	if len(b.src[el.text:el.textEnd]) <= handWritten && el.end >= 0 && !el.foreign {
		line, column := position(b.src, el.text)
		text := strings.Repeat("\n", line-1) + strings.Repeat(" ", column-1) + b.src[el.text:el.textEnd]
		o := api.TransformOptions{Loader: api.LoaderJS, Sourcefile: b.name, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"}
		if kind, _ := el.script(); kind == module {
			o.Format = api.FormatESModule
		} else if !b.scriptGoal(text, b.name, api.LoaderJS) {
			return
		}
		if result := api.Transform(text, o); len(result.Errors) > 0 {
			b.syntax(result.Errors, text, o.Loader, true)
			return
		}
	}
	b.checkInline(el, api.LoaderJS)
}
