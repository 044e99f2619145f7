package preview

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The preview gives views the paths that deepLink of "mcp-app/openai" accepts, and no
// others.
func TestDeepLinks(t *testing.T) {
	data, err := os.ReadFile("../internal/e2e/view/testdata/deeplinks.json")
	require.NoError(t, err)
	var paths struct{ Accepted, Rejected []string }
	require.NoError(t, json.Unmarshal(data, &paths))
	assert.NotEmpty(t, paths.Accepted)
	assert.NotEmpty(t, paths.Rejected)
	for _, path := range paths.Accepted {
		assert.NoError(t, checkLink(path))
	}
	for _, path := range paths.Rejected {
		assert.Error(t, checkLink(path), path)
	}
}
