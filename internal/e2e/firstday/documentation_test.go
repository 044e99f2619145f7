package firstday

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// documentation returns the comment of a type in register.go, on one line.
func documentation(t *testing.T, name string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(e2e.Dir(), "..", "..", "register.go"), nil, parser.ParseComments)
	require.NoError(t, err)
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && len(g.Specs) == 1 {
			if s, ok := g.Specs[0].(*ast.TypeSpec); ok && s.Name.Name == name {
				return strings.Join(strings.Fields(g.Doc.Text()), " ")
			}
		}
	}
	t.Fatalf("register.go has no type %s", name)
	return ""
}

// readme returns the README.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e2e.Dir(), "..", "..", "README.md"))
	require.NoError(t, err)
	return string(text)
}
