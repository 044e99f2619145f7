package appclient

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func metaOf(t *testing.T, raw string) (m mcp.Meta) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(raw), &m), raw)
	return m
}

func TestDetectUI(t *testing.T) {
	embedded := func(uris ...string) []mcp.Content {
		content := []mcp.Content{&mcp.TextContent{Text: "ui://text"}, nil, &mcp.ResourceLink{URI: "ui://link"}, &mcp.EmbeddedResource{}, (*mcp.EmbeddedResource)(nil)}
		for _, uri := range uris {
			content = append(content, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, Text: "<p>"}})
		}
		return content
	}
	for _, c := range []struct {
		name, tool, result string
		content            []mcp.Content
		kind               Kind
		uri                string
	}{
		{"nothing", `{}`, `{}`, embedded(), KindNone, ""},
		{"nested", `{"ui":{"resourceUri":"ui://a"}}`, `{}`, nil, KindMCPApp, "ui://a"},
		{"flat", `{"ui/resourceUri":"ui://a"}`, `{}`, nil, KindMCPApp, "ui://a"},
		{"all three", `{"ui":{"resourceUri":"ui://a"},"openai/outputTemplate":"ui://o"}`, `{}`, embedded("ui://e"), KindMCPApp, "ui://a"},
		{"OpenAI and embedded", `{"openai/outputTemplate":"ui://o"}`, `{}`, embedded("ui://e"), KindOpenAI, "ui://o"},
		{"OpenAI beside an object without URI", `{"ui":{"visibility":["model"]},"openai/outputTemplate":"ui://o"}`, `{}`, nil, KindOpenAI, "ui://o"},
		{"embedded", `{}`, `{}`, embedded("file:///x", "ui://e", "ui://later"), KindEmbedded, "ui://e"},
		{"on the result", `{}`, `{"ui":{"resourceUri":"ui://r"}}`, nil, KindMCPApp, "ui://r"},
		{"the tool before the result", `{"ui":{"resourceUri":"ui://a"}}`, `{"ui":{"resourceUri":"ui://r"}}`, nil, KindMCPApp, "ui://a"},
		{"the result's app before the tool's template", `{"openai/outputTemplate":"ui://o"}`, `{"ui":{"resourceUri":"ui://r"}}`, nil, KindMCPApp, "ui://r"},
		{"OpenAI on the result", `{}`, `{"openai/outputTemplate":"ui://o"}`, nil, KindOpenAI, "ui://o"},
		{"bad URIs", `{"ui":{"resourceUri":"https://a"},"openai/outputTemplate":"https://o"}`, `{"openai/outputTemplate":7}`, embedded("https://e"), KindNone, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, uri := DetectUI(&mcp.Tool{Meta: metaOf(t, c.tool)}, &mcp.CallToolResult{Meta: metaOf(t, c.result), Content: c.content})
			assert.Equal(t, c.kind, kind, kind.String())
			assert.Equal(t, c.uri, uri)
		})
	}
	kind, uri := DetectUI(nil, nil)
	assert.Equal(t, KindNone, kind)
	assert.Empty(t, uri)
	kind, _ = DetectUI(nil, &mcp.CallToolResult{Content: embedded("ui://e")})
	assert.Equal(t, KindEmbedded, kind)
	kind, _ = DetectUI(&mcp.Tool{Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://a"}}}, nil)
	assert.Equal(t, KindMCPApp, kind)
	assert.Equal(t, []string{"none", "MCP App", "OpenAI Apps SDK", "embedded resource"}, []string{KindNone.String(), KindMCPApp.String(), KindOpenAI.String(), KindEmbedded.String()})
}
