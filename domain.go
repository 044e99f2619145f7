package mcpapps

import (
	"context"
	"fmt"
	"maps"

	"github.com/mcpapps-go/mcpapps/internal/htmldoc"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DomainFunc returns a handler that serves what h does, with a _meta.ui.domain for each
// client: every host has a format of its own for [ResourceUIMetadata.Domain], and may
// reject that of another. domain gets the request of each read; IdentifyRequest of package
// compat tells hosts apart, and ClaudeDomain and ChatGPTDomain make the values of two. An
// empty string leaves the domain out, which works in every host: return it for a client
// that you don't know.
//
// The rest of _meta.ui is what h sets on the content item or else what the app declares.
// The list entry keeps the declared domain, best none. The document may be cached for
// the client that read it only. A value that [ResourceUIMetadata.Validate] rejects makes
// the read fail, and so does a handler that is not registered by this package.
//
// It panics if h or domain is nil.
func DomainFunc(h mcp.ResourceHandler, domain func(context.Context, *mcp.ReadResourceRequest) string) mcp.ResourceHandler {
	if h == nil || domain == nil {
		panic("mcpapps.DomainFunc: the handler or the function is nil")
	}
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		res, err := h(ctx, req)
		if err != nil || res == nil || len(res.Contents) == 0 {
			return res, err
		}
		d := domain(ctx, req)
		c := *res
		c.Contents = make([]*mcp.ResourceContents, len(res.Contents))
		for i, item := range res.Contents {
			if c.Contents[i], err = withDomain(ctx, req, item, d); err != nil {
				return nil, fmt.Errorf("mcpapps.DomainFunc: %w", err)
			}
		}
		if htmldoc.HasCaching(req) {
			c.CacheScope = htmldoc.Private
		}
		return &c, nil
	}
}

// withDomain returns a content item with a domain, or the item itself if it is not the
// app.
func withDomain(ctx context.Context, req *mcp.ReadResourceRequest, item *mcp.ResourceContents, domain string) (*mcp.ResourceContents, error) {
	if item == nil || item.URI != "" && item.URI != req.Params.URI || item.MIMEType != "" && !IsMIMEType(item.MIMEType) {
		return item, nil // registering says what is wrong with it
	}
	ui, ok := DeclaredUI(ctx)
	declares := ui.Domain != ""
	if own := item.Meta[keyUI]; !jsonvalue.IsNull(own) {
		var err error
		if ui, err = decodeResourceUI(own); err != nil {
			return nil, err
		}
		declares = true
	} else if !ok {
		return nil, fmt.Errorf("%q is not an app that this package registered, so what else it declares is not known: register it with RegisterAppResource", req.Params.URI)
	}
	ui.Domain = domain
	if err := ui.Validate(); err != nil {
		return nil, err
	}
	obj := ui.generic()
	if len(obj) == 0 && !declares {
		return item, nil
	}
	c := *item
	c.Meta = maps.Clone(item.Meta)
	if c.Meta == nil {
		c.Meta = make(mcp.Meta, 1)
	}
	c.Meta[keyUI] = obj // replaces the list entry's as a whole
	return &c, nil
}
