package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/openai"
)

// connect runs a server in memory and returns a session of a client.
func connect(s *mcp.Server) *mcp.ClientSession {
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := s.Connect(ctx, serverSide, nil); err != nil {
		log.Fatal(err)
	}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	return cs
}

// printKeys prints the keys of a _meta that are OpenAI's.
func printKeys(meta mcp.Meta) {
	for _, k := range slices.Sorted(maps.Keys(meta)) {
		if strings.HasPrefix(k, "openai/") {
			value, _ := json.Marshal(meta[k])
			fmt.Println(k, string(value))
		}
	}
}

func printTools(s *mcp.Server) {
	tools, err := connect(s).ListTools(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools.Tools {
		printKeys(t.Meta)
	}
}

func printDocument(s *mcp.Server, uri string) {
	res, err := connect(s).ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		log.Fatal(err)
	}
	printKeys(res.Contents[0].Meta)
}

func showBoard(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Three notes"}}}, nil, nil
}

// A view in the sidebar.
func ExampleTool() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	view := mcpapps.View{Resource: mcp.Resource{URI: "ui://notes/board"}, Document: mcpapps.HTML("<!doctype html>…")}

	no := false
	board := openai.Tool[struct{}](&mcp.Tool{
		Name:        "notes.board",
		Title:       "Notes",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, openai.ToolUI{
		Entrypoints: []openai.Entrypoint{openai.Global(nil)},
		Invoking:    "Opening the notes",
	})
	mcpapps.RegisterApp(s, board, view, showBoard)

	printTools(s)
	// Output:
	// openai/toolInvocation/invoking "Opening the notes"
	// openai/ui {"entrypoints":[{"type":"global"}]}
}

// Files of the conversation as an argument.
func ExampleTool_files() {
	type Input struct {
		Files []openai.UploadedFile `json:"files" jsonschema:"the files to attach"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	no, yes := false, true
	mcp.AddTool(s, openai.Tool[Input](&mcp.Tool{
		Name:        "notes.attach",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &yes},
	}, openai.ToolUI{}), func(_ context.Context, _ *mcp.CallToolRequest, in Input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(len(in.Files), " files")}}}, nil, nil
	})

	printTools(s)
	// Output: openai/fileParams ["files"]
}

func ExampleGlobal() {
	err := openai.ToolUI{Entrypoints: []openai.Entrypoint{
		openai.Global(&openai.QuickAction{Title: "New note", Tool: "notes.new"}),
	}}.Validate(&mcp.Tool{Name: "notes.board"})
	fmt.Println(err)
	// Output: ToolUI.Entrypoints[0], QuickAction.Icons: it is empty: add an mcp.Icon with a Source
}

func ExampleThread() {
	yes := true
	err := openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.Thread()}}.Validate(&mcp.Tool{
		Name:        "notes.find",
		InputSchema: json.RawMessage(`{"type":"object","required":["query"]}`),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes},
	})
	fmt.Println(err)
	// Output: InputSchema: the tool is opened from a thread entrypoint, which calls it with {}, and its schema does not accept that: make all arguments optional
}

func ExampleFile() {
	type Input struct {
		File openai.OpenedFile `json:"file"`
	}
	no := false
	t := openai.Tool[Input](&mcp.Tool{
		Name:        "notes.open",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, openai.ToolUI{Entrypoints: []openai.Entrypoint{openai.File(".note", ".notes")}})
	printKeys(t.Meta)
	// Output: openai/ui {"entrypoints":[{"extensions":[".note",".notes"],"type":"file"}]}
}

func ExampleView() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	view := openai.View(mcpapps.View{
		Resource: mcp.Resource{URI: "ui://notes/board"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}},
		Document: mcpapps.HTML("<!doctype html>…"),
	}, openai.ViewUI{
		AvailableDisplayModes: []openai.DisplayMode{openai.Inline, openai.Fullscreen},
		PreferredDisplayMode:  openai.Inline,
		Description:           "Shows the user's notes",
		RedirectDomains:       []string{"https://example.com"},
	})
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "notes.board"}, view, showBoard)

	printDocument(s, "ui://notes/board")
	// Output:
	// openai/ui {"availableDisplayModes":["inline","fullscreen"],"preferredDisplayMode":"inline"}
	// openai/widgetCSP {"connect_domains":["https://api.example.com"],"redirect_domains":["https://example.com"],"resource_domains":[]}
	// openai/widgetDescription "Shows the user's notes"
}

// A declaration that comes from configuration.
func ExampleViewUI_Validate() {
	err := openai.ViewUI{PreferredDisplayMode: "pip"}.Validate()
	fmt.Println(err)
	// Output: ViewUI.PreferredDisplayMode: ChatGPT has no mode "pip": use Inline or Fullscreen, and one of AvailableDisplayModes if it has any
}

// A view of a file lists the notes in the same folder.
func ExampleFilePath() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "notes.siblings"}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		path, err := openai.FilePath(req)
		if err != nil {
			return nil, nil, err
		}
		if path == "" {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Open a file first"}}}, nil, nil
		}
		root, err := os.OpenRoot(filepath.Dir(path)) // reads nothing outside, also through links
		if err != nil {
			return nil, nil, fmt.Errorf("the folder of the file can't be read") // err has the path
		}
		defer root.Close()
		dir, err := root.Open(".")
		if err != nil {
			return nil, nil, fmt.Errorf("the folder of the file can't be read")
		}
		defer dir.Close()
		names, _ := dir.Readdirnames(100)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(len(names), " files")}}}, nil, nil
	})

	res, err := connect(s).CallTool(context.Background(), &mcp.CallToolParams{Name: "notes.siblings"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output: Open a file first
}

func ExampleRequestHints() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		text := "Hello"
		if strings.HasPrefix(openai.RequestHints(req).Locale, "nb") {
			text = "Hei"
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})

	res, err := connect(s).CallTool(context.Background(), &mcp.CallToolParams{Name: "greet", Meta: mcp.Meta{"openai/locale": "nb-NO"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output: Hei
}

func ExampleAuthRequired() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "notes.mine"}, func(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		if req.Extra == nil || req.Extra.TokenInfo == nil {
			return openai.AuthRequired("Sign in to see your notes",
				`Bearer resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource", error="invalid_token", error_description="Sign in to see your notes"`), nil, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Three notes"}}}, nil, nil
	})

	res, err := connect(s).CallTool(context.Background(), &mcp.CallToolParams{Name: "notes.mine"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.IsError, res.Meta["mcp/www_authenticate"])
	// Output: true [Bearer resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource", error="invalid_token", error_description="Sign in to see your notes"]
}

func ExampleEnableAliases() {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	mcpapps.Enable(s, nil) // options of MCP Apps come first
	openai.EnableAliases(s)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "notes.board"}, mcpapps.View{
		Resource: mcp.Resource{URI: "ui://notes/board"},
		UI:       mcpapps.ResourceUIMetadata{CSP: &mcpapps.CSP{ConnectDomains: []string{"https://api.example.com"}}},
		Document: mcpapps.HTML("<!doctype html>…"),
	}, showBoard)

	printTools(s)
	printDocument(s, "ui://notes/board")
	// Output:
	// openai/outputTemplate "ui://notes/board"
	// openai/widgetAccessible true
	// openai/widgetCSP {"connect_domains":["https://api.example.com"],"resource_domains":[]}
}
