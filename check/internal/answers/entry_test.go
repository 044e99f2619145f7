package answers

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// TestOpened: a view that only users open, from ChatGPT's sidebar for example, is opened
// like one that the model opens, if the call needs no argument.
func TestOpened(t *testing.T) {
	for meta, want := range map[string]bool{
		`{"ui":{"resourceUri":"ui://a/b"}}`:                      true,
		`{"ui":{"resourceUri":"ui://a/b","visibility":["app"]}}`: false,
		`{"ui":{"resourceUri":"ui://a/b","visibility":["app"]},"openai/ui":{"entrypoints":[{"type":"file","extensions":[".a"]},{"type":"global"}]}}`: true,
		`{"ui":{"resourceUri":"ui://a/b","visibility":["app"]},"openai/ui":{"entrypoints":[{"type":"file","extensions":[".a"]}]}}`:                   false,
		`{"ui":{"resourceUri":"ui://a/b","visibility":["app"]},"openai/ui":[]}`:                                                                      false,
	} {
		tool, err := ParseTool(json.RawMessage(`{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":` + meta + `}`))
		require.NoError(t, err)
		assert.Equal(t, want, tool.Opened(), meta)
		_, called := unasked.New(nil, true).Arguments(tool.ForPolicy())
		assert.Equal(t, want, called, meta)
	}
}
