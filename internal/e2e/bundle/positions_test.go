package bundle_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// throwing has a throw in every kind of script. Each error has the name of its place.
var throwing = fstest.MapFS{
	"ui/index.html": {Data: []byte(`<!doctype html>
<title>ü😀</title><link rel=stylesheet href=a.css><script>
  var errors = [];
  addEventListener("error", e => errors.push(e.error.stack)); addEventListener("unhandledrejection", e => errors.push(e.reason.stack))
</script>
<p>😀 <b id=b style="background:url(a.png)" onclick="throw new Error('@handler')">x</b><script>
  throw new Error("@inline"); </script><script>/* 😀 */ b.click()</script><script src=classic.js></script>
<script type=module>
  throw new Error("@unchanged")</script>
<p>😀<script type=module>import { imported } from "./imported"; setTimeout(imported)
  throw new Error("@inline module")</script><script type=module src=main.ts></script>
<script lang=ts>
  let n: number = 1; setTimeout(() => {
    throw new Error("@inline TypeScript") })
</script>
<script src=typed.ts></script>
<script src=deferred.js defer></script><script src=later.js async></script>
`)},
	"ui/a.css":                         {Data: []byte("b { color: red;\n\n }\n\n")},
	"ui/a.png":                         {Data: []byte("png")},
	"ui/classic.js":                    {Data: []byte("function f(name) {\n  throw new Error('@classic') }\nf()")},
	"ui/typed.ts":                      {Data: []byte("interface X {\n  a: string\n}\nfunction g(x: X) {\n  throw new Error('@classic TypeScript') }\ng({ a: '' })")},
	"ui/deferred.js":                   {Data: []byte("// deferred\n\n/* 😀 */ throw new Error('@deferred')")},
	"ui/later.js":                      {Data: []byte("function later() {\n  throw new Error('@async') }\nlater()")},
	"ui/imported.ts":                   {Data: []byte("// a comment\nexport function imported(x: number) {\n  Promise.reject(new Error('@rejected'))\n  /* ü😀 */ throw new Error('@imported') }")},
	"ui/main.ts":                       {Data: []byte("import { App } from 'mcp-app'\nimport { View } from './view'\n\nsetTimeout(() => App && View({ name: 'x' }))\n\nthrow new Error('@module')")},
	"ui/view.tsx":                      {Data: []byte("import { h } from 'packed'\n/** @jsx h */\nexport const View = (props: { name: string }) =>\n  <p>\n    <b id={thrown(props)}/>\n  </p>\nfunction thrown(x: unknown): string {\n  setTimeout(h)\n  throw new Error('@JSX') }")},
	"node_modules/packed/package.json": {Data: []byte(`{"name":"packed","main":"index.js"}`)},
	"node_modules/packed/index.js":     {Data: []byte("export function h() {\n  throw new Error('@package') }")},
}

var (
	thrown = regexp.MustCompile(`new Error\(["']@([^"']+)`)
	frame  = regexp.MustCompile(`^Error: @([^\n]+)\n[^\n]*?:(\d+):(\d+)\)?(?:\n|$)`)
)

// Where an error is created, in every kind of script, as the browser says it, is where
// the author wrote it.
func TestPositionsInBrowser(t *testing.T) {
	t.Parallel()
	b := e2e.SharedBrowser(t)
	devenv.EnableSourceMaps()
	place := func(what, name string, line, column int) string {
		// Browsers have their own idea of the columns of an attribute, and of packages
		// the map has lines alone.
		if what == "handler" || what == "package" {
			column = 0
		}
		return fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	want := make(map[string]string)
	for name, f := range throwing {
		text := string(f.Data)
		for _, at := range thrown.FindAllStringSubmatchIndex(text, -1) {
			before := text[:at[0]]
			column := len(utf16.Encode([]rune(before[strings.LastIndexByte(before, '\n')+1:]))) + 1
			want[text[at[2]:at[3]]] = place(text[at[2]:at[3]], name, strings.Count(before, "\n")+1, column)
		}
	}
	for _, opts := range []*bundle.Options{nil, {Unminified: true}} {
		s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://test/view"}, mcpapps.ResourceUIMetadata{}, bundle.Handler(throwing, "ui/index.html", opts))
		cs := mcpappstest.Client(t, s, mcpapps.SupportUI)
		res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://test/view"})
		require.NoError(t, err)
		m, err := sourcemap.Parse(res.Contents[0].Meta[devenv.MapKey])
		require.NoError(t, err)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(res.Contents[0].Text))
		}))
		t.Cleanup(server.Close)
		page, err := b.Open(t.Context(), server.URL, 400, 300, false)
		require.NoError(t, err)
		t.Cleanup(page.Close)
		require.NoError(t, page.Wait(t.Context(), fmt.Sprintf("errors.length >= %d", len(want))))
		var stacks []string
		require.NoError(t, page.Eval(t.Context(), "errors", &stacks))
		got := make(map[string]string)
		for _, stack := range stacks {
			parts := frame.FindStringSubmatch(stack)
			require.NotNil(t, parts, stack)
			line, _ := strconv.Atoi(parts[2])
			column, _ := strconv.Atoi(parts[3])
			source, row, column, ok := m.Position(line, column)
			assert.True(t, ok, stack)
			got[parts[1]] = place(parts[1], source, row, column)
		}
		assert.Equal(t, want, got)
	}
}
