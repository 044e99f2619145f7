package bundle

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/mcpapps-go/mcpapps/view"
)

// The namespaces of modules. None is esbuild's "file", so that it reads nothing
// from the disk and looks for no configuration there.
const (
	inFiles   = "fs"      // a path in the file system
	inPage    = "page"    // the text of an element, "index.html#3"
	inEntry   = "entry"   // the module that imports a page's scripts in their order
	inRuntime = "runtime" // the view runtime and its hooks
	inEmpty   = "empty"   // what a package wants left out of browsers
)

// compilation is one run of esbuild: all module scripts of a page, or one style
// sheet.
type compilation struct {
	b      *bundler
	script bool
	entry  string // scripts: the importing module; else a path or page name
	page   map[string]pageText
	files  map[string]string // scripts: the files of those with a src
	order  []string          // scripts: the names in page, in the order they run

	mu      sync.Mutex
	touched bool // a reference was resolved to something that travels inside
	fonts   []fontFile
	sources map[string]sourceText // the author's own scripts
	vendors map[string]string     // the packages' files
}

// pageText is the text of an element.
type pageText struct {
	text   string
	offset int // in the document, -1 for text that is not from there
	loader api.Loader
}

type sourceText struct {
	text   string
	loader api.Loader
	page   bool
}

// runtimes are the names by which views import the runtime.
var runtimes = map[string]string{
	"mcp-app":                        "mcp-app",
	"mcp-app/react":                  "mcp-app/react",
	"@modelcontextprotocol/ext-apps": "mcp-app",
	"@modelcontextprotocol/ext-apps/app-with-deps":   "mcp-app",
	"@modelcontextprotocol/ext-apps/react":           "mcp-app/react",
	"@modelcontextprotocol/ext-apps/react-with-deps": "mcp-app/react",
}

func (c *compilation) run() (js, css string, ok bool) {
	b := c.b
	c.sources, c.vendors = make(map[string]sourceText), make(map[string]string)
	o := api.BuildOptions{
		Bundle:              true,
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: c.entry, OutputPath: "view"}},
		Outdir:              "/",
		Format:              api.FormatESModule,
		Platform:            api.PlatformBrowser,
		Target:              target,
		Charset:             api.CharsetUTF8,
		JSX:                 api.JSXAutomatic,
		TsconfigRaw:         b.tsconfig(),
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
		LogLevel:            api.LogLevelSilent,
		LogOverride: map[string]api.LogLevel{"unsupported-dynamic-import": api.LogLevelWarning,
			"unsupported-require-call": api.LogLevelWarning, "empty-glob": api.LogLevelError},
		Supported:         b.supported,
		MinifyWhitespace:  !b.opts.Unminified,
		MinifyIdentifiers: !b.opts.Unminified,
		MinifySyntax:      !b.opts.Unminified,
		Plugins: []api.Plugin{{Name: "fs", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, c.resolve)
			p.OnLoad(api.OnLoadOptions{Filter: ".*"}, c.load)
		}}},
	}
	if b.opts.SourceMaps {
		o.Sourcemap = api.SourceMapInline
	}
	result := api.Build(o)
	for _, m := range result.Errors {
		e := fromMessage(m)
		if e.File == "" {
			e.File = b.name
		}
		b.problems.add(e)
	}
	for _, m := range result.Warnings {
		b.warn(m)
	}
	for _, f := range result.OutputFiles {
		switch path.Ext(f.Path) {
		case ".js":
			js = string(f.Contents)
		case ".css":
			css = string(f.Contents)
		}
	}
	return js, css, len(result.Errors) == 0
}

// target keeps the syntax of today's browsers and lowers what none has yet.
const target = api.ES2022

// warn sorts what esbuild warns of.
func (b *bundler) warn(m api.Message) {
	e := fromMessage(m)
	vendor := inNodeModules(e.File)
	switch m.ID {
	case "unsupported-dynamic-import":
		e.Text = "this import's name is only known when the view runs, when there is nothing left to import from: write it as a string"
		if !vendor {
			b.problems.add(e)
			return
		}
	case "unsupported-require-call":
		e.Text = "this require's name is only known when the view runs, when there is nothing left to require: write it as a string"
		if !vendor {
			b.problems.add(e)
			return
		}
	case "direct-eval":
		return // see hazards
	}
	b.warnings = append(b.warnings, e)
}

func inNodeModules(file string) bool {
	return strings.HasPrefix(file, "node_modules/") || strings.Contains(file, "/node_modules/")
}

