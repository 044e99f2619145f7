package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pixel is a PNG of one pixel, and silence a WAV of one sample.
var (
	pixel = func() []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
			panic(err)
		}
		return b.Bytes()
	}()
	silence = []byte("RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00")
)

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
	picture := &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
	static := func(content ...mcp.Content) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		}
	}
	return []tool{
		{"test_simple_text", "Returns text", nil,
			static(&mcp.TextContent{Text: "This is a simple text response for testing."})},
		{"test_image_content", "Returns an image", nil, static(picture)},
		{"test_audio_content", "Returns audio", nil, static(&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"})},
		{"test_embedded_resource", "Returns a resource", nil, static(embedded("test://embedded-resource"))},
		{"test_multiple_content_types", "Returns text, an image and a resource", nil,
			static(&mcp.TextContent{Text: "Several types of content"}, picture, embedded("test://mixed-content-resource"))},
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
