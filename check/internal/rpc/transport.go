package rpc

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Transport connects over a transport of the SDK. ctx ends the connection as well.
func Transport(ctx context.Context, transport mcp.Transport) (Conn, error) {
	conn, err := transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	p := newPeer(
		func(m jsonrpc.Message) error { return conn.Write(ctx, m) },
		func() { conn.Close() },
	)
	go p.serve(func() (jsonrpc.Message, error) { return conn.Read(ctx) })
	return p, nil
}
