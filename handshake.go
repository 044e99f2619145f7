package mcpapps

import (
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handshakes holds the sessions that were opened by an initialize request for a
// protocol version that has no such request. The server answers with an older
// version, and the client's capabilities then hold for the session. But the SDK
// records the requested version, so these sessions look like those of the new
// version, in which capabilities hold for one request only.
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

func wasInitialized(ss *mcp.ServerSession) bool {
	_, ok := handshakes.Load(weak.Make(ss))
	return ok
}
