package main

import (
	"context"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// options are those of both ways to connect.
type options struct {
	client *mcp.ClientOptions
	oauth  auth.OAuthHandler
}

// A peer is a connection to the server of a scenario.
type peer interface {
	tools(context.Context) ([]*mcp.Tool, error)
	call(ctx context.Context, tool string, args map[string]any) error
	session() *mcp.ClientSession
	close()
}

var info = &mcp.Implementation{Name: "conformance", Version: "1.0.0"}

func (o options) transport(url string) *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{Endpoint: url, OAuthHandler: o.oauth}
}

// throughHost is a connection through package host.
type throughHost struct{ c *host.Connection }

func connectHost(ctx context.Context, url string, o options) (peer, error) {
	target := host.Target{Transport: func(context.Context) (mcp.Transport, error) { return o.transport(url), nil }}
	c, err := host.Connect(ctx, target, &host.ConnectOptions{ClientInfo: info, Client: o.client})
	if err != nil {
		return nil, err
	}
	return throughHost{c}, nil
}

func (p throughHost) tools(ctx context.Context) (tools []*mcp.Tool, err error) {
	list, err := p.c.Tools(ctx)
	for _, t := range list {
		tools = append(tools, t.Tool)
	}
	return tools, err
}

func (p throughHost) call(ctx context.Context, tool string, args map[string]any) error {
	_, err := p.c.Call(ctx, tool, args)
	return err
}

func (p throughHost) session() *mcp.ClientSession { return p.c.Session() }
func (p throughHost) close()                      { _ = p.c.Close() }

// throughSDK is a connection through the SDK alone.
type throughSDK struct{ s *mcp.ClientSession }

func connectBare(ctx context.Context, url string, o options) (peer, error) {
	s, err := mcp.NewClient(info, o.client).Connect(ctx, o.transport(url), nil)
	if err != nil {
		return nil, err
	}
	return throughSDK{s}, nil
}

func (p throughSDK) tools(ctx context.Context) ([]*mcp.Tool, error) {
	res, err := p.s.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	return res.Tools, nil
}

func (p throughSDK) call(ctx context.Context, tool string, args map[string]any) error {
	if args == nil {
		args = map[string]any{} // the SDK would send null
	}
	_, err := p.s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	return err
}

func (p throughSDK) session() *mcp.ClientSession { return p.s }
func (p throughSDK) close()                      { _ = p.s.Close() }
