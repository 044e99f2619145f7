package host

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/compat"
)

// TestCrossHostRedirectDropsHeader shows that a redirect to another host is followed
// without the Authorization header.
func TestCrossHostRedirectDropsHeader(t *testing.T) {
	got := make(chan string, 10)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		got <- "elsewhere: " + req.Header.Get("Authorization")
		http.Error(w, "no", http.StatusNotFound)
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		got <- "server: " + req.Header.Get("Authorization")
		http.Redirect(w, req, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	_, err := Connect(t.Context(), Target{URL: server.URL, Header: http.Header{"Authorization": {"Bearer secret"}}}, nil)
	assert.Error(t, err)
	assert.Equal(t, "server: Bearer secret", <-got)
	assert.Equal(t, "elsewhere: ", <-got)
}

func TestTargetKind(t *testing.T) {
	assert.Equal(t, compat.LocalServers, Target{Command: []string{"server"}}.Kind())
	assert.Equal(t, compat.Connectors, Target{URL: "http://localhost:1"}.Kind())
	assert.Empty(t, Target{Server: testServer()}.Kind())
}
