package mcpapps

import (
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handshakes holds the sessions that an initialize request opened although it
// asked for a version which has none. The server answers those with an older
// version, and the client's capabilities then hold for the session; but the SDK
// keeps the version that was asked for, which is also what it keeps for sessions
// of that version, and there the capabilities are of one request only.
var handshakes sync.Map // weak.Pointer[mcp.ServerSession] -> nothing

func rememberHandshake(req mcp.Request) {
	r, ok := req.(*mcp.ServerRequest[*mcp.InitializeParams])
	if !ok || r == nil || r.Session == nil || r.Params == nil || r.Params.ProtocolVersion < firstPerRequest {
		return
	}
	key := weak.Make(r.Session)
	if _, loaded := handshakes.LoadOrStore(key, nil); !loaded {
		runtime.AddCleanup(r.Session, func(key weak.Pointer[mcp.ServerSession]) { handshakes.Delete(key) }, key)
	}
}

func shookHands(ss *mcp.ServerSession) bool {
	_, ok := handshakes.Load(weak.Make(ss))
	return ok
}
