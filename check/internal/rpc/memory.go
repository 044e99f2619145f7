package rpc

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/pipe"
)

// handlerGrace is how long Close waits for the handlers of a server in this process.
// They may ignore their context.
const handlerGrace = time.Second

// Memory connects to a server in this process.
func Memory(ctx context.Context, s *mcp.Server) (Conn, error) {
	near, far := pipe.New()
	session, err := s.Connect(ctx, far, nil)
	if err != nil {
		return nil, err
	}
	p := newPeer(
		func(m jsonrpc.Message) error { return near.Write(context.Background(), m) },
		func() {
			_ = near.Close()
			ended := make(chan struct{})
			go func() { _ = session.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(handlerGrace):
			}
		},
	)
	go p.serve(func() (jsonrpc.Message, error) { return near.Read(context.Background()) })
	return p, nil
}
