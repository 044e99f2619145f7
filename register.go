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

// A View is an app as a value: declared once, and opened by any number of tools. Pass
// the same View to each [RegisterApp], or register it once with [RegisterAppResource]
// and name its URI in the [RegisterAppTool] of each tool. Two Views with the same URI
// are two versions of one app: the one that is registered last replaces the other, as
// in [mcp.Server.AddResource], for all tools that name the URI.
type View struct {
	// Resource is the list entry. URI is required. An empty Name becomes the
	// URI, and MIMEType is set to [MIMEType].
	Resource mcp.Resource
	// UI is what the app needs from the host.
	UI ResourceUIMetadata
	// Document serves the HTML: see [HTML], [HTMLFile] and [HTMLFunc], and the
	// Handler of package view/bundle for a page whose scripts import anything.
	Document mcp.ResourceHandler
}

// Validate returns an error for the first mistake in a view, on which registration
// would panic. It is for views that come from configuration or from files.
func (v View) Validate() error {
	if err := v.validateFields(); err != nil {
		return err
	}
	_, err := checkResource(v.Resource.Meta, v.Resource.MIMEType, v.UI, false)
	return err
}

func (v View) validateFields() error {
	if v.Resource.URI == "" {
		return fmt.Errorf("View.Resource.URI is empty: every app has a URI such as %q", appuri.Example)
	}
	if err := appuri.Validate(v.Resource.URI); err != nil {
		return fmt.Errorf("View.Resource.URI %w", err)
	}
	if v.Document == nil {
		return errors.New("View.Document is nil: mcpapps.HTML, HTMLFile and HTMLFunc make one, and bundle.Handler (package view/bundle) for a page that imports or refers to files")
	}
	return nil
}

// RegisterApp adds a view and a tool that opens it, so the URI is written once and
// can't dangle. The view replaces one that was registered with the same URI, and
// several tools may open it: see [View]. The tool's visibility is the one in t.Meta,
// or else the default. RegisterApp panics where [RegisterAppResource] and
// [RegisterAppTool] do, and then registers nothing.
func RegisterApp[In, Out any](s *mcp.Server, t *mcp.Tool, v View, h mcp.ToolHandlerFor[In, Out]) {
	const call = "RegisterApp"
	if t != nil { // appTool reports a nil tool
		// The messages of the functions below would name their own parameters.
		if err := v.validateFields(); err != nil {
			panic(fmt.Sprintf("mcpapps.%s: tool %q: %v", call, t.Name, err))
		}
	}
	tt := appTool(call, s, t, ToolUIMetadata{ResourceURI: v.Resource.URI}, h == nil, validateOutput[Out])
	r, doc := appResource(call, &v.Resource, v.UI, v.Document)
	mcp.AddTool(s, tt, typedHandler(h)) // first, because it may panic
	addResource(call, s, r, doc)
}

// RegisterAppTool adds a tool with UI metadata to a server, or replaces the one
// with the same name. It calls [mcp.AddTool] with a copy of t whose Meta has the
// declaration merged in, under _meta.ui and the flat [LegacyResourceURIKey]. The
// resource is registered separately, with [RegisterAppResource]. If a result has
// structured content and no content, its JSON is added as text.
//
// It panics where [SetToolUI] returns an error, where mcp.AddTool panics, and if the
// root of the output schema is not an object, as it is for an output of type []string
// for example: clients on the TypeScript SDK would reject the whole list of tools. Wrap
// such an output in a struct.
func RegisterAppTool[In, Out any](s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, h mcp.ToolHandlerFor[In, Out]) {
	const call = "RegisterAppTool"
	mcp.AddTool(s, appTool(call, s, t, ui, h == nil, validateOutput[Out]), typedHandler(h))
	enable(call, s, nil)
}

// RegisterRawAppTool is [RegisterAppTool] for a handler without types: it adds the
// tool as [mcp.Server.AddTool] does, which requires an input schema and leaves
// validation to the handler.
func RegisterRawAppTool(s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, h mcp.ToolHandler) {
	const call = "RegisterRawAppTool"
	tt := appTool(call, s, t, ui, h == nil, nil)
	s.AddTool(tt, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := h(ctx, req)
		if err != nil {
			return nil, err
		}
		if res == nil { // the SDK would panic, from protocol version 2026-07-28 on
			return nil, fmt.Errorf("tool %q: the handler returned no result", tt.Name)
		}
		return withText(res)
	})
	enable(call, s, nil)
}

// appTool returns the copy of t to register. It changes nothing on the server.
// validateOutput is nil for a handler without types.
func appTool(call string, s *mcp.Server, t *mcp.Tool, ui ToolUIMetadata, noHandler bool, validateOutput func(*mcp.Tool) error) *mcp.Tool {
	if s == nil {
		panic(fmt.Sprintf("mcpapps.%s: the server is nil", call))
	}
	if t == nil {
		panic(fmt.Sprintf("mcpapps.%s: the tool is nil", call))
	}
	meta, err := toolMeta(t.Meta, ui)
	if err == nil && noHandler {
		err = errors.New("the handler is nil")
	}
	if err == nil {
		err = validateSchemas(t)
	}
	if err == nil && validateOutput != nil {
		err = validateOutput(t)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: tool %q: %v", call, t.Name, err))
	}
	tt := *t
	tt.Meta = meta
	return &tt
}

