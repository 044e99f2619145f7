package mcpapps

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHandshakesGoWithTheirSessions(t *testing.T) {
	count := func() (n int) {
		handshakes.Range(func(any, any) bool { n++; return true })
		return n
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	Enable(s, nil)
	before := count()
	for range 20 {
		ct, st := mcp.NewInMemoryTransports()
		ss, err := s.Connect(t.Context(), st, nil)
		require.NoError(t, err)
		conn, err := ct.Connect(t.Context())
		require.NoError(t, err)
		m, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`))
		require.NoError(t, err)
		require.NoError(t, conn.Write(context.Background(), m))
		_, err = conn.Read(t.Context())
		require.NoError(t, err)
		assert.True(t, wasInitialized(ss))
		require.NoError(t, conn.Close())
		require.NoError(t, ss.Wait())
	}
	assert.Eventually(t, func() bool { runtime.GC(); return count() <= before+1 }, time.Minute, 10*time.Millisecond)
}
