package mcpapps_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAgents shows that every file, folder and script that AGENTS.md and
// CONTRIBUTING.md name exists, and that AGENTS.md names every internal package.
func TestAgents(t *testing.T) {
	notPaths := map[string]bool{"testing/synctest": true}
	isFile := regexp.MustCompile(`^[\w*.-]+\.(go|js|ts|md|html)$`)
	code := regexp.MustCompile("`([^`]+)`")
	for _, name := range []string{"AGENTS.md", "CONTRIBUTING.md"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		found := 0
		// An item of a list begins with the folder that its file names are relative to.
		for item := range strings.SplitSeq(strings.ReplaceAll(string(data), "\n\n", "\n- "), "\n- ") {
			folder := "."
			for i, m := range code.FindAllStringSubmatch(item, -1) {
				for _, word := range strings.Fields(m[1]) {
					isPath := isFile.MatchString(word) || strings.Contains(word, "/") && !strings.Contains(word, "://") &&
						!strings.Contains(word, "...") && !strings.HasPrefix(word, "github.com/") && !notPaths[word]
					if info, err := os.Stat(word); i == 0 && err == nil && info.IsDir() {
						folder = word
					}
					if !isPath {
						continue
					}
					found++
					there, err := filepath.Glob(word)
					require.NoError(t, err)
					within, err := filepath.Glob(filepath.Join(folder, word))
					require.NoError(t, err)
					assert.NotEmpty(t, append(there, within...), "%s names %q, which does not exist", name, word)
				}
			}
		}
		assert.Greater(t, found, 5, "paths in %s", name)
	}

	agents, err := os.ReadFile("AGENTS.md")
	require.NoError(t, err)
	assert.Less(t, strings.Count(string(agents), "\n"), 80, "lines of AGENTS.md")
	sources, err := filepath.Glob("internal/*/*.go")
	require.NoError(t, err)
	for _, file := range sources {
		p := "`" + filepath.ToSlash(filepath.Dir(file)) + "`"
		assert.True(t, strings.Contains(string(agents), p), "AGENTS.md does not name %s", p)
	}
}
