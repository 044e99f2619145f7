package compat

import (
	"context"
	"slices"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// byName holds the profiles by the names that their clients send.
var byName = sync.OnceValue(func() map[string][]*Profile {
	m := make(map[string][]*Profile)
	for _, p := range load() {
		for _, c := range p.ClientNames.Claims {
			if c.Value == nil {
				continue
			}
			for _, name := range *c.Value {
				if !slices.Contains(m[name], p) {
					m[name] = append(m[name], p)
				}
			}
		}
	}
	return m
})

// Identify returns the profiles of the hosts whose clients call themselves by the name
// in clientInfo, sorted by ID. Several platforms of one host may share a name. The list
// is empty for nil and for a name that no source gives; names are compared exactly, as
// the hosts send them. A client may send any name, so use it for what serves the client
// and not to decide what the client may do.
func Identify(info *mcp.Implementation) []*Profile {
	if info == nil {
		return nil
	}
	return slices.Clone(byName()[info.Name])
}

// IdentifyRequest returns what [Identify] returns for the client that sent a request. The
// name is taken from where [mcpapps.ClientSupport] takes the capabilities: from the
// request itself, from 2026-07-28 on, and before from the session's initialize request.
// It is not taken from another request.
//
// The list is empty where the capabilities are not known: for an older client on
// stateless HTTP, and for a request that did not come from a client. It is also empty
// for the hosts of which no source gives the name.
func IdentifyRequest(req mcp.Request) []*Profile {
	return Identify(clientInfo(req))
}

// clientInfo returns what the client of a request says of itself, from the place from
// which [mcpapps.ClientSupport] takes its capabilities: a request that carries
// capabilities carries the name too, and is never given that of another request of the
// session.
func clientInfo(req mcp.Request) *mcp.Implementation {
	if jsonvalue.IsNil(req) {
		return nil
	}
	if p := req.GetParams(); !jsonvalue.IsNil(p) {
		meta := p.GetMeta()
		if caps, ok := meta[mcp.MetaKeyClientCapabilities]; ok && caps != nil {
			return implementation(meta[mcp.MetaKeyClientInfo])
		}
		if init, ok := p.(*mcp.InitializeParams); ok {
			return init.ClientInfo
		}
	}
	if mcpapps.ClientSupport(context.Background(), req) == mcpapps.SupportUnknown {
		return nil // the session, if there is one, holds what another request said
	}
	ss, _ := req.GetSession().(*mcp.ServerSession)
	if ss == nil || ss.InitializeParams() == nil {
		return nil
	}
	return ss.InitializeParams().ClientInfo
}

// implementation reads a clientInfo in _meta, which is a map when it comes off the wire.
func implementation(v any) *mcp.Implementation {
	switch v := v.(type) {
	case *mcp.Implementation:
		return v
	case map[string]any:
		name, _ := v["name"].(string)
		return &mcp.Implementation{Name: name}
	}
	return nil
}
