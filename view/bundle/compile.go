package bundle

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// The namespaces of modules. None of them is "file", the namespace in which
// esbuild would read modules and configuration from the disk.
const (
	inFiles   = "fs"      // a path in the file system
	inPage    = "page"    // the text of an element, "index.html#3"
	inEntry   = "entry"   // the module made here that imports a page's scripts in their order
	inRuntime = "runtime" // the view runtime and its hooks
	inDataURL = "dataurl" // a data URL; esbuild's own name, by which it decodes them itself
)

// compilation is one run of esbuild: all module scripts of a page, or one style
// sheet.
type compilation struct {
	b      *bundler
	script bool
	entry  string // of scripts: the module in inEntry; of a style: a path, or a name in page
	page   map[string]pageText
	files  map[string]string // of scripts: the file of each name whose element has a src
	order  []string          // of scripts: the names in page and files, in the order in which they run

	supported map[string]bool // syntax that the compiler must not write; nil for the default

	mu         sync.Mutex
	own        map[string]bool            // see ownScript
	customOnly map[string]map[string]bool // see onlyInCustomProperties, by the importing style
	touched    bool                       // something was put inline
	fonts      []string                   // the font files of a style sheet, by their numbers
	sources    map[string]sourceText      // the author's own scripts
	vendors    map[string]string          // the packages' files
	styles     map[string]sourceText      // the style sheets

	jsMap, cssMap *codeMap // of what the last run returned; nil if no source map is made
}

// pageText is the text of an element.
type pageText struct {
	text   string
	offset int // in the document
	loader api.Loader
}

type sourceText struct {
	text   string
	at     place // where the text begins in its file
	loader api.Loader
	page   bool
}

// runtimes maps the names by which views import the runtime to its modules.
var runtimes = map[string]string{
	"mcp-app":                        "mcp-app",
	"mcp-app/data":                   "mcp-app/data",
	"mcp-app/openai":                 "mcp-app/openai",
	"mcp-app/react":                  "mcp-app/react",
	"@modelcontextprotocol/ext-apps": "mcp-app",
	"@modelcontextprotocol/ext-apps/app-with-deps":   "mcp-app",
	"@modelcontextprotocol/ext-apps/react":           "mcp-app/react",
	"@modelcontextprotocol/ext-apps/react-with-deps": "mcp-app/react",
}

func (c *compilation) run() (js, css string, ok bool) {
	b := c.b
	c.sources, c.vendors, c.styles = make(map[string]sourceText), make(map[string]string), make(map[string]sourceText)
	o := api.BuildOptions{
		Bundle:              true,
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "view", OutputPath: "view"}}, // resolve takes c.entry
		Outdir:              "/",
		Format:              api.FormatESModule,
		Platform:            api.PlatformBrowser,
		Target:              target,
		Charset:             api.CharsetUTF8,
		JSX:                 api.JSXAutomatic,
		TsconfigRaw:         "{}",
		Define:              defines,
		LogLevel:            api.LogLevelSilent,
		LogOverride: map[string]api.LogLevel{"unsupported-dynamic-import": api.LogLevelWarning,
			"unsupported-require-call": api.LogLevelWarning, "empty-glob": api.LogLevelError},
		Supported:         c.supported,
		MinifyWhitespace:  !b.opts.Unminified,
		MinifyIdentifiers: !b.opts.Unminified,
		MinifySyntax:      !b.opts.Unminified && c.script, // in a style it moves the colours of gradients in other spaces to sRGB
		Plugins: []api.Plugin{{Name: "fs", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, c.resolve)
			p.OnLoad(api.OnLoadOptions{Filter: ".*"}, c.load)
		}}},
	}
	if c.script {
		o.TsconfigRaw = b.readConfig().raw
	}
	o.Sourcemap, o.SourcesContent = b.sourceMapOption()
	result := api.Build(o)
	hints := make(map[string]string) // by file, since they take as long as compiling it
	for _, m := range result.Errors {
		e := fromMessage(m, c.placeOf(m))
		if e.File == "" {
			e.File = b.name
		}
		if m.Location != nil && e.Err == nil {
			file := m.Location.File
			if _, known := hints[file]; known {
			} else if p, ok := c.page[strings.TrimPrefix(file, inPage+":")]; ok {
				hints[file] = typeScriptHint(p.text, p.loader, true)
			} else if s, ok := c.sources[e.File]; ok {
				hints[file] = typeScriptHint(s.text, s.loader, false)
			}
			e.Text += hints[file]
		}
		b.problems.add(e)
	}
	for _, m := range result.Warnings {
		b.warn(m, c.placeOf(m))
	}
	c.warnOfConditionalFonts()
	for _, f := range result.OutputFiles {
		switch path.Ext(f.Path) {
		case ".js":
			js = string(f.Contents)
		case ".css":
			css = string(f.Contents)
		case ".map":
			if strings.HasSuffix(f.Path, ".css.map") {
				c.cssMap = c.codeMap(f.Contents)
			} else {
				c.jsMap = c.codeMap(f.Contents)
			}
		}
	}
	return js, css, len(result.Errors) == 0
}

// placeOf returns where the text begins that a message is about.
func (c *compilation) placeOf(m api.Message) place {
	if m.Location == nil {
		return place{}
	}
	name, ok := strings.CutPrefix(m.Location.File, inPage+":")
	p, known := c.page[name]
	if !ok || !known || p.offset < 0 {
		return place{}
	}
	_, at := c.b.placed("", p.offset)
	return at
}

// defines are the constants that packages and Vite's templates expect a bundler to
// define.
var defines = map[string]string{
	"process.env.NODE_ENV": `"production"`,
	"import.meta.env":      `{"MODE":"production","PROD":true,"DEV":false,"BASE_URL":"./"}`,
	"import.meta.env.MODE": `"production"`,
	"import.meta.env.PROD": `true`,
	"import.meta.env.DEV":  `false`,
	"import.meta.hot":      `undefined`,
}

// target is the syntax that all current browsers know. Newer syntax is converted.
const target = api.ES2022

// warn adds a warning of esbuild about a text that begins at a place of its file to
// the problems or to the warnings.
func (b *bundler) warn(m api.Message, at place) {
	e := fromMessage(m, at)
	switch m.ID {
	case "unsupported-dynamic-import", "unsupported-require-call":
		e.Text = "this import's name is only known when the view runs, and then there is nothing to import from: write it as a string"
		if !inNodeModules(e.File) {
			b.problems.add(e)
			return
		}
	case "direct-eval": // hazards.go reports it
		return
	case "html-comment-in-js": // it is one in a browser, too
		return
	}
	same := func(w *Error) bool { return w.Error() == e.Error() }
	if slices.ContainsFunc(b.warnings, same) {
		return // the file is compiled twice
	}
	b.warnings = append(b.warnings, e)
}

func inNodeModules(file string) bool {
	return strings.HasPrefix(file, "node_modules/") || strings.Contains(file, "/node_modules/")
}
