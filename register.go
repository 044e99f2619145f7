package mcpapps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A View is an app as a value: declared once, and named by as many tools as
// open it.
type View struct {
	// Resource is the list entry. URI is required; a Name that is empty becomes
	// the URI, and MIMEType is filled in.
	Resource mcp.Resource
	// UI is what the app needs from the host.
	UI ResourceUIMetadata
	// Document serves the HTML: see [HTML], [HTMLFile] and [HTMLFunc], and for a
	// page with scripts that import anything the Handler of package view/bundle.
	Document mcp.ResourceHandler
}

// RegisterApp adds a view and a tool that opens it, so that the URI is written
// once and can't dangle. Several tools may name the same view. The tool's
// visibility is the default, or what t.Meta says. It panics as
// [RegisterAppResource] and [RegisterAppTool] do.
func RegisterApp[In, Out any](s *mcp.Server, t *mcp.Tool, v View, h mcp.ToolHandlerFor[In, Out]) {
	const call = "RegisterApp"
	if t != nil { // appTool's to report
		// What the functions below would say names fields of theirs.
		err := appuri.Validate(v.Resource.URI)
		switch {
		case v.Resource.URI == "":
			panic(fmt.Sprintf("mcpapps.%s: tool %q: View.Resource.URI is empty: every app has a URI such as %q", call, t.Name, appuri.Example))
		case err != nil:
			panic(fmt.Sprintf("mcpapps.%s: tool %q: View.Resource.URI %v", call, t.Name, err))
		case v.Document == nil:
			panic(fmt.Sprintf("mcpapps.%s: tool %q: View.Document is nil: HTML, HTMLFile and HTMLFunc make one", call, t.Name))
		}
	}
	tt := appTool(call, s, t, ToolUIMetadata{ResourceURI: v.Resource.URI}, h == nil)
	registerResource(call, s, &v.Resource, v.UI, v.Document)
	mcp.AddTool(s, tt, typedHandler(h))
}

// RegisterAppTool adds a tool with UI metadata to a server, or replaces one
// with the same name: [mcp.AddTool] with _meta.ui, and the flat
// [LegacyResourceURIKey], put into a copy of t.Meta. The resource is registered
// on its own, with [RegisterAppResource]. A result that has structured content
// and no content gets its JSON as text.
//
// It panics if the declaration is a mistake, of which [SetToolUI] has the
// error, and where mcp.AddTool does.
func RegisterAppTool[In, Out any](s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, h mcp.ToolHandlerFor[In, Out]) {
	mcp.AddTool(s, appTool("RegisterAppTool", s, t, ui, h == nil), typedHandler(h))
}

// RegisterRawAppTool is [RegisterAppTool] for a handler without types: it adds
// the tool as [mcp.Server.AddTool] does, which asks for an input schema and
// leaves validation to the handler.
func RegisterRawAppTool(s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, h mcp.ToolHandler) {
	tt := appTool("RegisterRawAppTool", s, t, ui, h == nil)
	s.AddTool(tt, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := h(ctx, req)
		if err != nil {
			return nil, err
		}
		if res == nil { // which takes the process down, from protocol version 2026-07-28 on
			return nil, fmt.Errorf("tool %q: the handler returned no result", tt.Name)
		}
		return textToo(res)
	})
}

// appTool returns the copy of t that is registered.
func appTool(call string, s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, noHandler bool) *mcp.Tool {
	if t == nil {
		panic(fmt.Sprintf("mcpapps.%s: the tool is nil", call))
	}
	meta, err := toolMeta(t.Meta, ui)
	if err == nil && noHandler {
		err = errors.New("the handler is nil")
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: tool %q: %v", call, t.Name, err))
	}
	sv := enable(call, s, nil)
	if sv.opts.OmitLegacyURI {
		delete(meta, LegacyResourceURIKey)
	}
	tt := *t
	tt.Meta = meta
	return &tt
}

// typedHandler gives the SDK, which writes into results, one of its own.
func typedHandler[In, Out any](h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		res, out, err := h(ctx, req, in)
		if res == nil || err != nil {
			return res, out, err
		}
		if any(out) == nil {
			res, err := textToo(res)
			return res, out, err
		}
		c := ownResult(res)
		if len(c.Content) == 0 {
			c.Content = nil // the SDK then writes the output there as text
		}
		return c, out, nil
	}
}

// textToo returns a copy of res in which structured content alone is there as
// text as well (Client<>Server Capability Negotiation: results carry meaningful
// content).
func textToo(res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	c := ownResult(res)
	if len(c.Content) > 0 || c.StructuredContent == nil || c.InputRequests != nil {
		return c, nil
	}
	data, err := json.Marshal(c.StructuredContent)
	if err != nil { // the SDK would never answer the call
		return nil, fmt.Errorf("structured content can't be encoded as JSON: %w", err)
	}
	c.Content = []mcp.Content{&mcp.TextContent{Text: string(data)}}
	return c, nil
}

