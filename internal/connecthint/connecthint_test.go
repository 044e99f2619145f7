package connecthint_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/connecthint"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
)

// TestForNetwork pins the words of the errors that Go and the system make.
func TestForNetwork(t *testing.T) {
	open := httptest.NewServer(nil)
	defer open.Close()
	for url, want := range map[string]string{
		testenv.NobodyListens:                           "nothing listens there: is the server running?",
		strings.Replace(open.URL, "http:", "https:", 1): "begin the URL with http://",
		"http://host.invalid/":                          "is the host's name written correctly?",
		"http://localhost:99999/":                       "",
	} {
		_, err := http.Get(url)
		require.Error(t, err, url)
		if strings.Contains(err.Error(), "server misbehaving") {
			continue // no name server here
		}
		assert.Equal(t, want, connecthint.ForNetwork(err), "%v", err)
	}
}

func TestForStatus(t *testing.T) {
	assert.Equal(t, "the server wants an authorization: give it as an HTTP header", connecthint.ForStatus(401))
	assert.Equal(t, "there is no MCP endpoint: many servers have theirs at /mcp", connecthint.ForStatus(501))
	assert.Empty(t, connecthint.ForStatus(500))
}
