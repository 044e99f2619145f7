package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionWire asks through the SDK's client and encodes what it decoded.
type sessionWire struct{ cs *mcp.ClientSession }

func (w *sessionWire) hello() *hello {
	h := &hello{method: "initialize"}
	res := w.cs.InitializeResult()
	if res == nil {
		return h
	}
	if raw, err := json.Marshal(res.Capabilities); err == nil {
		_ = json.Unmarshal(raw, &h.caps)
	}
	h.version = res.ProtocolVersion
	if res.ServerInfo != nil {
		h.server = res.ServerInfo.Name
		if v := res.ServerInfo.Version; v != "" {
			h.server += " " + v
		}
	}
	return h
}

func (w *sessionWire) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	cursor, _ := params["cursor"].(string)
	var res any
	var err error
	switch method {
	case "ping":
		err = w.cs.Ping(ctx, nil)
		if res := w.cs.InitializeResult(); res != nil && res.ProtocolVersion >= versionModern {
			err = nil // that version has no ping
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
		return nil, fmt.Errorf("no such method here: %s", method)
	}
	var rpc *jsonrpc.Error
	switch {
	case err == nil:
		return json.Marshal(res)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, errTimeout
	case errors.As(err, &rpc):
		return nil, rpc
	case errors.Is(err, mcp.ErrConnectionClosed):
		return nil, errClosed
	}
	return nil, err
}

func (w *sessionWire) notify(context.Context, string, map[string]any) error { return nil }
func (w *sessionWire) noise() []string                                      { return nil }
func (w *sessionWire) close()                                               {}
