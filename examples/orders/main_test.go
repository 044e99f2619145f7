package main

import (
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/examples/internal/exampletest"
)

func TestHTTP(t *testing.T) {
	url, _, stop := exampletest.Start(t, run, `orders listens on (\S+)`, "-addr", "127.0.0.1:0", "-preview=false")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	require.NoError(t, err)
	assert.Regexp(t, `^Found 100,000 orders\.`, call(t, session, "show_orders", nil).Content[0].Text)
	require.NoError(t, stop())
	session.Close()
}

func TestPreview(t *testing.T) {
	url, _, stop := exampletest.Start(t, run, `See it in a browser: (\S+)`, "-addr", "127.0.0.1:0")
	res, err := http.Get(url)
	require.NoError(t, err)
	defer res.Body.Close()
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
	require.NoError(t, stop())
}

func TestMistakes(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	require.ErrorContains(t, run(t.Context(), []string{"-addr", taken.Addr().String()}, io.Discard, io.Discard), "name another one with -addr")
	require.EqualError(t, run(t.Context(), []string{"8080"}, io.Discard, io.Discard), `unexpected argument "8080"`)
	require.Error(t, run(t.Context(), []string{"-nonsense"}, io.Discard, io.Discard))
}
