package bundle_test

import (
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPackages(t *testing.T) {
	doc := bundled(t, folder(
		"app/index.html", ``, "index.html", `<script type=module src=app/main.js></script>`,
		"app/main.js", `import a from "conditional"; import b from "@scope/sub/deep/x"; import c from "plain"; import d from "plain/file";
			import f from "old"; import { used } from "pure"; import g from "mapped"; import { g as h } from "cjs"; console.log(a, b, c, d, f, used, g, h)`,
		"node_modules/conditional/package.json", `{"exports":{"node":"./node.js","browser":{"import":"./browser.js"},"default":"./node.js"}}`,
		"node_modules/conditional/browser.js", `export default "browser-import"`, "node_modules/conditional/node.js", `export default "wrong"`,
		"node_modules/@scope/sub/package.json", `{"exports":{"./deep/*":{"import":"./lib/*.mjs"},"./deep/secret":null}}`,
		"node_modules/@scope/sub/lib/x.mjs", `export default "pattern"`,
		"node_modules/plain/package.json", `{"module":"esm/main","main":"wrong.js"}`, "node_modules/plain/esm/main.js", `export default "module-field"`,
		"node_modules/plain/file/index.js", `export default "folder"`,
		"node_modules/old/package.json", `{"main":"lib/main.js","browser":{"./lib/server.js":"./lib/client.js","fs":false}}`,
		"node_modules/old/lib/main.js", `export default "main-field"`,
		"node_modules/pure/package.json", `{"main":"i.js","sideEffects":false}`, "node_modules/pure/i.js", `export { used } from "./used.js"; export { unused } from "./unused.js"`,
		"node_modules/pure/used.js", `export const used = "pure"`, "node_modules/pure/unused.js", `globalThis.effect = 1; export const unused = 1`,
		"app/node_modules/mapped/package.json", `{}`, "app/node_modules/mapped/index.js", `export default "nearest"`, "node_modules/mapped/index.js", `export default "wrong"`,
		"node_modules/cjs/index.js", `if (process.env.NODE_ENV !== "production") module.exports = require("./dev.js"); else exports.g = "commonjs"`,
	), nil)
	for _, want := range []string{"browser-import", "pattern", "module-field", "folder", "main-field", "pure", "nearest", "commonjs"} {
		assert.Contains(t, doc.HTML, want)
	}
	for _, not := range []string{"wrong", "effect", "node_modules"} {
		assert.NotContains(t, doc.HTML, not)
	}
}

// Replacements for browsers and names that only a package.json explains are not
// followed. If they would decide what a view gets, that is an error.
func TestNotFollowed(t *testing.T) {
	const page = `<script type=module>import x from "p"; console.log(x)</script>`
	for _, test := range []struct {
		manifest, main, want string
	}{
		{`{"main":"main.js","browser":"other.js"}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "node_modules/p/main.js" by other.js, and it is not followed: import a build`},
		{`{"browser":"./other.js"}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "index.js" by ./other.js`},
		{`{"main":"main.js","browser":"./main.js"}`, "export default 1", ""},
		{`{"main":"main.js","browser":{"./main.js":"./other.js"}}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "./main.js" by ./other.js, and it is not followed`},
		{`{"main":"main","browser":{"./main":"./other.js"}}`, "", `index.html:1:35: the browser field of node_modules/p/package.json replaces "./main.js" by ./other.js`},
		{`{"main":"main.js","browser":{"./other.js":false}}`, "\nexport { default } from './other'", `node_modules/p/main.js:2:25: the browser field of node_modules/p/package.json replaces "./other.js" by nothing`},
		{`{"main":"main.js","browser":{"q":false}}`, "\nexport { default } from 'q'", `node_modules/p/main.js:2:25: the browser field of node_modules/p/package.json replaces "q" by nothing`},
		{`{"exports":{"browser":"./other.js","default":"./main.js"},"browser":{"./main.js":"./other.js"}}`, "", ""},
		{`{"main":"main.js","imports":{"#x":"./other.js"}}`, "export { default } from '#x'", `node_modules/p/main.js:1:25: "#x" is a name of the imports map in a package.json, which is not followed: import the file by its path`},
		{`{`, "", `index.html:1:35: node_modules/p/package.json is not a valid package.json: `},
	} {
		doc, err := bundle.HTML(folder("index.html", page, "node_modules/p/package.json", test.manifest, "node_modules/p/main.js", test.main,
			"node_modules/p/other.js", "export default 'other'", "node_modules/q/index.js", "export default 'q'"), "index.html", nil)
		if test.want == "" {
			require.NoError(t, err, test.manifest)
			assert.Equal(t, test.main == "", strings.Contains(doc.HTML, "other"), test.manifest)
		} else {
			require.Error(t, err, test.manifest)
			assert.True(t, strings.HasPrefix(err.Error(), "bundle: "+test.want), "%s: got %s", test.manifest, err)
		}
	}
	// The remedies.
	doc := bundled(t, folder("index.html", `<script type=importmap>{"imports":{"q":"data:text/javascript,"}}</script>`+page,
		"node_modules/p/package.json", `{"main":"main.js","browser":{"q":false}}`, "node_modules/p/main.js", "import * as q from 'q'; export default q"), nil)
	assert.NotContains(t, doc.HTML, "from")
	doc = bundled(t, folder("index.html", `<script type=importmap>{"imports":{"p":"./node_modules/p/other.js"}}</script>`+page,
		"node_modules/p/package.json", `{"main":"main.js","browser":"other.js"}`, "node_modules/p/other.js", "export default 'other'"), nil)
	assert.Contains(t, doc.HTML, "other")
	// A package can't import itself by its name.
	_, err := bundle.HTML(folder("index.html", `<script type=module>import "self"</script>`, "package.json", `{"name":"self","exports":"./a.js"}`, "a.js", ""), "index.html", nil)
	assert.ErrorContains(t, err, `index.html:1:28: package "self" is not in a node_modules folder`)
	// Two folders whose main fields name each other don't make an endless loop.
	_, err = bundle.HTML(folder("index.html", `<script type=module>import "./a"</script>`, "a/package.json", `{"main":"b"}`, "a/b/package.json", `{"main":".."}`), "index.html", nil)
	assert.ErrorContains(t, err, `index.html:1:28: "./a" is not there`)
}

func TestImportMap(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=importmap>{"imports":{"lib":"./vendor/lib.js","lib/":"./vendor/more/"}}</script>`+
		`<script type=module>import a from "lib"; import b from "lib/b.js"; console.log(a, b)</script>`,
		"vendor/lib.js", `export default "exact"`, "vendor/more/b.js", `export default "prefix"`), nil)
	assert.Contains(t, doc.HTML, "exact")
	assert.Contains(t, doc.HTML, "prefix")
}

// A source that names the function for its JSX needs no React.
func TestOwnJSX(t *testing.T) {
	for _, file := range []string{"a.jsx", "a.tsx", "a.js"} {
		doc, err := bundle.HTML(folder("index.html", "<script type=module src="+file+"></script>",
			file, "/** @jsx h */\n/** @jsxFrag f */\nconst h = (...a) => a, f = 1\nconsole.log(<><b/></>)"), "index.html", nil)
		require.NoError(t, err)
		assert.Empty(t, doc.Warnings)
	}
	_, err := bundle.HTML(folder("index.html", "<script type=module src=a.jsx></script>", "a.jsx", "// @jsx is of another file\nconsole.log(<b/>)"), "index.html", nil)
	assert.ErrorContains(t, err, `package "react"`)
}

// tsconfig.json decides about JSX and decorators and may map imports. What it
// extends is not read, which is an error if a script may depend on it.
func TestTSConfig(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module src=src/a.tsx></script>`, "src/a.tsx", `import x from "@/b"; function h() {} console.log(<b/>, x)`, "src/lib/b.ts", `export default "by path"`,
		"tsconfig.json", "\ufeff{ // comment\n/* \"x */ \"compilerOptions\": {\"jsx\": \"react\", \"jsxFactory\": \"h\", \"paths\": {\"@/*\": [\"./none/*\", \"./lib/*\",]}, \"baseUrl\": \"src\",}}"), nil)
	assert.NotContains(t, doc.HTML, "jsx")
	assert.Contains(t, doc.HTML, "by path")
	assert.Equal(t, []string{"index.html", "src/a.tsx", "src/lib/b.ts", "tsconfig.json"}, doc.Inputs)

	const extends = "{ // a comment\n  \"extends\": \"./base.json\"}"
	for page, file := range map[string]string{
		`<script type=module src=a.ts></script>`: "a.ts", `<script type=module src=a.jsx></script>`: "a.jsx", `<script src=a.ts></script>`: "a.ts",
		`<script type=module>import "./a.tsx"</script>`: "a.tsx", `<script type=module lang=ts>console.log(1)</script>`: "a.ts",
	} {
		_, err := bundle.HTML(folder("index.html", page, file, "console.log(1)", "tsconfig.json", extends), "index.html", nil)
		assert.EqualError(t, err, `bundle: tsconfig.json:2:3: "./base.json" is not read, so that its options for JSX and decorators would be missing: `+
			`leave "extends" out, or put a tsconfig.json without it beside the page`, page)
	}
	bundled(t, folder("index.html", `<script type=module src=a.js></script>`, "a.js", "console.log(1)", "tsconfig.json", extends), nil)
	bundled(t, folder("ui/index.html", "", "index.html", `<script type=module>import "p"</script>`, "node_modules/p/index.js", "console.log(1)", "tsconfig.json", extends), nil)
	_, err := bundle.HTML(folder("index.html", `<script type=module src=a.ts></script>`, "a.ts", "", "tsconfig.json", "{\n  \"compilerOptions\" 1}"), "index.html", nil)
	assert.ErrorContains(t, err, "tsconfig.json:2:21: not a valid tsconfig.json: ")
}

func TestStylePackages(t *testing.T) {
	doc := bundled(t, folder("index.html", `<link rel=stylesheet href=a.css>`, "a.css", `@import "norm"; @import "~norm/x.css"; @import "near.css";`, "near.css", "near{c:d}",
		"node_modules/norm/package.json", `{"style":"n.css","main":"n.js"}`, "node_modules/norm/n.css", "n{c:d}", "node_modules/norm/x.css", "x{c:d}"), nil)
	assert.Equal(t, []string{"n{c:d}x{c:d}near{c:d}"}, texts(t, doc.HTML, "style"))
}

func TestDataURLModule(t *testing.T) {
	doc := bundled(t, folder("index.html", `<script type=module>import x from "data:application/json,[42]"; console.log(x)</script>`), nil)
	assert.Contains(t, doc.HTML, "[42]")
	assert.NotContains(t, doc.HTML, "import")
}
