package bundle

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/view"
)

// load tells esbuild the text of a module and its language.
func (c *compilation) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	b := c.b
	switch args.Namespace {
	case inEntry:
		text := c.entryText()
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	case inPage:
		p := c.page[args.Path]
		if err := b.config.unread(p.loader, ".jsx"); err != nil {
			return api.OnLoadResult{}, err
		}
		text := p.text
		if p.loader == api.LoaderCSS {
			text = urlStrings(text)
		}
		var at place
		text, at = b.placed(text, p.offset)
		c.source(args.Path, sourceText{text: text, at: at, loader: p.loader, page: true})
		text = b.withoutMap(text)
		if c.script {
			text = asModule(text)
		}
		text = ownJSX(text, p.loader)
		return api.OnLoadResult{Contents: &text, Loader: p.loader}, nil
	case inRuntime:
		text := view.Script()
		switch args.Path {
		case "mcp-app/data":
			text = view.DataScript()
		case "mcp-app/openai":
			text = view.OpenAIScript()
		case "mcp-app/react":
			text = view.ReactScript()
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	case inFiles:
		constructed := args.With["type"] == "css"
		if constructed || path.Ext(args.Path) == ".css" && args.Suffix == "?inline" {
			text, err := b.sheetModule(args.Path, constructed)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
		}
		loader, err := loaderOf(args)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		if !inNodeModules(args.Path) {
			if err := b.config.unread(loader, args.Path); err != nil {
				return api.OnLoadResult{}, err
			}
		}
		text := ""
		// A style sheet that the page also links is not put inline twice.
		if !(c.script && path.Ext(args.Path) == ".css" && b.linked[args.Path]) {
			read := b.files.readText
			if loader == api.LoaderDataURL || loader == api.LoaderBinary {
				read = b.files.read
			}
			if text, err = read(args.Path); err != nil {
				return api.OnLoadResult{}, fmt.Errorf("can't read %q: %w", args.Path, err)
			}
		}
		if path.Ext(args.Path) == ".css" && loader != api.LoaderText {
			b.checkDialect(args.Path, text, place{})
			text = urlStrings(text)
		}
		c.source(args.Path, sourceText{text: text, loader: loader})
		text = b.withoutMap(text)
		if c.ownScript(args.Path) || loader == api.LoaderJSX && !inNodeModules(args.Path) && !asksForCommonJS.MatchString(text) {
			text = asModule(text)
		}
		text = ownJSX(text, loader)
		return api.OnLoadResult{Contents: &text, Loader: loader}, nil
	}
	if args.Namespace == inDataURL {
		return api.OnLoadResult{}, nil
	}
	// Only an import of a pattern gets here: esbuild looks for its files on the disk
	// without asking plugins.
	return api.OnLoadResult{}, errPattern
}

// ownScript reports whether a file is the src of a script element of the page.
func (c *compilation) ownScript(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own == nil {
		c.own = make(map[string]bool, len(c.files))
		for _, file := range c.files {
			c.own[file] = path.Ext(file) != ".json"
		}
	}
	return c.own[name]
}

// asModule marks a text as a module, which a script element's text and what it
// imports are in a browser. Without an import or export, the compiler may take it
// for CommonJS: "this" would then be an object, a module that fails would run again
// for the next import, and a library for both kinds would not set its global.
func asModule(text string) string { return text + "\nexport {}" }

// ownJSX marks a text that names the function for its JSX, which then means that one
// and not React's runtime.
func ownJSX(text string, loader api.Loader) string {
	if (loader == api.LoaderJSX || loader == api.LoaderTSX) && jsxPragma.MatchString(text) && !jsxRuntime.MatchString(text) {
		text += "\n/* @jsxRuntime classic */"
	}
	return text
}

var (
	jsxPragma  = regexp.MustCompile(`(?m)^\s*/\*[^/]*@jsx\s+\S`)
	jsxRuntime = regexp.MustCompile(`@jsx(?:Runtime|ImportSource)\s`)
)

var asksForCommonJS = regexp.MustCompile(`\bmodule\.exports\b|\btypeof\s*\(?\s*module\b|\bexports\b|\brequire\s*\(`)

var errPattern = errors.New("an import of a pattern is not supported: import each file by name")

// withoutMap removes references to source maps from a source. The compiler would
// read the maps, and the sources that they name, from the disk.
func (b *bundler) withoutMap(text string) string {
	if !b.opts.SourceMaps && !b.maps {
		return text // the compiler does not read source maps then
	}
	return mapComment.Replace(text)
}

var mapComment = strings.NewReplacer("//# sourceMappingURL=", "//  sourceMappingURL=", "//@ sourceMappingURL=", "//  sourceMappingURL=",
	"/*# sourceMappingURL=", "/*  sourceMappingURL=", "/*@ sourceMappingURL=", "/*  sourceMappingURL=")

// source records a script or a style sheet, to look for hazards in it.
func (c *compilation) source(name string, s sourceText) {
	switch s.loader {
	case api.LoaderCSS, api.LoaderLocalCSS:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.styles[name] = s
	case api.LoaderJS, api.LoaderJSX, api.LoaderTS, api.LoaderTSX:
		c.mu.Lock()
		defer c.mu.Unlock()
		if inNodeModules(name) {
			c.vendors[name] = s.text
		} else {
			c.sources[name] = s
		}
	}
}

// loaderOf decides what a file is taken for.
func loaderOf(args api.OnLoadArgs) (api.Loader, error) {
	switch args.With["type"] {
	case "json":
		return api.LoaderJSON, nil
	case "text":
		return api.LoaderText, nil
	case "bytes":
		return api.LoaderBinary, nil
	}
	switch args.Suffix {
	case "?raw":
		return api.LoaderText, nil
	case "?url", "?inline":
		if path.Ext(args.Path) != ".css" {
			return api.LoaderDataURL, nil
		}
		return api.LoaderText, nil
	case "?worker", "?sharedworker":
		return 0, fmt.Errorf("%q is a worker, which the policy of a view blocks: import its code without the query, and run it in the page", args.Path)
	}
	ext := strings.ToLower(path.Ext(args.Path))
	switch ext {
	case ".js", ".mjs", ".cjs":
		if inNodeModules(args.Path) {
			return api.LoaderJS, nil
		}
		return api.LoaderJSX, nil
	case ".jsx":
		return api.LoaderJSX, nil
	case ".ts", ".mts", ".cts":
		return api.LoaderTS, nil
	case ".tsx":
		return api.LoaderTSX, nil
	case ".json":
		return api.LoaderJSON, nil
	case ".css":
		if strings.HasSuffix(strings.ToLower(args.Path), ".module.css") {
			return api.LoaderLocalCSS, nil
		}
		return api.LoaderCSS, nil
	case ".txt", ".md", ".html", ".htm", ".csv", ".tsv", ".xml", ".yaml", ".yml", ".glsl", ".vert", ".frag", ".wgsl":
		return api.LoaderText, nil
	case ".wasm":
		return 0, fmt.Errorf("%q is WebAssembly, which the policy of a view blocks: use a build of the package in JavaScript", args.Path)
	}
	if err := errLanguage(args.Path); err != nil {
		return 0, err
	}
	switch {
	case isFont(args.Path):
		return api.LoaderBinary, nil
	case mediaTypes[ext] != "":
		return api.LoaderDataURL, nil
	}
	return 0, fmt.Errorf("%q is of an unknown kind: import it with \"?raw\" for its text or \"?inline\" for a data URL", args.Path)
}
