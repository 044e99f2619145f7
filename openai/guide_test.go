package openai

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
)

// The schema of a form in docs/chatgpt.md is one that clients draw.
func TestGuideForm(t *testing.T) {
	text, err := os.ReadFile("../docs/chatgpt.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		schema, err := jsonvalue.Decode(block[1])
		require.NoError(t, err)
		assert.Empty(t, openairules.Form(schema))
	}
}
