package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCatalogue holds the catalogue to its own terms.
func TestCatalogue(t *testing.T) {
	form := regexp.MustCompile(`^(server|capability|tool|meta|resource|csp|permission|domain|doc|view|result|check|openai)-[a-z]+(-[a-z]+)*$`)
	for _, r := range Rules() {
		assert.Regexp(t, form, r.Code)
		for what, text := range map[string]string{"summary": r.Summary, "why": r.Why, "remedy": r.Remedy} {
			assert.NotEmpty(t, text, "%s: %s", r.Code, what)
			assert.NotContains(t, text, "\n", "%s: %s is one line", r.Code, what)
		}
		if r.Severity == SeverityError {
			assert.NotEmpty(t, r.Hosts, "%s: an error names the hosts that it breaks", r.Code)
		}
	}
	for code, live := range retired {
		assert.NotContains(t, catalogue, code, "a code is not used again")
		assert.Contains(t, catalogue, live)
	}
}

// TestDeclarations holds each rule to its place: rules_AREA.go, or a file whose name
// goes on after that, declares the rules of the area, and some code raises each.
func TestDeclarations(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	declared := make(map[string]string) // from the variable to the code
	used := make(map[string]bool)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if len(n.Values) != 1 {
					return true
				}
				call, ok := n.Values[0].(*ast.CallExpr)
				if fun, isIdent := ast.Unparen(funOf(call)).(*ast.Ident); ok && isIdent && fun.Name == "newRule" {
					fields := call.Args[0].(*ast.CompositeLit).Elts
					code, err := strconv.Unquote(fields[0].(*ast.KeyValueExpr).Value.(*ast.BasicLit).Value)
					require.NoError(t, err)
					declared[n.Names[0].Name] = code
					area, _, _ := strings.Cut(code, "-")
					assert.Regexp(t, "^rules_"+area+`(_[a-z]+)?\.go$`, file, code)
					return false
				}
			case *ast.Ident:
				used[n.Name] = true
			}
			return true
		})
	}
	for name, code := range declared {
		assert.True(t, used[name], "nothing raises %s", code)
	}
	assert.Len(t, declared, len(catalogue))
}

func funOf(call *ast.CallExpr) ast.Expr {
	if call == nil {
		return nil
	}
	return call.Fun
}

// TestCataloguePage keeps docs/checks.md in step with the catalogue and the
// examples; MCPAPPS_UPDATE=1 rewrites it.
func TestCataloguePage(t *testing.T) {
	page := cataloguePage(t)
	file := filepath.Join("..", "docs", "checks.md")
	assert.NoError(t, golden.Compare(file, page))
}

func cataloguePage(t *testing.T) []byte {
	intro, err := os.ReadFile("testdata/checks.md")
	require.NoError(t, err)
	server, err := os.ReadFile("testdata/server.json")
	require.NoError(t, err)
	var b bytes.Buffer
	b.Write(intro)
	fmt.Fprintf(&b, "\n```json\n%s```\n", server)
	all := examples(t)
	for _, r := range Rules() {
		e := all[r.Code]
		fmt.Fprintf(&b, "\n## %s\n\n**%s**: %s. %s.\n", r.Code, r.Severity, markdown(r.Summary), markdown(sentence(r.Why)))
		fmt.Fprintf(&b, "\nRemedy: %s.\n", markdown(r.Remedy))
		var about []string
		if len(r.Hosts) > 0 {
			about = append(about, "Hosts: "+strings.Join(r.Hosts, ", ")+".")
		}
		if r.Spec != "" {
			about = append(about, "Specification: "+r.Spec+".")
		}
		if len(about) > 0 {
			fmt.Fprintf(&b, "\n%s\n", strings.Join(about, " "))
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(e.prose))
		for _, which := range []string{"fail", "pass"} {
			for _, ext := range []string{".json", ".html"} {
				if text, ok := e.files[which+ext]; ok {
					label := map[string]string{"fail": "Raises it", "pass": "Does not"}[which]
					for _, name := range []string{"metadata.json", which + ".metadata.json"} {
						if meta, ok := e.files[name]; ok {
							label += ", served with `" + strings.TrimSpace(compact(t, meta)) + "`"
						}
					}
					fmt.Fprintf(&b, "\n%s:\n\n```%s\n%s```\n", label, ext[1:], text)
				}
			}
		}
	}
	return b.Bytes()
}

func markdown(s string) string { return strings.NewReplacer("<", "\\<", "*", "\\*").Replace(s) }

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func compact(t *testing.T, raw string) string {
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(raw)))
	return b.String()
}
