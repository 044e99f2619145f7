package check

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// TestSourceMapIsNoFinding shows that what this module's bundler tells a check or a
// preview in a content item's metadata is not the author's.
func TestSourceMapIsNoFinding(t *testing.T) {
	patch, err := json.Marshal(map[string]any{"documents": map[string]any{exampleURI: map[string]any{
		"_meta": map[string]any{devenv.MapKey: map[string]any{"version": 3, "sections": []any{}}},
	}}})
	require.NoError(t, err)
	assert.Empty(t, checkFake(t, nil, true, newFake(t, string(patch))).Findings)
}
