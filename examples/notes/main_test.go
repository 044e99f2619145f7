package main

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/examples/internal/exampletest"
)

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "notes.json") }

func TestHTTP(t *testing.T) {
	url, _, stop := exampletest.Start(t, run, `notes listens on (\S+)`, "-addr", "127.0.0.1:0", "-preview=false", "-file", file(t))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	require.NoError(t, err)
	assert.Regexp(t, `^4 notes\.\n`, call(t, session, "show_board", nil, nil))
	require.NoError(t, stop())
	session.Close()
}

func TestPreview(t *testing.T) {
	url, _, stop := exampletest.Start(t, run, `See it in a browser: (\S+)`, "-addr", "127.0.0.1:0", "-file", file(t))
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
	require.ErrorContains(t, run(t.Context(), []string{"-addr", taken.Addr().String(), "-file", file(t)}, io.Discard, io.Discard), "name another one with -addr")
	require.EqualError(t, run(t.Context(), []string{"8080"}, io.Discard, io.Discard), `unexpected argument "8080"`)
	require.ErrorContains(t, run(t.Context(), []string{"-as", "nobody"}, io.Discard, io.Discard), `no host "nobody" is known`)
	require.Error(t, run(t.Context(), []string{"-nonsense"}, io.Discard, io.Discard))
}