// typedHandler returns h with results copied, because the SDK writes into them.
func typedHandler[In, Out any](h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		res, out, err := h(ctx, req, in)
		if res == nil || err != nil {
			return res, out, err
		}
		if any(out) == nil {
			res, err := withText(res)
			return res, out, err
		}
		c := ownResult(res)
		if len(c.Content) == 0 {
			c.Content = nil // the SDK then adds the output as text
		}
		return c, out, nil
	}
}

// withText returns a copy of res. If it has structured content only, the copy has
// the JSON of it as text too (Client<>Server Capability Negotiation: results
// have meaningful content).
func withText(res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	c := ownResult(res)
	if len(c.Content) > 0 || c.StructuredContent == nil || c.InputRequests != nil {
		return c, nil
	}
	data, err := json.Marshal(c.StructuredContent)
	if err != nil { // the SDK would not answer the call
		return nil, fmt.Errorf("structured content can't be encoded as JSON: %w", err)
	}
	c.Content = []mcp.Content{&mcp.TextContent{Text: string(data)}}
	return c, nil
}

// ownResult copies the parts of a result that the SDK writes to: the struct; Meta,
// for the server's name; and Content, to which it appends the output as text.
func ownResult(res *mcp.CallToolResult) *mcp.CallToolResult {
	c := *res
	c.Meta = maps.Clone(res.Meta)
	c.Content = slices.Clip(res.Content)
	return &c
}

// RegisterAppResource adds an app to a server, or replaces the one with the same
// URI. It calls [mcp.Server.AddResource] with the media type set, and with the
// same _meta.ui on the list entry and on the content items that the handler
// returns for the URI. If the handler sets _meta.ui on an item, that object
// replaces the declared one.
//
// If the handler returns no result, an empty document, one that is not UTF-8, or
// another media type, the read fails, because hosts would show a blank frame.
// fs.ErrNotExist becomes "resource not found".
//
// It panics if the URI is not a ui:// URI or is a template, if the media type is
// set and is not [MIMEType], and if r.Meta with ui merged in is invalid (see
// [ResourceUIMetadata.Validate]).
func RegisterAppResource(s *mcp.Server, r *mcp.Resource, ui ResourceUIMetadata, h mcp.ResourceHandler) {
	const call = "RegisterAppResource"
	rr, doc := appResource(call, r, ui, h)
	addResource(call, s, rr, doc)
}

func addResource(call string, s *mcp.Server, r *mcp.Resource, doc *document) {
	versions := enable(call, s, nil).versions
	versions.addOwn(r.URI)
	versions.addDocument(r, doc)
	s.AddResource(r, doc.serve)
}

// appResource returns the copy of r to register, and what serves it.
func appResource(call string, r *mcp.Resource, ui ResourceUIMetadata, h mcp.ResourceHandler) (*mcp.Resource, *document) {
	if r == nil {
		panic(fmt.Sprintf("mcpapps.%s: the resource is nil", call))
	}
	rr := *r
	doc := &document{read: h}
	err := appuri.Validate(r.URI)
	if err != nil {
		err = fmt.Errorf("URI %w", err)
	} else {
		rr.Meta, err = checkResource(r.Meta, r.MIMEType, ui, h == nil)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: resource %q: %v", call, r.URI, err))
	}
	doc.meta = rr.Meta
	rr.MIMEType = MIMEType
	if rr.Name == "" {
		rr.Name = rr.URI
	}
	return &rr, doc
}

func checkResource(author mcp.Meta, mimeType string, ui ResourceUIMetadata, noHandler bool) (mcp.Meta, error) {
	if mimeType != "" && !IsMIMEType(mimeType) {
		return nil, fmt.Errorf("the media type is %q, and an app's is always %q: leave it empty", mimeType, MIMEType)
	}
	if noHandler {
		return nil, errors.New("the handler is nil")
	}
	return resourceMeta(author, ui)
}

// RegisterAppResourceTemplate adds an app whose URI has variables, for clients
// that read expanded URIs, and a shell without variables at shellURI, for tools
// to name: hosts read a tool's URI literally, possibly before the first call. h
// serves both, and gets nil vars for the shell. See [HTMLTemplateFunc], and the
// TemplateHandler of package view/bundle for a page whose scripts import anything.
//
// The template is a ui:// URI with expressions of the forms {name} and {+name}. A
// URI with a missing or empty variable is not found. Values are percent-decoded
// and chosen by the client: they may contain slashes, dots and any other byte, so
// escape them before they become part of HTML or of a file name.
//
// If the template also matches the URI of the shell or of another resource, that
// resource is read, because the SDK looks for resources first.
//
// It panics where [RegisterAppResource] does, and for any other form of template.
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
		tt.Meta, err = checkResource(t.Meta, t.MIMEType, ui, h == nil)
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapps.%s: template %q: %v", call, t.URITemplate, err))
	}
	doc.meta = tt.Meta
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
	shell, shellDoc := appResource(call, shell, ui, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return h(ctx, req, nil)
	})
	addResource(call, s, shell, shellDoc)
	s.AddResourceTemplate(&tt, doc.serve)
}
