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
// compiles to. The compiler sees no others: it would follow "extends" to the
// disk.
var compilerKeys = []string{"jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "experimentalDecorators",
	"useDefineForClassFields", "target", "verbatimModuleSyntax", "preserveValueImports", "importsNotUsedAsValues",
	"alwaysStrict", "strict"}

// tsconfig returns what the nearest tsconfig.json says of JSX and the like.
func (b *bundler) tsconfig() string {
	if b.config != nil {
		return *b.config
	}
	text := "{}"
	for dir := b.base; ; dir = path.Dir(dir) {
		if name := path.Join(dir, "tsconfig.json"); b.files.kind(name) == regular {
			options := make(map[string]json.RawMessage)
			b.readConfig(name, options, 0)
			kept := make(map[string]json.RawMessage)
			for _, key := range compilerKeys {
				if value, ok := options[key]; ok {
					kept[key] = value
				}
			}
			// "preserve" leaves JSX to a bundler, which is us.
			if jsx := string(kept["jsx"]); jsx == `"preserve"` || jsx == `"react-native"` {
				delete(kept, "jsx")
			}
			if data, err := json.Marshal(map[string]any{"compilerOptions": kept}); err == nil {
				text = string(data)
			}
			break
		}
		if dir == "." {
			break
		}
	}
	b.config = &text
	return text
}

// readConfig collects the options of a file, on top of those it extends.
func (b *bundler) readConfig(name string, options map[string]json.RawMessage, depth int) {
	text, err := b.files.read(name)
	if err != nil {
		b.problems.add(&Error{File: name, Text: "can't read it: " + err.Error(), Err: err})
		return
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
		b.problems.add(e)
		return
	}
	var bases []string
	if len(config.Extends) > 0 && json.Unmarshal(config.Extends, &bases) != nil {
		bases = make([]string, 1)
		_ = json.Unmarshal(config.Extends, &bases[0]) // of another type: not there
	}
	for _, ref := range bases {
		base, err := b.extended(ref, path.Dir(name))
		if err == nil && depth > 20 {
			err = errors.New("it extends itself")
		}
		if err != nil {
			// It is for tsc first of all, which sees more than this file system.
			b.warnings = append(b.warnings, &Error{File: name, Text: fmt.Sprintf("extends %q, which is left out: %v", ref, err), Err: err})
			continue
		}
		b.readConfig(base, options, depth+1)
	}
	for key, value := range config.CompilerOptions {
		options[key] = value
	}
	if paths, ok := decodeObject(config.CompilerOptions["paths"]); ok {
		var baseURL string
		_ = json.Unmarshal(config.CompilerOptions["baseUrl"], &baseURL) // absent: the folder of the file
		b.resolver.paths, b.resolver.pathsBase = paths, path.Join(path.Dir(name), baseURL)
	}
}

func (b *bundler) extended(ref, dir string) (string, error) {
	if !strings.HasPrefix(ref, ".") && !strings.HasPrefix(ref, "/") {
		for _, name := range []string{ref, ref + ".json", ref + "/tsconfig.json"} {
			if file, _, err := b.resolver.inPackages(name, dir, api.ResolveJSRequireCall); err == nil && strings.HasSuffix(file, ".json") {
				return file, nil
			}
		}
		_, _, err := b.resolver.inPackages(ref, dir, api.ResolveJSRequireCall)
		if err == nil {
			err = errors.New("the package has no such file")
		}
		return "", err
	}
	p, err := inTree(dir, ref)
	if err != nil {
		return "", err
	}
	for _, name := range []string{p, p + ".json"} {
		if b.files.kind(name) == regular {
			return name, nil
		}
	}
	return "", notFound(ref, p)
}

// fromPaths applies the "paths" of a tsconfig.json to an import.
func (r *resolver) fromPaths(ref string, k api.ResolveKind) (string, bool) {
	target, star, ok := r.paths.match(ref)
	if !ok {
		return "", false
	}
	var candidates []string
	_ = json.Unmarshal(target, &candidates) // of another type: none
	for _, c := range candidates {
		if p, err := inTree(r.pathsBase, strings.Replace(c, "*", star, 1)); err == nil {
			if file, ok := r.file(p, k); ok {
				return file, true
			}
		}
	}
	return "", false
}

// plainJSON blanks the comments and trailing commas out that a tsconfig.json
// may have; offsets stay.
func plainJSON(s string) string {
	out := []byte(strings.TrimPrefix(s, "\ufeff"))
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
