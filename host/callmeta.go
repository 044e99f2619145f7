package host

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type callMetaKey struct{}

// WithCallMeta returns a context in which [Connection.Call] and [Connection.Open] send
// meta as the _meta of their tool call, such as the hints that a host gives servers about
// its user. It replaces what the context had before. The map is copied, without the keys
// that the protocol reserves and the progressToken, which the connection sets. The calls
// of the view do not have it: [BridgeOptions.Forward] sets theirs.
func WithCallMeta(ctx context.Context, meta mcp.Meta) context.Context {
	own := make(mcp.Meta, len(meta))
	for k, v := range meta {
		if k != "progressToken" && !reservedMeta(k) {
			own[k] = v
		}
	}
	return context.WithValue(ctx, callMetaKey{}, own)
}

// callMeta returns the _meta of a call in this context with a progress token, if that is
// not "". It is nil if both are empty.
func callMeta(ctx context.Context, token string) mcp.Meta {
	given, _ := ctx.Value(callMetaKey{}).(mcp.Meta)
	if len(given) == 0 && token == "" {
		return nil
	}
	meta := make(mcp.Meta, len(given)+1)
	for k, v := range given {
		meta[k] = v
	}
	if token != "" {
		meta["progressToken"] = token
	}
	return meta
}
