package mcpapps_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// publicPackages are the folders of the packages that other modules import.
var publicPackages = []string{".", "appclient", "gateway", "view", "view/bundle", "viewdata", "viewstate", "viewstate/storetest", "viewform", "openai", "host", "preview", "check", "mcpappstest"}

// needsNoExample are the methods that callers reach through an interface.
var needsNoExample = map[string]bool{
	"String": true, "Error": true, "Unwrap": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true,
}

// notRun are the examples without output: what they show needs a browser or a database, or does
// not end by itself.
var notRun = map[string]bool{
	"preview.Serve":    true,
	"mcpappstest.Open": true,
	"viewstate.NewSQL": true,
	"storetest.Test":   true,
}

// ofViews are the types whose methods are called on a view in a browser. The example
// of mcpappstest.Open calls those that most tests need.
var ofViews = map[string]bool{"mcpappstest.Page": true, "mcpappstest.Locator": true}

// TestExamples shows that each exported function of the public packages has an
// example that runs, and that each exported method is called in one.
func TestExamples(t *testing.T) {
	for _, dir := range publicPackages {
		set := token.NewFileSet()
		var files []*ast.File
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, names, dir)
		var functions, methods []string
		called := make(map[string]bool)
		for _, name := range names {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			require.NoError(t, err)
			if strings.HasSuffix(name, "_test.go") {
				files = append(files, file)
				continue
			}
			for _, decl := range file.Decls {
				switch f, ok := decl.(*ast.FuncDecl); {
				case !ok || !f.Name.IsExported():
				case f.Recv == nil:
					functions = append(functions, f.Name.Name)
				case receiver(f) != "" && !needsNoExample[f.Name.Name]:
					methods = append(methods, receiver(f)+"."+f.Name.Name)
				}
			}
		}
		shown := make(map[string]bool)
		for _, e := range doc.Examples(files...) {
			name := e.Name
			if i := strings.LastIndexByte(name, '_'); i >= 0 && i+1 < len(name) && unicode.IsLower(rune(name[i+1])) {
				name = name[:i] // one of several examples of the same name
			}
			shown[name] = true
			full := filepath.Base(dir) + "." + name
			assert.True(t, e.Output != "" || e.EmptyOutput || notRun[full], "Example%s in %s has no output, so that it does not run", e.Name, dir)
			ast.Inspect(e.Code, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					called[s.Sel.Name] = true
				}
				return true
			})
		}
		for _, name := range functions {
			assert.True(t, shown[name], "package %s: %s has no example: write Example%s", dir, name, name)
		}
		for _, name := range methods {
			typ, method, _ := strings.Cut(name, ".")
			assert.True(t, called[method] || ofViews[filepath.Base(dir)+"."+typ], "package %s: no example calls %s", dir, name)
		}
	}
}

// receiver returns the name of a method's type if it is exported, or "".
func receiver(f *ast.FuncDecl) string {
	expr := f.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if id, ok := expr.(*ast.Ident); ok && id.IsExported() {
		return id.Name
	}
	return ""
}
