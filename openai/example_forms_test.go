package openai_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/openai"
)

// connectForms connects a client to a server as ChatGPT would, and answers each form.
func connectForms(s *mcp.Server, t mcp.Transport, near mcp.Transport, answer func(*mcp.ElicitParams) map[string]any) *mcp.ClientSession {
	ctx := context.Background()
	if _, err := s.Connect(ctx, t, nil); err != nil {
		log.Fatal(err)
	}
	capabilities := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}}
	capabilities.AddExtension("openai/elicitation", map[string]any{"form": map[string]any{}})
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, &mcp.ClientOptions{
		Capabilities: capabilities,
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			fmt.Println("asked:", req.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: answer(req.Params)}, nil
		},
	})
	cs, err := client.Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	return cs
}

func ExampleForms_Ask() {
	type Input struct {
		Note string `json:"note"`
		To   string `json:"to,omitempty" jsonschema:"the folder; the user is asked if it is missing"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	forms := openai.NewForms(&openai.FormsOptions{Key: []byte("32 random bytes of the operator's")})

	mcp.AddTool(server, &mcp.Tool{Name: "move_note"}, func(ctx context.Context, req *mcp.CallToolRequest, in Input) (*mcp.CallToolResult, any, error) {
		if in.To == "" { // clients without forms call again with the argument
			answer, pending, err := forms.Ask(ctx, req, "to", &mcp.ElicitParams{
				Message: "Where should " + in.Note + " go?",
				RequestedSchema: map[string]any{
					"type":     "object",
					"required": []string{"to"},
					"properties": map[string]any{"to": map[string]any{
						"type": "string",
						"oneOf": []any{
							map[string]any{"const": "home", "title": "Home", "description": "12 notes"},
							map[string]any{"const": "work", "title": "Work", "description": "3 notes"},
						},
					}},
				},
			})
			if pending != nil || err != nil {
				return pending, nil, err
			}
			if answer.Action != "accept" {
				return textResult("Nothing was moved."), nil, nil
			}
			in.To = answer.Content["to"].(string)
		}
		return textResult(in.Note + " is in " + in.To + "."), nil, nil
	})

	near, far := mcp.NewInMemoryTransports()
	cs := connectForms(server, far, near, func(*mcp.ElicitParams) map[string]any { return map[string]any{"to": "home"} })
	defer cs.Close()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "move_note", Arguments: map[string]any{"note": "Groceries"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output:
	// asked: Where should Groceries go?
	// Groceries is in home.
}

func textResult(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func ExampleNewForms() {
	// All servers behind one address have the same key, from their configuration.
	forms := openai.NewForms(&openai.FormsOptions{Key: []byte("32 random bytes of the operator's")})
	fmt.Println(forms != nil)
	// Output: true
}

func ExampleSupportsForms() {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "pick"}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		if openai.SupportsForms(ctx, req) {
			return textResult("A form with pictures."), nil, nil
		}
		return textResult("A view to choose in."), nil, nil
	})
	near, far := mcp.NewInMemoryTransports()
	cs := connectForms(server, far, near, nil)
	defer cs.Close()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "pick"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	// Output: A form with pictures.
}

func ExampleLegacyForms() {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "v1.0.0"}, nil)
	near, far := mcp.NewInMemoryTransports()
	// A program on standard input and output:
	//	server.Run(ctx, openai.LegacyForms(&mcp.StdioTransport{}))
	cs := connectForms(server, openai.LegacyForms(far), near, nil)
	defer cs.Close()
	fmt.Println(cs.InitializeResult().ServerInfo.Name)
	// Output: notes
}
