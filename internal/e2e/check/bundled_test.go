package check

import (
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// TestBundledReference builds views on the published view library, as its
// README says, and finds nothing in them: the library's own code is not the author's
// mistake.
func TestBundledReference(t *testing.T) {
	t.Parallel()
	e2e.Need(t, e2e.Packages)
	const view = `
		const app = new App({ name: "view", version: "1.0.0" });
		app.ontoolresult = (r) => { document.querySelector("#out").textContent = r.content[0].text; };
		app.connect();`
	for name, script := range map[string]string{
		"2": `import { App } from "@modelcontextprotocol/ext-apps";` + view,
		"1": `import { App } from "ext-apps-1";` + view,
		"react": `import { createRoot } from "react-dom/client";
			import { useApp } from "@modelcontextprotocol/ext-apps/react";
			function View() { useApp({ appInfo: { name: "view", version: "1.0.0" }, capabilities: {} }); return "Hello"; }
			createRoot(document.querySelector("#out")).render(<View />);`,
	} {
		for _, minify := range []bool{false, true} {
			built := api.Build(api.BuildOptions{
				Stdin:  &api.StdinOptions{Contents: script, ResolveDir: e2e.Dir(), Loader: api.LoaderJSX},
				Bundle: true, Format: api.FormatESModule, JSX: api.JSXAutomatic,
				MinifySyntax: minify, MinifyIdentifiers: minify, MinifyWhitespace: minify,
				Define: map[string]string{"process.env.NODE_ENV": `"production"`},
			})
			require.Empty(t, built.Errors, name)
			r, err := check.Document("<!doctype html><p id=out>…</p><script type=module>"+string(built.OutputFiles[0].Contents)+"</script>", nil)
			require.NoError(t, err)
			assert.Empty(t, r.Findings, "%s, minified: %t", name, minify)
		}
	}
}
