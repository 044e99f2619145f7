package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// png is one pixel, and wav one sample.
var (
	png = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	wav = decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==")
)

func decode(s string) []byte {
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return data
}

// manyKeywords is the input schema of the tool that shows whether the keywords of
// JSON Schema 2020-12 arrive.
var manyKeywords = json.RawMessage(`{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
		"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"}, "email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false}`)

// inHeader is the input schema of the tool whose argument clients repeat in a header.
var inHeader = json.RawMessage(`{"type": "object", "properties": {
	"region": {"type": "string", "x-mcp-header": "Region"},
	"level": {"type": "integer"}}}`)

// contentTools return what they are asked for and use no session.
func contentTools() []tool {
	embedded := func(uri string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "An embedded resource"}}
	}
	image := &mcp.ImageContent{Data: png, MIMEType: "image/png"}
	static := func(content ...mcp.Content) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		}
	}
	return []tool{
		{"test_simple_text", "Returns text", nil,
			static(&mcp.TextContent{Text: "This is a simple text response for testing."})},
		{"test_image_content", "Returns an image", nil, static(image)},
		{"test_audio_content", "Returns audio", nil, static(&mcp.AudioContent{Data: wav, MIMEType: "audio/wav"})},
		{"test_embedded_resource", "Returns a resource", nil, static(embedded("test://embedded-resource"))},
		{"test_multiple_content_types", "Returns text, an image and a resource", nil,
			static(&mcp.TextContent{Text: "Several types of content"}, image, embedded("test://mixed-content-resource"))},
		{"test_error_handling", "Returns an error", nil,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, errors.New("this tool intentionally returns an error for testing")
			}},
		{"json_schema_2020_12_tool", "Has a schema with many keywords", manyKeywords,
			func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return text("called with %s", req.Params.Arguments), nil
			}},
		{"test_x_mcp_header", "Has an argument that clients repeat in a header", inHeader,
			func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return text("called with %s", req.Params.Arguments), nil
			}},
		{"test_streaming_elicitation", "Answers a streamed call with a result and no request", nil,
			static(&mcp.TextContent{Text: "done"})},
	}
}
