package openai

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// LegacyForms returns a server's transport through which [Forms.Ask] reaches clients of
// protocol versions before 2026-07-28 with the fields of OpenAI's extension. Such clients
// take a request of the extension's own, openai/elicitation/create, which the SDK does not
// send. It is for transports on which the server connects once, as on standard input and
// output: over HTTP there is no place for it, and servers that are registered with OpenAI
// use the newer version. Without it these clients get what others without the extension get.
func LegacyForms(t mcp.Transport) mcp.Transport { return legacyTransport{t} }

// legacyFormsMark is true in the _meta of an initialize request that came through
// LegacyForms. It is random and never leaves the process, so that no client can send it.
var legacyFormsMark = "mcpapps/legacyForms/" + rand.Text()

type legacyTransport struct{ mcp.Transport }

func (t legacyTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return legacyConnection{c}, nil
}

type legacyConnection struct{ mcp.Connection }

// Read marks initialize requests.
func (c legacyConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if req, ok := m.(*jsonrpc.Request); ok && err == nil && req.Method == "initialize" {
		return withMethod(req, req.Method, func(params, meta rawObject) bool {
			meta[legacyFormsMark] = json.RawMessage("true")
			return true
		}), nil
	}
	return m, err
}

// Write turns an elicitation with the extension's schema into the extension's request.
func (c legacyConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if req, ok := m.(*jsonrpc.Request); ok && req.Method == "elicitation/create" {
		m = withMethod(req, "openai/elicitation/create", func(params, meta rawObject) bool {
			var extension rawObject
			if json.Unmarshal(meta[metakey.OpenAIElicitation], &extension) != nil || extension["requestedSchema"] == nil {
				return false
			}
			params["requestedSchema"] = extension["requestedSchema"]
			delete(meta, metakey.OpenAIElicitation)
			return true
		})
	}
	return c.Connection.Write(ctx, m)
}

type rawObject = map[string]json.RawMessage

// withMethod returns a copy of a request with another method and with changed params, or the
// request itself if change returns false or its params are not an object.
func withMethod(req *jsonrpc.Request, method string, change func(params, meta rawObject) bool) *jsonrpc.Request {
	var params, meta rawObject
	if json.Unmarshal(req.Params, &params) != nil || params == nil {
		return req
	}
	if raw, ok := params["_meta"]; ok && json.Unmarshal(raw, &meta) != nil {
		return req
	}
	if meta == nil {
		meta = make(rawObject)
	}
	if !change(params, meta) {
		return req
	}
	delete(params, "_meta")
	if len(meta) > 0 {
		raw, err := json.Marshal(meta)
		if err != nil {
			return req
		}
		params["_meta"] = raw
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return req
	}
	c := *req
	c.Method, c.Params = method, raw
	return &c
}
