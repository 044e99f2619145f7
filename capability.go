package mcpapps

import (
	"context"
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Support says whether a client shows apps.
type Support int

const (
	// SupportUnknown means that the client's capabilities are not known: for an
	// older client on stateless HTTP, whose initialize request this server does
	// not remember, and for a request that did not come from a client. Return
	// the full text and the app: some hosts show apps without declaring it.
	SupportUnknown Support = iota
	// SupportNone means that the client declared capabilities without apps.
	SupportNone
	// SupportUI means that the client declared the extension with the media
	// type of apps.
	SupportUI
)

// String returns "unknown", "none" or "ui".
func (s Support) String() string {
	switch s {
	case SupportNone:
		return "none"
	case SupportUI:
		return "ui"
	default:
		return "unknown"
	}
}

type supportKey struct{}

// WithClientSupport returns a context for which [ClientSupport] returns s. Any
// value overrides what the request declares, [SupportUnknown] included.
//
// It is for a receiving middleware that knows more than the request, from a flag
// or a list of known hosts for example. Add the middleware after the first call
// of this package on the server: it then runs before the code that shapes lists.
func WithClientSupport(ctx context.Context, s Support) context.Context {
	return context.WithValue(ctx, supportKey{}, s)
}

// firstPerRequest is the first protocol version in which each request carries
// the client's capabilities, and a server must not use those of another request.
const firstPerRequest = "2026-07-28"

// ClientSupport reports whether the client that sent a request shows apps
// (MCP Apps, Client<>Server Capability Negotiation). The first of these that is
// present decides: the context ([WithClientSupport]); the capabilities in the
// request's _meta; those of an initialize request itself; and those with which
// the session was initialized, if it runs a protocol version before 2026-07-28,
// whichever version the client asked for. Later sessions do not count, because
// each of their requests carries capabilities. For a nil request of any type
// only the context counts.
//
// A client that declares the extension without a list of media types is
// [SupportNone]: the specification requires the list, and without it nothing says
// that the client shows HTML. For a host that is known to omit it, use
// WithClientSupport.
//
// Do not use it for authorization: a client may declare anything.
func ClientSupport(ctx context.Context, req mcp.Request) Support {
	if ctx != nil {
		if s, ok := ctx.Value(supportKey{}).(Support); ok {
			return s
		}
	}
	if jsonvalue.IsNil(req) {
		return SupportUnknown
	}
	// Requests without params arrive with a typed nil, on which GetMeta panics.
	if p := req.GetParams(); !jsonvalue.IsNil(p) {
		if caps, ok := p.GetMeta()[mcp.MetaKeyClientCapabilities]; ok && caps != nil {
			return declaredSupport(caps)
		}
		if init, ok := p.(*mcp.InitializeParams); ok {
			return CapabilitiesSupport(init.Capabilities)
		}
	}
	ss, _ := req.GetSession().(*mcp.ServerSession)
	if ss == nil {
		return SupportUnknown
	}
	init := ss.InitializeParams()
	if init == nil || init.ProtocolVersion >= firstPerRequest && !wasInitialized(ss) {
		return SupportUnknown
	}
	return CapabilitiesSupport(init.Capabilities)
}

// ClientSupportsUI reports whether [ClientSupport] is [SupportUI]: the client
// that sent the request is known to show apps.
func ClientSupportsUI(ctx context.Context, req mcp.Request) bool {
	return ClientSupport(ctx, req) == SupportUI
}

// CapabilitiesSupport reports what a client's capabilities declare about apps.
// It is [SupportUI] only if the extension has a list of media types with
// [MIMEType] in it, in any spelling, and [SupportUnknown] for nil.
func CapabilitiesSupport(c *mcp.ClientCapabilities) Support {
	if c == nil {
		return SupportUnknown
	}
	return extensionSupport(c.Extensions[ExtensionID])
}

// declaredSupport reads the client capabilities in a request's _meta, which are
// maps when they come off the wire.
func declaredSupport(caps any) Support {
	switch caps := caps.(type) {
	case map[string]any:
		ext, _ := caps["extensions"].(map[string]any)
		return extensionSupport(ext[ExtensionID])
	case *mcp.ClientCapabilities:
		return CapabilitiesSupport(caps)
	}
	obj, err := jsonvalue.Object(caps)
	if err != nil {
		return SupportUnknown
	}
	return declaredSupport(obj)
}

func extensionSupport(settings any) Support {
	obj, ok := settings.(map[string]any)
	if !ok {
		if settings == nil {
			return SupportNone
		}
		var err error
		if obj, err = jsonvalue.Object(settings); err != nil {
			return SupportNone
		}
	}
	switch types := obj["mimeTypes"].(type) {
	case []any:
		for _, t := range types {
			if s, ok := t.(string); ok && IsMIMEType(s) {
				return SupportUI
			}
		}
	case []string:
		for _, s := range types {
			if IsMIMEType(s) {
				return SupportUI
			}
		}
	}
	return SupportNone
}

// advertise returns a copy of c with the extension added. Settings of the author
// are kept; nil settings become {}, because clients reject null.
func advertise(c *mcp.ServerCapabilities) *mcp.ServerCapabilities {
	var caps mcp.ServerCapabilities
	if c != nil {
		caps = *c
	}
	ext := maps.Clone(caps.Extensions)
	if ext == nil {
		ext = make(map[string]any, 1)
	}
	for id, settings := range ext {
		if jsonvalue.IsNil(settings) {
			ext[id] = map[string]any{}
		}
	}
	ours := map[string]any{}
	if author, ok := ext[ExtensionID]; ok {
		if obj, err := jsonvalue.Object(author); err == nil {
			ours = maps.Clone(obj)
		}
	}
	if extensionSupport(ours) != SupportUI { // the author's list lacks our media type
		types, _ := jsonvalue.Strings(ours["mimeTypes"])
		ours["mimeTypes"] = append(types, MIMEType)
	}
	ext[ExtensionID] = ours
	caps.Extensions = ext
	return &caps
}
