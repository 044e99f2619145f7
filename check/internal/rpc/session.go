package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Session sends requests through a session of the SDK, and encodes the results that
// the SDK decoded. It also returns the Hello of the session.
func Session(cs *mcp.ClientSession) (Conn, *Hello) {
	c := &sessionConn{cs}
	return c, c.hello()
}

type sessionConn struct{ cs *mcp.ClientSession }

func (w *sessionConn) hello() *Hello {
	h := &Hello{Method: "initialize"}
	res := w.cs.InitializeResult()
	if res == nil {
		return h
	}
	if raw, err := json.Marshal(res.Capabilities); err == nil {
		_ = json.Unmarshal(raw, &h.Capabilities)
	}
	h.Version = res.ProtocolVersion
	if res.ServerInfo != nil {
		h.Server = res.ServerInfo.Name
		if v := res.ServerInfo.Version; v != "" {
			h.Server += " " + v
		}
	}
	return h
}

// Call implements Conn.
func (w *sessionConn) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	cursor, _ := params["cursor"].(string)
	var res any
	var err error
	switch method {
	case "ping":
		err = w.cs.Ping(ctx, nil)
		if res := w.cs.InitializeResult(); res != nil && res.ProtocolVersion >= NewestVersion {
			err = nil // this version has no ping
		}
		res = struct{}{}
	case "tools/list":
		res, err = w.cs.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	case "resources/list":
		res, err = w.cs.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
	case "resources/read":
		uri, _ := params["uri"].(string)
		res, err = w.cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	case "tools/call":
		name, _ := params["name"].(string)
		res, err = w.cs.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: params["arguments"]})
	default:
		return nil, fmt.Errorf("a session does not send %s", method)
	}
	var rpc *jsonrpc.Error
	switch {
	case err == nil:
		return json.Marshal(res)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, ErrTimeout
	case errors.As(err, &rpc):
		return nil, rpc
	case errors.Is(err, mcp.ErrConnectionClosed):
		return nil, ErrClosed
	}
	return nil, err
}

// Notify implements Conn. It sends nothing: the SDK has opened the session.
func (w *sessionConn) Notify(context.Context, string, map[string]any) error { return nil }

// StrayLines implements Conn.
func (w *sessionConn) StrayLines() []string { return nil }

// Close implements Conn. The session is the caller's, and stays open.
func (w *sessionConn) Close() {}
