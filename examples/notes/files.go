package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/openai"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FileInput is what ChatGPT calls a tool with that opens files.
type FileInput struct {
	File openai.OpenedFile `json:"file"`
}

// Siblings are the .note files in the folder of the one that is open.
type Siblings struct {
	Files []Sibling `json:"files"`
}

// A Sibling is one of them.
type Sibling struct {
	Name  string `json:"name"`
	Title string `json:"title" jsonschema:"its first line"`
}

const maxSiblings = 50

// addFiles adds the view of .note files. It reads and saves the file through the host, so
// the server never has it.
func addFiles(server *mcp.Server, local bool) {
	view := openai.View(mcpapps.View{
		Resource: mcp.Resource{URI: "ui://notes/file.html", Name: "file", Title: "Note file"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{}},
		Document: bundle.Handler(files, "ui/file.html", nil),
	}, openai.ViewUI{Description: "A .note file."})
	mcpapps.RegisterApp(server, openai.Tool[FileInput](&mcp.Tool{
		Name:        "open_note_file",
		Title:       "Note file",
		Description: "Opens a .note file.",
		Icons:       icons,
		Annotations: annotations(true, false),
	}, openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.File(".note")}, MonochromeIcon: true}), view,
		func(_ context.Context, _ *mcp.CallToolRequest, in FileInput) (*mcp.CallToolResult, any, error) {
			return text("%q is open.", in.File.Name), nil, nil
		})
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "list_siblings",
		Title:       "List note files",
		Description: "Returns the .note files in the folder of the one that is open.",
		Annotations: annotations(true, false),
	}, mcpapps.AppOnly(""), func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, Siblings, error) {
		path, err := openai.FilePath(req)
		if path == "" || err != nil || !local {
			return nil, Siblings{Files: []Sibling{}}, err
		}
		found, err := siblings(path)
		return nil, Siblings{Files: found}, err
	})
}

// siblings returns the note files beside the one at path. Whatever links it leads through,
// it reads nothing outside of the folder that path is in, and no error names the path.
func siblings(path string) ([]Sibling, error) {
	errFolder := errors.New("the folder of this file can't be read")
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, errFolder
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, errFolder
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, errFolder
	}
	list := []Sibling{}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".note" || e.Name() == filepath.Base(path) || len(list) == maxSiblings {
			continue
		}
		// Stat and Open refuse links that lead out of the folder.
		if info, err := root.Stat(e.Name()); err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := root.Open(e.Name())
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(io.LimitReader(file, 1<<10))
		lines.Scan()
		list = append(list, Sibling{Name: e.Name(), Title: lines.Text()})
		file.Close()
	}
	return list, nil
}
