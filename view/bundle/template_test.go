package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/plainlog"
	"github.com/mcpapps-go/mcpapps/internal/sourcemap"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type dataFunc = func(context.Context, *mcp.ReadResourceRequest, map[string]string) (any, error)

func deckServer(h mcpapps.TemplateHandler, ui mcpapps.ResourceUIMetadata) *mcp.Server {
	s := newServer()
	mcpapps.RegisterAppResourceTemplate(s, &mcp.ResourceTemplate{URITemplate: "ui://decks/{name}/view"}, "ui://decks/view", ui, h)
	return s
}

const deckPage = "<!doctype html>\n<script type=application/json id=data>{\n\"sample\": 1\n}</script><script type=module>import './a.js'; console.log('@1')</script>" +
	"\n<script src=b.js></script><script src=c.js defer></script>"

var deckFiles = folder("ui/deck.html", deckPage, "ui/a.js", "\nconsole.log('@2')", "ui/b.js", "\n\nconsole.log('@3')", "ui/c.js", "\nconsole.log('@4')")

// The data is in the element, as JSON, whatever the variables contain, and null for the
// shell. The bundle is made once.
func TestTemplateHandler(t *testing.T) {
	fsys := &counted{FS: folder("index.html", deckPage, "a.js", "f()", "b.js", "f()", "c.js", "f()")}
	type deck struct {
		Name, Evil string
	}
	own := func(_ context.Context, req *mcp.ReadResourceRequest, vars map[string]string) (any, error) {
		assert.NotNil(t, req)
		switch vars["name"] {
		case "gone":
			return nil, fmt.Errorf("deck %q: %w", vars["name"], fs.ErrNotExist)
		case "broken":
			return nil, errors.New("the database is down")
		case "bad":
			return func() {}, nil
		}
		return deck{vars["name"], "</script><!--<script>\u2028"}, nil
	}
	for name, test := range map[string]struct {
		data dataFunc
		want map[string]string
	}{
		"own": {own, map[string]string{
			"ui://decks/view": "null", "ui://decks/a/view": `{"Name":"a","Evil":"\u003c/script\u003e\u003c!--\u003cscript\u003e\u2028"}`,
			"ui://decks/%3C%2Fscript%3E%22%5C/view": `{"Name":"\u003c/script\u003e\"\\","Evil":"\u003c/script\u003e\u003c!--\u003cscript\u003e\u2028"}`,
		}},
		"variables": {nil, map[string]string{"ui://decks/view": "null", "ui://decks/a/view": `{"name":"a"}`, "ui://decks/%3C%2Fscript%3E/view": `{"name":"\u003c/script\u003e"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			cs := connect(t, deckServer(bundle.TemplateHandler(fsys, "index.html", nil, test.data), mcpapps.ResourceUIMetadata{}), nil)
			before := fsys.opens.Load()
			for range 2 {
				for uri, want := range test.want {
					c, err := read(t, cs, uri)
					require.NoError(t, err)
					scripts := texts(t, c.Text, "script")
					require.Len(t, scripts, 4, c.Text)
					assert.Equal(t, want, scripts[0])
					assert.NotContains(t, c.Text, "sample")
				}
			}
			assert.EqualValues(t, 1, fsys.opens.Load()-before)
			if test.data == nil {
				return
			}
			_, err := read(t, cs, "ui://decks/gone/view")
			assert.ErrorContains(t, err, "Resource not found")
			_, err = read(t, cs, "ui://decks/broken/view")
			assert.EqualError(t, err, `calling "resources/read": reading the app "ui://decks/broken/view": the database is down`)
			_, err = read(t, cs, "ui://decks/bad/view")
			assert.EqualError(t, err, `calling "resources/read": reading the app "ui://decks/bad/view": bundle: the data of index.html: view.Data: func(): json: unsupported type: func()`)
		})
	}
}

// A page without the element says so as early as it can.
func TestTemplateHandlerErrors(t *testing.T) {
	const (
		none = `the page has no element for the data of the template: add <script type="application/json" id="data"></script> before the scripts that read it`
		two  = `the page has two elements for the data of the template: leave one <script type="application/json" id="data">`
	)
	for page, want := range map[string]string{
		"<p>": "bundle: index.html: " + none,
		"<script type=application/json id=other></script><template><script type=application/json id=data></script></template><!-- <script type=application/json id=data></script> -->": "bundle: index.html: " + none,
		"<script type=application/json id=data>{}</script>\n<script type='Application/JSON ' id=data></script>":                                                                        "bundle: index.html:2:1: " + two,
		"<iframe srcdoc='<p>'></iframe><script type=application/json id=data>{}</script>":                                                                                              "",
	} {
		cs := connect(t, deckServer(bundle.TemplateHandler(folder("index.html", page), "index.html", nil, nil), mcpapps.ResourceUIMetadata{}), nil)
		_, err := read(t, cs, "ui://decks/view")
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, `calling "resources/read": reading the app "ui://decks/view": `+want)
	}
	var log bytes.Buffer
	opts := &bundle.Options{Logger: plainlog.New(func(line string) { fmt.Fprintln(&log, line) })}
	bundle.TemplateHandler(program, "testdata/embedded/ui/index.html", opts, nil)
	assert.Contains(t, log.String(), none)
	assert.PanicsWithValue(t, "bundle.TemplateHandler: the file system is nil", func() { bundle.TemplateHandler(nil, "index.html", nil, nil) })
}

// The policy is that of the registration of the template, for the shell and for all
// others.
func TestTemplateHandlerPolicy(t *testing.T) {
	page := "<script type=application/json id=data></script><script src=https://cdn.example.com/a.js></script>"
	for _, uri := range []string{"ui://decks/view", "ui://decks/a/view"} {
		h := bundle.TemplateHandler(folder("index.html", page), "index.html", nil, nil)
		_, err := read(t, connect(t, deckServer(h, mcpapps.ResourceUIMetadata{}), nil), uri)
		assert.ErrorContains(t, err, `View.UI.CSP does not allow it: add "https://cdn.example.com" to its ResourceDomains`)
		_, err = read(t, connect(t, deckServer(h, mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ResourceDomains: []string{"https://cdn.example.com"}}}), nil), uri)
		assert.NoError(t, err)
	}
}

// Positions after the data are those of the author's files, however long the data is.
func TestTemplateSourceMap(t *testing.T) {
	if !startedWith(t, devenv.SourceMaps, "1") {
		return
	}
	cs := connect(t, deckServer(bundle.TemplateHandler(deckFiles, "ui/deck.html", nil, nil), mcpapps.ResourceUIMetadata{}), nil)
	for _, uri := range []string{"ui://decks/view", "ui://decks/" + strings.Repeat("x", 100) + "/view"} {
		c, err := read(t, cs, uri)
		require.NoError(t, err)
		m, err := sourcemap.Parse(c.Meta[devenv.MapKey])
		require.NoError(t, err)
		for mark, want := range map[string]string{"@1": "ui/deck.html:4:60", "@2": "ui/a.js:2:13", "@3": "ui/b.js:3:13"} {
			before := c.Text[:strings.Index(c.Text, `"`+mark)]
			source, line, column, ok := m.Position(strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
			assert.True(t, ok)
			assert.Equal(t, want, fmt.Sprintf("%s:%d:%d", source, line, column), mark)
		}
		var lines int
		_, err = fmt.Sscanf(c.Text[strings.Index(c.Text, ".repeat("):], ".repeat(%d)", &lines)
		require.NoError(t, err)
		source, line, column, _ := m.Position(lines+1, 13)
		assert.Equal(t, []any{"ui/c.js", 2, 13}, []any{source, line, column})
	}
}
