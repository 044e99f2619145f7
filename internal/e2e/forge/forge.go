// Package forge is a test bed: a server in the shape that large public servers
// have. Its tools are values in one registry. Over HTTP each request gets a server
// of its own, with the tools that its headers ask for; over standard input and
// output one server serves for long. Views are behind a feature flag, the HTML of
// one may be missing from the build, and some clients are known to show no views
// whatever they declare.
package forge

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"net/http"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed ui
var embedded embed.FS

// A Config is what a deployment sets when it starts.
type Config struct {
	// Views has the HTML of the views. Nil means what is embedded, in which a
	// view that a front-end build makes is missing.
	Views fs.FS
	// ShareSchemas registers the schemas of the registry itself, and not clones
	// of them for each server.
	ShareSchemas bool
	// Options are those of mcpapps. Nil means that clients without views see
	// nothing of them.
	Options *mcpapps.Options
}

// A Request is what one request asks for.
type Request struct {
	User     string
	Toolsets []string // nil means the default ones, "all" all of them
	NoApps   bool     // the feature flag is off
	Insiders bool     // tools that are not released yet
	NoUI     bool     // a client that shows no views, whatever it declares
}

// RequestOf reads the headers of a request.
func RequestOf(r *http.Request) Request {
	req := Request{
		User:     r.Header.Get("Forge-User"),
		NoApps:   r.Header.Get("Forge-Apps") == "off",
		Insiders: r.Header.Get("Forge-Insiders") == "true",
		NoUI:     strings.HasPrefix(r.UserAgent(), "terminal/"),
	}
	if sets := r.Header.Get("Forge-Toolsets"); sets != "" {
		req.Toolsets = strings.Split(sets, ",")
	}
	return req
}

// Handler serves stateless streamable HTTP, with a server for each request.
func Handler(c Config) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server { return NewServer(c, RequestOf(r)) },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

type requestKey struct{}

// requestFrom returns the request of a context, for handlers.
func requestFrom(ctx context.Context) Request {
	r, _ := ctx.Value(requestKey{}).(Request)
	return r
}

// NewServer returns a server with what a request asks for.
func NewServer(c Config, r Request) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "forge", Version: "1.0.0"}, nil)
	if c.Views == nil {
		c.Views = embedded
	}
	opts := mcpapps.Options{StripUIForText: true, OmitAppToolsForText: true}
	if c.Options != nil {
		opts = *c.Options
	}
	opts.DisableApps = r.NoApps
	mcpapps.Enable(s, &opts)
	addViews(s, c)
	// After Enable, so that it runs before the code that shapes lists.
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx = context.WithValue(ctx, requestKey{}, r)
			if r.NoUI {
				ctx = mcpapps.WithClientSupport(ctx, mcpapps.SupportNone)
			}
			return next(ctx, method, req)
		}
	})
	for i := range registry {
		if t := &registry[i]; t.wanted(r) {
			addTool(s, c, t)
		}
	}
	return s
}

// addViews registers the views of all toolsets: a host may read one with a request
// that asks for other toolsets than the request that listed the tool.
func addViews(s *mcp.Server, c Config) {
	border := true
	for _, name := range views {
		if !built(c, name) {
			continue
		}
		mcpapps.RegisterAppResource(s, &mcp.Resource{URI: uri(name), Name: name},
			mcpapps.ResourceUIMetadata{
				CSP:           &mcpapps.CSP{ResourceDomains: []string{"https://avatars.forge.example"}},
				PrefersBorder: &border,
			}, mcpapps.HTMLFile(c.Views, file(name)))
	}
}

// views are the names of the views. The last one is made by a front-end build.
var views = []string{"profile", "issue", "pull"}

func uri(view string) string  { return "ui://forge/" + view + ".html" }
func file(view string) string { return "ui/" + view + ".html" }

func built(c Config, view string) bool {
	_, err := fs.Stat(c.Views, file(view))
	return err == nil
}

// addTool registers a copy of a tool, since the registry serves other requests at
// the same time. Without its view a tool is one like any other, and one that only
// views call is left out.
func addTool(s *mcp.Server, c Config, t *Tool) {
	decl := t.Tool
	if !c.ShareSchemas {
		decl.InputSchema = decl.InputSchema.(*jsonschema.Schema).CloneSchemas()
	}
	switch {
	case t.Needs != "" && !built(c, t.Needs):
		if t.appOnly() {
			return
		}
		decl.Meta = maps.Clone(decl.Meta)
		delete(decl.Meta, "ui")
		delete(decl.Meta, mcpapps.LegacyResourceURIKey)
	case t.UI.ResourceURI != "":
		if err := mcpapps.SetToolUI(&decl, t.UI); err != nil {
			panic(err)
		}
	}
	s.AddTool(&decl, t.Call)
}
