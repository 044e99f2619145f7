package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/gateway"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A front is an endpoint of the gateway: the common one of all backends, or the own
// one of a single backend, which passes everything on as it is.
type front struct {
	backends []*backend
	common   bool
	trust    bool // views of each backend may call the tools of all
	server   *mcp.Server

	mu       sync.Mutex
	version  int // of the backends' lists: each change makes another
	catalogs map[mcpapps.Support]catalog
}

func newFront(common, trust bool, backends ...*backend) *front {
	f := &front{backends: backends, common: common, trust: trust, catalogs: make(map[mcpapps.Support]catalog)}
	f.server = mcp.NewServer(&mcp.Implementation{Name: "gateway", Version: "1.0.0"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{ListChanged: true},
			Resources: &mcp.ResourceCapabilities{ListChanged: true},
		},
	})
	mcpapps.Enable(f.server, nil)
	f.server.AddReceivingMiddleware(f.answer)
	f.server.AddReceivingMiddleware(compat.KeepViews()) // after answer, so that it runs before
	f.register()
	for _, b := range backends {
		b.fronts = append(b.fronts, f)
	}
	return f
}

// renamer returns how a backend's URIs are renamed at this endpoint: not at all at its
// own, where views find them under the names that they know.
func (f *front) renamer(b *backend) gateway.Backend {
	if f.common {
		return b.renamer
	}
	return gateway.Backend{}
}

// A request is what a call or a read is about, for the handlers of register.
type request struct {
	support mcpapps.Support
	name    string // of the tool, or the URI
}

type requestKey struct{}

// forwarded is the name of the server's only tool, and of its only resource. Nobody
// sees it: answer lists others, and passes all calls and reads to these two.
const forwarded = "forwarded"

// register adds the handlers that forward calls and reads. The SDK completes their
// results as the protocol version demands. It also notifies the clients that the lists
// changed.
func (f *front) register() {
	f.server.AddTool(&mcp.Tool{Name: forwarded, InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		about, _ := ctx.Value(requestKey{}).(request)
		return f.call(ctx, about.support, about.name, r.Params.Arguments)
	})
	f.server.AddResource(&mcp.Resource{Name: forwarded, URI: "ui://" + forwarded}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		about, _ := ctx.Value(requestKey{}).(request)
		return f.read(ctx, about.support, about.name)
	})
}

// answer is middleware that answers in place of the SDK's server, whose lists do not
// depend on the client.
func (f *front) answer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		// The lists differ by what the client declares, so no shared cache may keep them.
		private := mcp.Cacheable{CacheScope: "private"}
		support := mcpapps.ClientSupport(ctx, req)
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			return &mcp.ListToolsResult{Tools: f.list(ctx, support).list, Cacheable: private}, nil
		case *mcp.ListResourcesRequest:
			res := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: private}
			for _, b := range f.backends {
				for _, item := range b.forLists(support).listResources(ctx) {
					res.Resources = append(res.Resources, f.renamer(b).Resource(item))
				}
			}
			return res, nil
		case *mcp.ListResourceTemplatesRequest:
			res := &mcp.ListResourceTemplatesResult{ResourceTemplates: []*mcp.ResourceTemplate{}, Cacheable: private}
			for _, b := range f.backends {
				for _, item := range b.forLists(support).listTemplates(ctx) {
					res.ResourceTemplates = append(res.ResourceTemplates, f.renamer(b).ResourceTemplate(item))
				}
			}
			return res, nil
		case *mcp.ReadResourceRequest:
			c, p := *r, *r.Params
			ctx = context.WithValue(ctx, requestKey{}, request{support, p.URI})
			p.URI, c.Params = "ui://"+forwarded, &p
			req = &c
		case *mcp.CallToolRequest:
			c, p := *r, *r.Params
			ctx = context.WithValue(ctx, requestKey{}, request{support, p.Name})
			p.Name, c.Params = forwarded, &p
			req = &c
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return nil, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			c := *r
			c.Capabilities, c.Instructions = f.introduce(r.Capabilities)
			return &c, nil
		case *mcp.DiscoverResult:
			c := *r
			c.Capabilities, c.Instructions = f.introduce(r.Capabilities)
			return &c, nil
		}
		return res, nil
	}
}

// introduce adds what the backends say of themselves to the gateway's capabilities. An
// extension with methods of its own needs more than that: they must be forwarded.
func (f *front) introduce(caps *mcp.ServerCapabilities) (*mcp.ServerCapabilities, string) {
	extensions := []map[string]any{caps.Extensions}
	var instructions []string
	for _, b := range f.backends {
		about := b.ui.hello()
		if about == nil {
			continue
		}
		if about.Capabilities != nil {
			extensions = append(extensions, about.Capabilities.Extensions)
		}
		if about.Instructions != "" {
			instructions = append(instructions, about.Instructions)
		}
	}
	c := *caps
	c.Extensions = gateway.Extensions(extensions...)
	return &c, strings.Join(instructions, "\n\n")
}

// call calls the tool that has the name at this endpoint.
func (f *front) call(ctx context.Context, s mcpapps.Support, name string, args json.RawMessage) (*mcp.CallToolResult, error) {
	e, err := f.find(ctx, s, name)
	if err != nil {
		return nil, err
	}
	res, err := e.backend.forCall(s, e).call(ctx, e.name, args)
	if answer := answerIn(err); answer != nil {
		return nil, answer
	}
	if err != nil { // for the model, which may go on without the tool
		res = &mcp.CallToolResult{}
		res.SetError(err)
		return res, nil
	}
	delete(res.Meta, mcp.MetaKeyServerInfo) // the SDK adds the gateway's
	res, _ = f.renamer(e.backend).MapCallResult(res)
	return res, nil
}

// read reads a resource. The host of a ui:// URI names the backend at the common
// endpoint. Any other URI is asked of each backend in turn.
func (f *front) read(ctx context.Context, s mcpapps.Support, uri string) (*mcp.ReadResourceResult, error) {
	var err error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("resource %q not found", uri)}
	for _, b := range f.backends {
		own := uri
		if strings.HasPrefix(uri, "ui://") {
			var ok bool
			if own, ok = f.renamer(b).Strip(uri); !ok {
				continue
			}
		}
		res, failed := b.forLists(s).read(ctx, own)
		if failed == nil {
			res = f.renamer(b).ReadResult(res)
			res.CacheScope = "private" // it may differ by what the client declares, as lists do
			delete(res.Meta, mcp.MetaKeyServerInfo)
			return res, nil
		}
		err = failed
	}
	return nil, err
}

// changed notifies the clients that lists may have changed.
func (f *front) changed() {
	f.mu.Lock()
	f.version++
	clear(f.catalogs)
	f.mu.Unlock()
	f.register()
}
