package main

//lint:file-ignore SA1019 the scenarios use logging and sampling, which are deprecated

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pause is between two notifications, as the scenarios ask.
const pause = 50 * time.Millisecond

// sessionTools notify the client or ask it something during the call.
func sessionTools() []tool {
	return []tool{
		{"test_tool_with_logging", "Logs three messages", nil, logThrice},
		{"test_logging_tool", "Logs a message, which reaches only clients that asked for it", nil, logOnce},
		{"test_tool_with_progress", "Reports progress", nil, reportProgress},
		{"test_sampling", "Asks the client's model", nil, sample},
		{"test_missing_capability", "Needs a client with sampling", nil, needSampling},
		{"test_elicitation", "Asks the user", nil, elicit(`{"type":"object","properties":{
			"username":{"type":"string"},"email":{"type":"string"}},"required":["username","email"]}`)},
		{"test_elicitation_sep1034_defaults", "Asks the user, with defaults", nil, elicit(`{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},
			"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}}}`)},
		{"test_elicitation_sep1330_enums", "Asks the user to choose", nil, elicit(`{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[
				{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["One","Two","Three"]},
			"untitledMulti":{"type":"array","minItems":1,"maxItems":3,
				"items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":[
				{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]}}}}`)},
		{"test_reconnection", "Ends the response stream before the result", nil, reconnect},
	}
}

func log(ctx context.Context, req *mcp.CallToolRequest, message string) {
	_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: message})
}

func logThrice(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	log(ctx, req, "Tool execution started")
	time.Sleep(pause)
	log(ctx, req, "Tool processing data")
	time.Sleep(pause)
	log(ctx, req, "Tool execution completed")
	return text("logged"), nil
}

func logOnce(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	log(ctx, req, "Tool executed")
	return text("logged"), nil
}

func reportProgress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100})
		}
		time.Sleep(pause)
	}
	return text("done"), nil
}

// arguments are those of sample and elicit.
type arguments struct{ Prompt, Message string }

func argumentsOf(req *mcp.CallToolRequest) (a arguments, err error) {
	if len(req.Params.Arguments) > 0 {
		err = json.Unmarshal(req.Params.Arguments, &a)
	}
	return a, err
}

func sample(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, err := argumentsOf(req)
	if err != nil {
		return nil, err
	}
	res, err := req.Session.CreateMessage(ctx, question(args.Prompt))
	if err != nil {
		return nil, err
	}
	answer, _ := res.Content.(*mcp.TextContent)
	if answer == nil {
		return text("LLM response without text"), nil
	}
	return text("LLM response: %s", answer.Text), nil
}

func elicit(schema string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := argumentsOf(req)
		if err != nil {
			return nil, err
		}
		if args.Message == "" {
			args.Message = "Please fill in the form"
		}
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: args.Message, RequestedSchema: json.RawMessage(schema)})
		if err != nil {
			return nil, err
		}
		return text("User response: action=%s, content=%v", res.Action, res.Content), nil
	}
}

func needSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
		return text("The client has sampling."), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client has no sampling", Data: data}
}

func reconnect(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	}
	time.Sleep(2 * pause) // the client reconnects meanwhile
	return text("The client has reconnected."), nil
}

// changeTools change the lists of the server.
func changeTools(s *mcp.Server, add func(*mcp.Server, tool)) []tool {
	return []tool{
		{"test_trigger_tool_change", "Changes the list of tools", nil,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				add(s, tool{"added_later", "Added during a call", nil, logOnce})
				return text("changed"), nil
			}},
		{"test_trigger_prompt_change", "Changes the list of prompts", nil,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				s.AddPrompt(&mcp.Prompt{Name: "added_later", Description: "Added during a call"}, prompt("added"))
				return text("changed"), nil
			}},
	}
}
