// Command viewgen makes the minified modules of package view from the sources in view/src,
// and the one of the preview's page, which loads faster than its 38 sources, from
// preview/page. Run it with "go generate ./view ./preview" after a change there.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// modules names, for each file that is made, the source that it is made from
// and the imports that stay in it.
var modules = []struct {
	file, entry string
	external    []string
}{
	{"view/mcp-app.min.js", "view/src/index.js", nil},
	{"view/mcp-app-data.min.js", "view/src/data/index.js", nil},
	{"view/mcp-app-openai.min.js", "view/src/openai/index.js", nil},
	{"view/mcp-app-react.min.js", "view/src/react.js", []string{"mcp-app", "react"}},
	{"preview/page.min.js", "preview/page/app.js", nil},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: viewgen DIR, the folder of the module")
	}
	files, err := build(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// build returns the made files by name.
func build(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, m := range modules {
		r := api.Build(api.BuildOptions{
			AbsWorkingDir:     dir,
			EntryPoints:       []string{m.entry},
			External:          m.external,
			Bundle:            true,
			Format:            api.FormatESModule,
			Target:            api.ES2022, // class static blocks, private fields
			MinifyWhitespace:  true,
			MinifyIdentifiers: true,
			MinifySyntax:      true,
			Charset:           api.CharsetASCII, // so that the document's encoding does not matter
			LegalComments:     api.LegalCommentsNone,
		})
		for _, msg := range append(r.Errors, r.Warnings...) {
			return nil, fmt.Errorf("%s: %s", m.entry, api.FormatMessages([]api.Message{msg}, api.FormatMessagesOptions{})[0])
		}
		files[m.file] = r.OutputFiles[0].Contents
	}
	return files, nil
}
