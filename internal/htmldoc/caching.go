package htmldoc

import (
	"time"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TTL is how long a client may keep an unchanging document: until the next build of
// the server, which nobody announces, may be shown this much later.
const TTL = time.Hour

// Private is the cacheScope of a result that only the client that asked may keep.
const Private = "private"

// firstWithCaching is the first protocol version whose results have ttlMs and
// cacheScope.
const firstWithCaching = "2026-07-28"

// HasCaching reports whether a request is of a protocol version whose results say how
// long they may be kept.
func HasCaching(req *mcp.ReadResourceRequest) bool {
	if req == nil || req.Params == nil {
		return false
	}
	version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= firstWithCaching
}

// caching returns how long a document may be kept and by whom. The zero value leaves it
// to the SDK: no time, by anybody.
func caching(req *mcp.ReadResourceRequest, kind Kind) mcp.Cacheable {
	if !HasCaching(req) {
		return mcp.Cacheable{}
	}
	var c mcp.Cacheable
	switch kind {
	case PerRead:
		c.CacheScope = Private
	case Unchanging:
		if devenv.SourcesGiven() || devenv.SourceMapsEnabled() {
			break // the preview's, which starts the next build at any time
		}
		c.TTLMs = int(TTL.Milliseconds())
		if req.Extra != nil && req.Extra.TokenInfo != nil {
			// As in HTTP: what was read with a token is not for caches that others
			// share (RFC 9111, section 3.5).
			c.CacheScope = Private
		}
	}
	return c
}
