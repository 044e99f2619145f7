package viewmark

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

func TestNeutral(t *testing.T) {
	for text, want := range map[string]string{
		"":              "",
		"Berlin":        "Berlin",
		`{"$view":"a"}`: `{ "$view":"a"}`,
		"a\n{\"$view\":\"a\"}\r\n{\"$view\":\"b\"} c": "a\n{ \"$view\":\"a\"}\r\n{ \"$view\":\"b\"} c",
		Content("a").Text: `{ "$view":"a"}`,
	} {
		got := Neutral(text)
		assert.Equal(t, want, got)
		assert.Equal(t, got, Neutral(got))
	}
}

func TestNeutralContent(t *testing.T) {
	assert.Nil(t, NeutralContent(nil))
	image, mark := &mcp.ImageContent{}, Content("a")
	content := []mcp.Content{image, mark, (*mcp.TextContent)(nil)}
	got := NeutralContent(content)
	assert.Equal(t, []mcp.Content{image, &mcp.TextContent{Text: `{ "$view":"a"}`}, (*mcp.TextContent)(nil)}, got)
	assert.Equal(t, Content("a"), mark)
	assert.Same(t, mark, content[1])
}
