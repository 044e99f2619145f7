package view_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpapps-go/mcpapps/view"
)

func ExampleScript() {
	// Write the file to which another bundler resolves "mcp-app".
	dir, err := os.MkdirTemp("", "view")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "mcp-app.js"), []byte(view.Script()), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(view.Script(), " as App,"))
	// Output: true
}

func ExampleTypes() {
	// Write the text to a file among the sources of a view, such as mcp-app.d.ts.
	fmt.Println(strings.Contains(view.Types(), `declare module "mcp-app"`))
	// Output: true
}

func ExampleDataScript() {
	fmt.Println(strings.Contains(view.DataScript(), " as resultData,"))
	// Output: true
}

func ExampleDataTypes() {
	// Write the text to a file among the sources of a view, such as mcp-app-data.d.ts.
	fmt.Println(strings.Contains(view.DataTypes(), `declare module "mcp-app/data"`))
	// Output: true
}

func ExampleOpenAIScript() {
	fmt.Println(strings.Contains(view.OpenAIScript(), " as deepLink,"))
	// Output: true
}

func ExampleOpenAITypes() {
	// Write the text to a file among the sources of a view, such as mcp-app-openai.d.ts.
	fmt.Println(strings.Contains(view.OpenAITypes(), `declare module "mcp-app/openai"`))
	// Output: true
}

func ExampleReactScript() {
	fmt.Println(strings.Contains(view.ReactScript(), `from"react"`))
	// Output: true
}

func ExampleReactTypes() {
	fmt.Println(strings.Contains(view.ReactTypes(), `declare module "mcp-app/react"`))
	// Output: true
}

func ExampleData() {
	data, err := view.Data(map[string]any{"title": "</script>", "rows": []int{1, 2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(`<script type="application/json" id="data">` + data + `</script>`)
	// Output: <script type="application/json" id="data">{"rows":[1,2],"title":"\u003c/script\u003e"}</script>
}
