package openai_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// maxSize bounds what all of the package adds to a program, in bytes, without symbols. It
// was 508 kB.
const maxSize = 600_000

// A program that serves an app and a form, to which the other one adds all of the package.
const (
	sizePlain = `package main

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct{ Note string }

func show(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
	return nil, nil, nil
}

var _ = jsonschema.Ptr[int]

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	view := mcpapps.View{Resource: mcp.Resource{URI: "ui://notes", Name: "notes"}, Document: mcpapps.HTML("<!doctype html><title>Notes</title>")}
	tool := &mcp.Tool{Name: "notes"}
	/*0*/
	mcpapps.RegisterApp(s, tool, view, show)
	var t mcp.Transport = &mcp.StdioTransport{}
	/*1*/
	s.Run(context.Background(), t)
}
`
	sizeDeclared = `
	tool = openai.Tool[input](tool, openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.Global(nil), openai.Thread(), openai.File(".note")}})
	view = openai.View(view, openai.ViewUI{Description: "notes"})
	openai.EnableAliases(s)
	type settings struct{ Dark bool }
	openai.RegisterSettings(s, openai.Settings[settings]{
		Fields: map[string]*jsonschema.Schema{"Dark": {Title: "Dark"}},
		Read:   func(context.Context, *mcp.CallToolRequest) (v settings, err error) { return },
		Update: func(context.Context, *mcp.CallToolRequest, json.RawMessage) (v settings, err error) { return },
	})
	openai.RegisterMentions(s, nil, func(context.Context, *mcp.CallToolRequest, string) ([]*mcp.ResourceLink, error) { return nil, nil })
	forms := openai.NewForms(nil)
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, in struct{ openai.OpenedFile }) (*mcp.CallToolResult, any, error) {
		if path, err := openai.FilePath(req); err != nil || openai.RequestHints(req).Locale != path || !openai.SupportsForms(ctx, req) {
			return openai.AuthRequired("a", "b"), nil, err
		}
		_, pending, err := forms.Ask(ctx, req, "a", &mcp.ElicitParams{Message: "a", RequestedSchema: map[string]any{}})
		return pending, nil, err
	})
`
)

// TestCostSize builds a program that uses all of the package, and the same one without it.
func TestCostSize(t *testing.T) {
	testenv.Measure(t) // with the race detector programs are larger
	declared := strings.NewReplacer("/*0*/", sizeDeclared, "/*1*/", "t = openai.LegacyForms(t)",
		`"context"`, "\"context\"\n\t\"encoding/json\"", `"github.com/mcpapps-go/mcpapps"`, "\"github.com/mcpapps-go/mcpapps\"\n\t\"github.com/mcpapps-go/mcpapps/openai\"").Replace(sizePlain)
	without, with := programSize(t, sizePlain), programSize(t, declared)
	t.Logf("%d bytes without the package, and %d more with it", without, with-without)
	assert.Less(t, with-without, int64(maxSize))
	assert.Greater(t, with-without, int64(50_000), "what is built has the package")
}

// programSize returns the size of a program outside of this module.
func programSize(t *testing.T, source string) int64 {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	mod := regexp.MustCompile(`(?s)ignore \(.*?\)\n`).ReplaceAllString(string(gomod), "")
	mod = strings.Replace(mod, "module github.com/mcpapps-go/mcpapps", "module example.com/size", 1) +
		"\nrequire github.com/mcpapps-go/mcpapps v0.0.0\nreplace github.com/mcpapps-go/mcpapps => " + root + "\n"
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": mod, "go.sum": string(gosum), "main.go": source} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
	name := "program"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-mod=mod", "-ldflags=-s -w", "-o", name, ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	info, err := os.Stat(filepath.Join(dir, name))
	require.NoError(t, err)
	return info.Size()
}
