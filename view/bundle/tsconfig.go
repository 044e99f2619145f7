package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// compilerKeys are the options of a tsconfig.json that decide what a script
// compiles to. esbuild gets no others: it would read "extends" from the disk.
var compilerKeys = []string{"jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "experimentalDecorators",
	"useDefineForClassFields", "target", "verbatimModuleSyntax", "preserveValueImports", "importsNotUsedAsValues",
	"alwaysStrict", "strict"}

// tsconfig is what the nearest tsconfig.json says that matters here.
type tsconfig struct {
	raw     string // the compilerKeys, as esbuild takes them
	extends *Error // not nil if it extends another file
	paths   object // its "paths"
	base    string // the folder that paths are relative to
}

// readConfig reads the nearest tsconfig.json at or above the page, once.
func (b *bundler) readConfig() *tsconfig {
	if b.config != nil {
		return b.config
	}
	b.config = &tsconfig{raw: "{}"}
	for dir := b.base; ; dir = path.Dir(dir) {
		if name := path.Join(dir, "tsconfig.json"); b.files.kind(name) == regular {
			if err := b.config.read(b.files, name); err != nil {
				b.problems.add(err)
			}
			break
		}
		if dir == "." {
			break
		}
	}
	b.resolver.config = b.config
	return b.config
}

func (c *tsconfig) read(files *files, name string) *Error {
	text, err := files.read(name)
	if err != nil {
		return &Error{File: name, Text: "can't read it: " + err.Error(), Err: err}
	}
	var config struct {
		Extends         json.RawMessage            `json:"extends"`
		CompilerOptions map[string]json.RawMessage `json:"compilerOptions"`
	}
	if err := json.Unmarshal([]byte(plainJSON(text)), &config); err != nil {
		e := &Error{File: name, Text: "not a valid tsconfig.json: " + err.Error(), Err: err}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			e.Line, e.Column = position(text, min(len(text), max(0, int(syntax.Offset)-1)))
		}
		return e
	}
	if len(config.Extends) > 0 {
		c.extends = &Error{File: name, Text: fmt.Sprintf("%s is not read, so that its options for JSX and decorators would be missing: "+
			"leave \"extends\" out, or put a tsconfig.json without it beside the page", config.Extends)}
		c.extends.Line, c.extends.Column = position(text, max(0, strings.Index(plainJSON(text), `"extends"`)))
	}
	kept := make(map[string]json.RawMessage)
	for _, key := range compilerKeys {
		if value, ok := config.CompilerOptions[key]; ok {
			kept[key] = value
		}
	}
	// "preserve" leaves JSX to a bundler, which this is.
	if jsx := string(kept["jsx"]); jsx == `"preserve"` || jsx == `"react-native"` {
		delete(kept, "jsx")
	}
	if data, err := json.Marshal(map[string]any{"compilerOptions": kept}); err == nil {
		c.raw = string(data)
	}
	var baseURL string
	_ = json.Unmarshal(config.CompilerOptions["baseUrl"], &baseURL) // absent: the folder of the file
	c.paths, _ = decodeObject(config.CompilerOptions["paths"])
	c.base = path.Join(path.Dir(name), baseURL)
	return nil
}

// unread returns an error if a file may depend on the options of a tsconfig.json
// that is not read because another one extends it.
func (c *tsconfig) unread(loader api.Loader, name string) error {
	switch ext := path.Ext(name); {
	case c == nil || c.extends == nil:
	case loader == api.LoaderTS, loader == api.LoaderTSX, loader == api.LoaderJSX && ext == ".jsx":
		return c.extends
	}
	return nil
}

// fromPaths applies the "paths" of a tsconfig.json to an import.
func (r *resolver) fromPaths(ref string, k api.ResolveKind) (string, bool) {
	if r.config == nil {
		return "", false
	}
	target, star, _ := r.config.paths.match(ref)
	var candidates []string
	_ = json.Unmarshal(target, &candidates) // of another type: none
	for _, c := range candidates {
		if p, err := inTree(r.config.base, strings.Replace(c, "*", star, 1)); err == nil {
			if file, err := r.file(p, ref, k); err == nil {
				return file, true
			}
		}
	}
	return "", false
}

// plainJSON replaces the comments and trailing commas that a tsconfig.json may
// have by spaces, so that offsets stay.
func plainJSON(s string) string {
	out := []byte(s)
	if strings.HasPrefix(s, "\ufeff") {
		copy(out, "   ")
	}
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			n := strings.Index(string(out[i+2:]), end)
			if n < 0 {
				n = len(out) - i - 2
			} else {
				n += len(end)
			}
			for j := i; j < i+2+n; j++ {
				if out[j] != '\n' {
					out[j] = ' '
				}
			}
			i += 1 + n
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return string(out)
}
