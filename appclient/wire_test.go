package appclient

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// wireReply is the answer of a scripted server: a raw result, or a raw error if
// Error is set, or none if both are empty.
type wireReply struct{ Result, Error string }

// wireServer connects the SDK's client to a scripted server, which can send what
// the SDK's server would not. wireServer answers initialize, with the given
// capabilities.
func wireServer(t testing.TB, capabilities string, answer func(method string, params json.RawMessage) wireReply) *mcp.ClientSession {
	t.Helper()
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	go func() {
		defer serverOut.Close()
		r := bufio.NewReader(serverIn)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var req struct {
				ID     json.RawMessage
				Method string
				Params json.RawMessage
			}
			if json.Unmarshal(line, &req) != nil || req.ID == nil {
				continue
			}
			var reply wireReply
			switch req.Method {
			case "initialize":
				reply.Result = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"raw","version":"1"},"capabilities":` + capabilities + `}`
			case "server/discover":
				reply.Error = `{"code":-32601,"message":"Method not found"}`
			default:
				reply = answer(req.Method, req.Params)
			}
			switch {
			case reply.Error != "":
				fmt.Fprintf(serverOut, `{"jsonrpc":"2.0","id":%s,"error":%s}`+"\n", req.ID, reply.Error)
			case reply.Result != "":
				fmt.Fprintf(serverOut, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, reply.Result)
			}
		}
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	cs, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		clientOut.Close()
		clientIn.Close()
		cs.Close()
	})
	return cs
}
