package main

//lint:file-ignore SA1019 the scenarios use sampling and roots, which are deprecated

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputTools ask for input in their result, and are called again with it.
func inputTools() []tool {
	named := func(name string, call mcp.ToolHandler) tool {
		return tool{"test_input_required_result_" + name, "Asks for input in its result: " + name, nil, call}
	}
	return []tool{
		named("elicitation", askName),
		named("sampling", askModel),
		named("list_roots", askRoots),
		named("request_state", askWithState),
		named("tampered_state", askWithState),
		named("multiple_inputs", askAll),
		named("multi_round", askTwice),
		named("capabilities", askWhatIsDeclared),
	}
}

func ask(state string, inputs mcp.InputRequestMap) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: inputs, RequestState: state}
}

// form asks the user for one required field.
func form(message, field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(fmt.Sprintf(
		`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, field, kind, field))}
}

func question(text string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		MaxTokens: 100,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}
}

// field returns a field of a form that the user accepted, else nil.
func field(inputs mcp.InputResponseMap, key, name string) any {
	if res, _ := inputs[key].(*mcp.ElicitResult); res != nil && res.Action == "accept" {
		return res.Content[name]
	}
	return nil
}

// completion returns the text of a model, and whether it was asked.
func completion(inputs mcp.InputResponseMap, key string) (string, bool) {
	res, _ := inputs[key].(*mcp.CreateMessageWithToolsResult)
	if res == nil {
		return "", false
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text, true
		}
	}
	return "", true
}

func roots(inputs mcp.InputResponseMap, key string) (uris []string, ok bool) {
	res, _ := inputs[key].(*mcp.ListRootsResult)
	if res == nil {
		return nil, false
	}
	for _, r := range res.Roots {
		uris = append(uris, r.URI)
	}
	return uris, true
}

func askName(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name, _ := field(req.Params.InputResponses, "user_name", "name").(string); name != "" {
		return text("Hello, %s!", name), nil
	}
	return ask("", mcp.InputRequestMap{"user_name": form("What is your name?", "name", "string")}), nil
}

func askModel(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if answer, ok := completion(req.Params.InputResponses, "capital_question"); ok {
		return text("LLM response: %s", answer), nil
	}
	return ask("", mcp.InputRequestMap{"capital_question": question("What is the capital of France?")}), nil
}

func askRoots(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if uris, ok := roots(req.Params.InputResponses, "client_roots"); ok {
		return text("%d roots: %s", len(uris), strings.Join(uris, ", ")), nil
	}
	return ask("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}), nil
}

func askWithState(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState != "" {
		if _, err := open(req.Params.RequestState); err != nil {
			return nil, err
		}
		if field(req.Params.InputResponses, "confirm", "ok") != nil {
			return text("state-ok"), nil
		}
	}
	return ask(seal("confirm"), mcp.InputRequestMap{"confirm": form("Please confirm", "ok", "boolean")}), nil
}

func askAll(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	inputs := req.Params.InputResponses
	name, _ := field(inputs, "user_name", "name").(string)
	greeting, greeted := completion(inputs, "greeting")
	uris, listed := roots(inputs, "client_roots")
	if name != "" && greeted && listed {
		return text("%s, %s, with %d roots", greeting, name, len(uris)), nil
	}
	return ask(seal("all"), mcp.InputRequestMap{
		"user_name":    form("What is your name?", "name", "string"),
		"greeting":     question("Generate a greeting"),
		"client_roots": &mcp.ListRootsParams{},
	}), nil
}

func askTwice(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState == "" {
		return ask(seal("1"), mcp.InputRequestMap{"step1": form("Step 1: What is your name?", "name", "string")}), nil
	}
	state, err := open(req.Params.RequestState)
	if err != nil {
		return nil, err
	}
	if state == "1" {
		name := field(req.Params.InputResponses, "step1", "name")
		return ask(seal(fmt.Sprintf("2 %v", name)),
			mcp.InputRequestMap{"step2": form("Step 2: What is your favorite color?", "color", "string")}), nil
	}
	return text("%s likes %v", strings.TrimPrefix(state, "2 "), field(req.Params.InputResponses, "step2", "color")), nil
}

func askWhatIsDeclared(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return text("done"), nil
	}
	inputs := make(mcp.InputRequestMap)
	if caps := req.ClientCapabilities(); caps != nil {
		if caps.Elicitation != nil {
			inputs["user_name"] = form("What is your name?", "name", "string")
		}
		if caps.Sampling != nil {
			inputs["greeting"] = question("Generate a greeting")
		}
		if caps.RootsV2 != nil {
			inputs["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(inputs) == 0 {
		return text("The client declares nothing to ask it for."), nil
	}
	return ask("", inputs), nil
}

var stateKey = func() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
}()

// seal signs a state, which the client returns and could change.
func seal(state string) string {
	mac := hmac.New(sha256.New, stateKey)
	mac.Write([]byte(state))
	return hex.EncodeToString(mac.Sum(nil)) + " " + state
}

func open(sealed string) (string, error) {
	_, state, _ := strings.Cut(sealed, " ")
	if !hmac.Equal([]byte(seal(state)), []byte(sealed)) {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the request state was changed"}
	}
	return state, nil
}
