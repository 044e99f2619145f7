package view

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/view"
)

const npmName = "@modelcontextprotocol/ext-apps"

// declarations are the files that a view's author puts beside the sources. Here
// their names end in .ts and not in .d.ts, see [tsc].
func declarations() map[string]string {
	return map[string]string{
		"mcp-app.ts": view.Types(), "mcp-app-data.ts": view.DataTypes(), "mcp-app-openai.ts": view.OpenAITypes(), "mcp-app-react.ts": view.ReactTypes(),
	}
}

// tsc type-checks the files and returns what it says. It checks no .d.ts file,
// because those of the packages take several seconds and are not ours: a
// declaration that is to be checked needs a name that ends in .ts.
func tsc(t *testing.T, files ...map[string]string) string {
	t.Helper()
	e2e.Need(t, e2e.Packages)
	dir, err := os.MkdirTemp(e2e.Dir(), "types-") // below the packages
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	args := []string{
		"--singleThreaded", "--noEmit", "--strict", "--noUnusedLocals", "--noImplicitOverride",
		"--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022", "--lib", "es2023,dom,dom.iterable",
		"--jsx", "react-jsx", "--types", "", "--skipLibCheck", "--pretty", "false",
	}
	for _, set := range files {
		for name, text := range set {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			args = append(args, name)
		}
	}
	program, err := filepath.Glob(filepath.Join(e2e.Dir(), "node_modules", "@typescript", "*", "lib", "tsc")) // without Node.js
	require.NoError(t, err)
	require.Len(t, program, 1)
	cmd := exec.Command(program[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOGC=off") // it takes 100 MB, and half of the time with the collector
	out, err := cmd.CombinedOutput()
	if err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
	}
	return string(out)
}

func source(t *testing.T, name string) map[string]string {
	data, err := os.ReadFile(filepath.Join("types", name))
	require.NoError(t, err)
	return map[string]string{name: string(data)}
}

func TestViewsCompileWithTheImportChanged(t *testing.T) {
	t.Parallel()
	original, changed := map[string]string{}, map[string]string{}
	for _, name := range []string{"weather.ts", "weather-react.tsx"} {
		text := source(t, name)[name]
		original[name] = text
		changed[name] = strings.ReplaceAll(text, npmName, "mcp-app")
		require.NotEqual(t, text, changed[name])
	}
	assert.Empty(t, tsc(t, original), "for the reference")
	assert.Empty(t, tsc(t, declarations(), changed), "with the import changed")
	// The reference has no ServerTools, our declarations for its name do.
	original["own.ts"] = `import type { ServerTools } from "` + npmName + `"; export type T = ServerTools;`
	assert.Empty(t, tsc(t, declarations(), original), "with the declarations beside it")
}

func TestTypesHaveTheReferenceSurface(t *testing.T) {
	t.Parallel()
	own := declarations()
	for name, text := range own {
		// Without the module with the reference's name, which must be the reference here.
		own[name], _, _ = strings.Cut(text, `declare module "`+npmName)
	}
	assert.Empty(t, tsc(t, own, source(t, "surface.ts")))
	assert.Empty(t, tsc(t, own, source(t, "data.ts"), source(t, "openai.ts")), "the functions take both App classes")
}

// The declarations of the modules need no other file, not even each other's.
func TestModuleTypesAlone(t *testing.T) {
	t.Parallel()
	assert.Empty(t, tsc(t, map[string]string{"mcp-app-data.ts": view.DataTypes(), "mcp-app-openai.ts": view.OpenAITypes()}))
}
