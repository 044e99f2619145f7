package pipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	_ mcp.Transport  = (*End)(nil)
	_ mcp.Connection = (*End)(nil)
)

func TestPipe(t *testing.T) {
	near, far := New()
	sent := &jsonrpc.Request{Method: "n", Params: json.RawMessage(`{"big":9007199254740993}`), Extra: "not on any wire"}
	require.NoError(t, near.Write(t.Context(), sent))
	got, err := far.Read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, &jsonrpc.Request{Method: "n", Params: sent.Params}, got)

	inner := &jsonrpc.Error{Code: -32001, Message: "inner"}
	require.NoError(t, far.Write(t.Context(), &jsonrpc.Response{Error: fmt.Errorf("outer: %w", inner)}))
	got, err = near.Read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, &jsonrpc.Error{Code: -32001, Message: "outer: " + inner.Error()}, got.(*jsonrpc.Response).Error, "as it arrives on a wire")

	require.NoError(t, near.Write(t.Context(), sent))
	require.NoError(t, near.Close())
	_, err = far.Read(t.Context())
	require.NoError(t, err, "sent before it was closed")
	_, err = far.Read(t.Context())
	assert.Equal(t, io.EOF, err)
	ended, end := context.WithCancel(t.Context())
	end()
	near, _ = New()
	_, err = near.Read(ended)
	assert.True(t, errors.Is(err, context.Canceled))
}
