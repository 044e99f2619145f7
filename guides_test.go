package mcpapps_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/golden"
)

// snippet is a fenced block of a guide. Its first line names the language and the
// file, or the function "file#name", whose text it has.
var snippet = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// TestGuides shows that the guides quote files of this repository, which are built
// and tested there. MCPAPPS_UPDATE=1 quotes them again. JSON and YAML are for
// hosts; of these, the JSON is valid.
func TestGuides(t *testing.T) {
	for name, least := range map[string]int{"docs/views.md": 12, "docs/connect.md": 4, "docs/data.md": 11, "docs/chatgpt.md": 4} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		found := 0
		quoted := snippet.ReplaceAllStringFunc(string(text), func(block string) string {
			found++
			m := snippet.FindStringSubmatch(block)
			lang, source, _ := strings.Cut(m[1], " ")
			switch lang {
			case "json":
				assert.True(t, json.Valid([]byte(m[2])), "%s: %s", name, block)
				return block
			case "yaml":
				return block
			}
			code, err := quote(source)
			require.NoError(t, err, "%s: a block begins with %q: name a language and a file", name, m[1])
			return fmt.Sprintf("```%s\n%s\n```", m[1], code)
		})
		assert.GreaterOrEqual(t, found, least, "blocks in %s", name)
		assert.NoError(t, golden.Compare(name, []byte(quoted)))
	}
}

// quote returns the text of a file, or of the function in it whose name follows a #.
func quote(source string) (string, error) {
	file, function, excerpt := strings.Cut(source, "#")
	text, err := os.ReadFile(file)
	if err != nil || !excerpt {
		return strings.TrimSpace(string(text)), err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == function {
			return string(text[set.Position(f.Pos()).Offset:set.Position(f.End()).Offset]), nil
		}
	}
	return "", fmt.Errorf("%s has no function %s", file, function)
}

// TestLinks shows that links between the repository's texts lead to files, and to
// headings, that exist.
func TestLinks(t *testing.T) {
	guides, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headings := make(map[string][]string) // by file
	for _, name := range append(guides, "README.md", "CONTRIBUTING.md", "AGENTS.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(snippet.ReplaceAllString(string(text), ""), -1) {
			path, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			info, err := os.Stat(target)
			if assert.NoError(t, err, "%s links to %q", name, m[1]) && heading != "" && !info.IsDir() {
				if headings[target] == nil {
					linked, err := os.ReadFile(target)
					require.NoError(t, err)
					headings[target] = anchors(string(linked))
				}
				assert.Contains(t, headings[target], heading, "%s links to %q", name, m[1])
			}
		}
	}
}

// anchors returns the names by which links lead to the headings of a text.
func anchors(text string) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(name, " ", "-"))
	}
	return list
}
