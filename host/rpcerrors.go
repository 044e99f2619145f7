package host

import (
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// CodeDenied is the JSON-RPC error code of what the host refuses by policy: a tool
// that views may not call, a limit that was exceeded, a model context that the
// program declined. It is the implementation-defined code that the MCP Apps
// specification names for denials.
const CodeDenied = -32000

func invalidParams(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func denied(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: CodeDenied, Message: fmt.Sprintf(format, args...)}
}

// unsupported is the answer to a method for which the program has no callback.
func unsupported(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("this host does not support %s; hostCapabilities says what it does", method)}
}

// asDenied gives a callback's error the code of a denial, unless it has a code.
func asDenied(err error) error {
	var rpcErr *jsonrpc.Error
	if errors.As(err, &rpcErr) {
		return rpcErr
	}
	return denied("%v", err)
}