// ownResult copies as much of a result as the SDK writes to: the struct, the
// server's name in Meta, and an output's text appended to Content.
func ownResult(res *mcp.CallToolResult) *mcp.CallToolResult {
	c := *res
	c.Meta = maps.Clone(res.Meta)
	c.Content = slices.Clip(res.Content)
	return &c
}

// RegisterAppResource adds an app to a server, or replaces the one at the same
// URI: [mcp.Server.AddResource] with the media type filled in and the same
// _meta.ui on the list entry and on the content items that the handler returns
// for the URI. An item that has a _meta.ui of its own keeps it whole.
//
// A read fails with an error, and not with a blank frame, if the handler
// returns nothing, an empty document, one that is not UTF-8, or another media
// type; fs.ErrNotExist becomes "resource not found".
//
// It panics if the URI is not a concrete ui:// URI, if the media type is set to
// another than [MIMEType], or if ui or r.Meta is a mistake, of which
// [ResourceUIMetadata.Validate] has the error.
func RegisterAppResource(s *mcp.Server, r *mcp.Resource, ui ResourceUIMetadata, h mcp.ResourceHandler) {
	registerResource("RegisterAppResource", s, r, ui, h)
}

func registerResource(call string, s *mcp.Server, r *mcp.Resource, ui ResourceUIMetadata, h mcp.ResourceHandler) {
	if r == nil {
		panic(fmt.Sprintf("mcpapps.%s: the resource is nil", call))
	}
	rr := *r
	doc := &document{read: h}
	err := appuri.Validate(r.URI)
	if err != nil {
		err = fmt.Errorf("URI %w", err)
	} else {
		rr.Meta, doc.ui, err = checkResource(r.Meta, r.MIMEType, ui, h == nil)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: resource %q: %v", call, r.URI, err))
	}
	rr.MIMEType = MIMEType
	if rr.Name == "" {
		rr.Name = rr.URI
	}
	enable(call, s, nil)
	s.AddResource(&rr, doc.serve)
}

func checkResource(author mcp.Meta, mimeType string, ui ResourceUIMetadata, noHandler bool) (mcp.Meta, map[string]any, error) {
	if mimeType != "" && !IsMIMEType(mimeType) {
		return nil, nil, fmt.Errorf("the media type is %q: leave it empty for %q, which is the only one of apps", mimeType, MIMEType)
	}
	if noHandler {
		return nil, nil, errors.New("the handler is nil")
	}
	return resourceMeta(author, ui)
}

// RegisterAppResourceTemplate adds an app whose URI has variables, for clients
// that read expanded URIs, and the app without them at shellURI, for tools to
// point at: hosts read a tool's URI as it is written, and may do so before the
// first call. Both are served by h, which gets nil variables for the shell.
//
// The template is a ui:// URI with expressions of the forms {name} and
// {+name}. A URI in which a variable is missing or empty is not found. Values
// arrive decoded and are the client's: they may hold slashes, dots and any other
// byte, so escape them where they go into HTML or a file's name.
//
// A URI that the template and the shell, or another resource, share is read
// from the resource, since the SDK looks for those first.
//
// It panics as [RegisterAppResource] does, and if the template is another than
// that.
func RegisterAppResourceTemplate(s *mcp.Server, t *mcp.ResourceTemplate, shellURI string, ui ResourceUIMetadata, h TemplateHandler) {
	const call = "RegisterAppResourceTemplate"
	if t == nil {
		panic(fmt.Sprintf("mcpapps.%s: the template is nil", call))
	}
	tt := *t
	tmpl, err := appTemplate(t.URITemplate)
	if err == nil {
		err = validateShell(shellURI)
	}
	doc := &document{}
	if err == nil {
		tt.Meta, doc.ui, err = checkResource(t.Meta, t.MIMEType, ui, h == nil)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: template %q: %v", call, t.URITemplate, err))
	}
	tt.MIMEType = MIMEType
	if tt.Name == "" {
		tt.Name = tt.URITemplate
	}
	doc.read = func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		vars := tmpl.match(req.Params.URI)
		if vars == nil {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return h(ctx, req, vars)
	}
	shell := &mcp.Resource{
		URI: shellURI, Name: t.Name, Title: tt.Title, Description: tt.Description,
		Annotations: tt.Annotations, Icons: tt.Icons, Meta: t.Meta,
	}
	registerResource(call, s, shell, ui, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return h(ctx, req, nil)
	})
	s.AddResourceTemplate(&tt, doc.serve)
}