func (c *compilation) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	b := c.b
	style := args.Kind == api.ResolveCSSImportRule || args.Kind == api.ResolveCSSURLToken || args.Kind == api.ResolveCSSComposesFrom
	dir := b.base
	switch args.Namespace {
	case inFiles:
		dir = path.Dir(args.Importer)
	case inEntry:
		if file, ok := c.files[args.Path]; ok {
			return api.OnResolveResult{Path: file, Namespace: inFiles}, nil
		}
		return api.OnResolveResult{Path: args.Path, Namespace: inPage}, nil
	}
	if args.Kind == api.ResolveEntryPoint {
		switch {
		case c.script:
			return api.OnResolveResult{Path: args.Path, Namespace: inEntry}, nil
		case c.page != nil:
			return api.OnResolveResult{Path: args.Path, Namespace: inPage}, nil
		}
		return api.OnResolveResult{Path: args.Path, Namespace: inFiles}, nil
	}
	if name, ok := runtimes[args.Path]; ok && !style && !(b.opts.PackagedRuntime && name != args.Path) {
		c.touch()
		return api.OnResolveResult{Path: name, Namespace: inRuntime}, nil
	}
	switch s := scheme(args.Path); {
	case style && strings.HasPrefix(args.Path, "#"), style && args.Path == "":
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	case s == "data" && style:
		if isFontURL(args.Path) {
			return api.OnResolveResult{}, errDataFont
		}
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	case s == "data":
		c.touch()
		return api.OnResolveResult{}, nil // esbuild reads these itself
	}
	ref := args.Path
	if args.Namespace == inPage {
		if _, mapped := b.resolver.mapped(ref); !mapped && (style || strings.HasPrefix(ref, ".") || strings.HasPrefix(ref, "/")) {
			ref = b.absolute(ref)
		}
	}
	loc, err := b.resolver.resolve(ref, dir, args.Kind)
	switch {
	case err != nil && args.Kind == api.ResolveCSSURLToken && dormant(c.textOf(args), args.Path):
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	case err != nil:
		return api.OnResolveResult{}, err
	case loc.external != "":
		return c.external(loc.external, args)
	case loc.empty:
		return api.OnResolveResult{Path: args.Path, Namespace: inEmpty}, nil
	}
	c.touch()
	result := api.OnResolveResult{Path: loc.path, Namespace: inFiles}
	if style {
		if args.Kind == api.ResolveCSSURLToken && isFont(loc.path) {
			return c.font(loc.path)
		}
		result.Suffix = loc.suffix
		return result, nil
	}
	if loc.query != "" {
		result.Suffix = "?" + loc.query
	}
	if inNodeModules(loc.path) {
		m, err := b.resolver.enclosing(loc.path)
		if err != nil {
			return api.OnResolveResult{}, err
		}
		if m != nil && m.pure(loc.path) {
			result.SideEffects = api.SideEffectsFalse
		}
	}
	return result, nil
}

// textOf returns the style that a reference stands in.
func (c *compilation) textOf(args api.OnResolveArgs) string {
	if args.Namespace == inPage {
		return c.page[args.Importer].text
	}
	text, _ := c.b.files.read(args.Importer)
	return text
}

func (c *compilation) touch() {
	c.mu.Lock()
	c.touched = true
	c.mu.Unlock()
}

// external keeps a reference to the network, if the policy will let it through.
func (c *compilation) external(ref string, args api.OnResolveArgs) (api.OnResolveResult, error) {
	directive := "script-src"
	switch args.Kind {
	case api.ResolveCSSImportRule:
		directive = "style-src"
	case api.ResolveCSSURLToken:
		directive = "img-src"
		if p, _, _ := reference(ref); isFont(p) {
			directive = "font-src"
		}
	default:
		if c.b.opts.CSP == nil {
			return api.OnResolveResult{}, fmt.Errorf("an import of %q is blocked when the view runs: install the package into a node_modules "+
				"folder of the file system and import it by name, or give a CSP whose ResourceDomains have its origin", ref)
		}
	}
	from := args.Importer
	if args.Namespace == inPage {
		from = c.b.name
	}
	if err := c.b.external(directive, Reference{URL: ref, File: from}); err != nil {
		return api.OnResolveResult{}, err
	}
	return api.OnResolveResult{Path: ref, External: true}, nil
}

func (c *compilation) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	b := c.b
	switch args.Namespace {
	case inEntry:
		var all strings.Builder
		for _, name := range c.order {
			fmt.Fprintf(&all, "import %q;\n", name)
		}
		text := all.String()
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	case inPage:
		p := c.page[args.Path]
		text := p.text
		if p.loader == api.LoaderCSS {
			text = urlStrings(text)
		}
		if p.offset >= 0 {
			// Lines and columns of messages and source maps are the document's.
			line, column := position(b.src, p.offset)
			text = strings.Repeat("\n", line-1) + strings.Repeat(" ", column-1) + text
			c.source(args.Path, sourceText{text, p.loader, true})
		}
		return api.OnLoadResult{Contents: &text, Loader: p.loader}, nil
	case inRuntime:
		text := view.Script()
		if args.Path == "mcp-app/react" {
			text = view.ReactScript()
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	case inEmpty:
		text := ""
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	case inFiles:
		loader, err := loaderOf(args)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		text := ""
		// A style sheet that the page links already is not needed again.
		if !(c.script && path.Ext(args.Path) == ".css" && b.linked[args.Path]) {
			if text, err = b.files.read(args.Path); err != nil {
				return api.OnLoadResult{}, fmt.Errorf("can't read %q: %w", args.Path, err)
			}
		}
		if path.Ext(args.Path) == ".css" && loader != api.LoaderText {
			text = urlStrings(text)
		}
		c.source(args.Path, sourceText{text, loader, false})
		return api.OnLoadResult{Contents: &text, Loader: loader}, nil
	}
	if args.Namespace == "dataurl" {
		return api.OnLoadResult{}, nil
	}
	// esbuild matches the pattern of an import against the disk, past all plugins.
	return api.OnLoadResult{}, errPattern
}

var errPattern = errors.New("an import of a pattern is not supported: import each file by name")

func (c *compilation) source(name string, s sourceText) {
	switch s.loader {
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

// loaderOf decides what a file is.
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
		return 0, fmt.Errorf("%q is a worker, which the policy of a view blocks: run its code in the page", args.Path)
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
	switch {
	case isFont(args.Path):
		return api.LoaderBinary, nil
	case mediaTypes[ext] != "":
		return api.LoaderDataURL, nil
	}
	return 0, fmt.Errorf("%q has no known kind: import it with \"?raw\" for its text or \"?inline\" for a data URL", args.Path)
}
