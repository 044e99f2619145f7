package compat

import (
	"context"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// KeepViews returns a receiving middleware for servers that shape lists or texts for
// clients without UI, with StripUIForText or OmitAppToolsForText of [mcpapps.Options] for
// example. Some hosts show apps and declare nothing, or list first with a client that
// declares nothing and keep that list for the others. Behind this middleware, a client
// that declares no UI and has the name of a host that shows apps is
// [mcpapps.SupportUnknown]: it gets the whole list, and the full text. The support of all
// other clients stays: of those that declare UI, that send another name or none, or whose
// capabilities are not known.
//
// A client may send any name, and a name may be shared by a client with views and one
// without. The second then gets a list that is longer than it needs.
//
// Add it after the first call of package mcpapps on the server, Enable for example, so
// that it runs before the code that shapes lists. Added before, it has no effect on
// lists, and nothing reports that. A middleware that decides by
// [mcpapps.WithClientSupport] is added before this one, so that it runs after and its
// answer stands.
func KeepViews() mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if mcpapps.ClientSupport(ctx, req) == mcpapps.SupportNone && anyShowsApps(IdentifyRequest(req)) {
				ctx = mcpapps.WithClientSupport(ctx, mcpapps.SupportUnknown)
			}
			return next(ctx, method, req)
		}
	}
}

func anyShowsApps(profiles []*Profile) bool {
	for _, p := range profiles {
		if shows, _ := p.ShowsApps.Value(); shows {
			return true
		}
	}
	return false
}
