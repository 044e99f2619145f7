package bundle_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beside adds files to another file system.
type beside struct {
	files fstest.MapFS
	fsys  fs.FS
}

func (b beside) Open(name string) (fs.File, error) {
	if f, err := b.files.Open(name); err == nil {
		return f, nil
	}
	return b.fsys.Open(name)
}

func reactView(t testing.TB) fs.FS {
	e2e.Need(t, e2e.Packages)
	return beside{folder(
		"view/index.html", `<!doctype html><div id="root"></div><script type="module" src="main.tsx"></script>`,
		"view/main.tsx", `import { createRoot } from "react-dom/client"
import { Counter } from "./counter"
createRoot(document.getElementById("root")!).render(<Counter label="clicks" />)`,
		"view/counter.tsx", `import { useState } from "react"
import { App } from "@modelcontextprotocol/ext-apps"
export function Counter({ label }: { label: string }) {
  const [n, set] = useState<number>(0)
  return <button onClick={() => set(n + 1)}>{n} {label} {App.name}</button>
}`), os.DirFS(e2e.Dir())}
}

// A view in React is bundled with the packages of a node_modules folder, and without
// their code for development.
func TestReactView(t *testing.T) {
	doc, err := bundle.HTML(reactView(t), "view/index.html", nil)
	require.NoError(t, err)
	assert.Less(t, len(doc.HTML), 300<<10)
	assert.Empty(t, doc.Warnings)
	for _, name := range doc.Inputs {
		assert.False(t, strings.Contains(name, "development") || strings.Contains(name, "ext-apps"), name)
	}
}

// A view in React is bundled in a fraction of a second.
func TestCostOfReactView(t *testing.T) {
	testenv.Measure(t)
	fsys := reactView(t)
	var doc *bundle.Document
	var err error
	elapsed, allocated := measured(func() { doc, err = bundle.HTML(fsys, "view/index.html", nil) })
	require.NoError(t, err)
	t.Logf("%d bytes in %v, %d MB allocated", len(doc.HTML), elapsed, allocated>>20)
	assert.LessOrEqual(t, elapsed, 3*time.Second, "80 ms on two cores of a server")
}

// With the option for it, the npm package of the runtime is bundled.
func TestPackagedRuntime(t *testing.T) {
	doc, err := bundle.HTML(reactView(t), "view/index.html", &bundle.Options{PackagedRuntime: true})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(doc.Inputs, "\n"), "node_modules/@modelcontextprotocol/ext-apps/dist/")
	assert.Empty(t, doc.Warnings)
}

func BenchmarkReactView(b *testing.B) {
	fsys := reactView(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bundle.HTML(fsys, "view/index.html", nil); err != nil {
			b.Fatal(err)
		}
	}
}
