package mcpapps

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are the choices for a whole server. The zero value suits most.
// Options are plain data and compared with ==.
type Options struct {
	// OmitLegacyURI leaves the flat key [LegacyResourceURIKey] out of
	// tools/list, for every tool of the server. Hosts that read nothing else
	// then show text.
	OmitLegacyURI bool
	// StripUIForText leaves _meta.ui and the flat key out of tools/list for
	// clients that are known to have no UI ([SupportNone]). Lists then differ
	// between clients and say cacheScope "private".
	StripUIForText bool
	// OmitAppToolsForText leaves tools that the model may not see out of
	// tools/list for clients that are known to have no UI, with the same effect
	// on cacheScope. Hosts with a UI filter such tools themselves, and need
	// them in the list.
	OmitAppToolsForText bool
	// UnlistResources keeps app resources and their templates out of
	// resources/list and resources/templates/list. They stay readable, and
	// hosts find them through tools; a few hosts build their policy from the
	// list and then show nothing external.
	UnlistResources bool
	// VersionedURIs puts a hash of an app's document and metadata behind its URI
	// in lists, as in "ui://hello/index.html?v=0123456789ab": hosts keep documents
	// by URI, and go on showing the one from before an update. A read of any
	// version, or of none, gets the document as it is now, so that old links keep
	// working. To know the versions, each tools/list and resources/list reads
	// the apps in it, as that client; middleware added before [Enable] sees these
	// reads. An app that can't be read is listed as it is.
	VersionedURIs bool
	// PlainReadResults answers resources/read for apps with a lighter result
	// than the SDK's, with the same JSON. Middleware added after [Enable] then
	// sees another result type than *mcp.ReadResourceResult.
	PlainReadResults bool
	// KeepSchemas leaves the schemas in tools/list as the SDK holds them.
	// Otherwise they are encoded once per process, and middleware added after
	// [Enable] sees json.RawMessage where the SDK has *jsonschema.Schema. Set
	// it if schemas are changed after they were first listed.
	KeepSchemas bool
}

// names lists the options that are set.
func (o Options) names() string {
	var set []string
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			set = append(set, v.Type().Field(i).Name)
		}
	}
	if set == nil {
		return "the defaults"
	}
	return strings.Join(set, ", ")
}

// server is what this package knows of one server. It is held by the server's
// middleware and must not reach the server itself, which could then not be
// collected.
type server struct {
	opts    Options
	install sync.Once // of the middleware
}

var servers struct {
	sync.Mutex
	m map[weak.Pointer[mcp.Server]]*server
}

// Enable makes s advertise the MCP Apps extension and sets the options for it.
// The first Register function called on a server implies it with nil, which
// means: whatever is set, else the defaults. It may be called any number of
// times, from any goroutine, and works from the next request on.
//
// Enable panics if other options are in force than those given, the implied
// defaults included: call it before the first Register function.
func Enable(s *mcp.Server, opts *Options) { enable("Enable", s, opts) }

func enable(call string, s *mcp.Server, opts *Options) *server {
	if s == nil {
		panic(fmt.Sprintf("mcpapps.%s: the server is nil", call))
	}
	key := weak.Make(s)
	servers.Lock()
	sv, ok := servers.m[key]
	if !ok {
		sv = &server{}
		if opts != nil {
			sv.opts = *opts
		}
		if servers.m == nil {
			servers.m = make(map[weak.Pointer[mcp.Server]]*server)
		}
		servers.m[key] = sv
		runtime.AddCleanup(s, forget, key)
	}
	servers.Unlock()
	if opts != nil && *opts != sv.opts {
		panic(fmt.Sprintf("mcpapps.Enable: other options are in force, %s, not %s: call Enable once, before the first Register function", sv.opts.names(), opts.names()))
	}
	// Not under the lock of all servers: this one's may be held by a list that
	// is being made.
	sv.install.Do(func() { s.AddReceivingMiddleware(sv.middleware) })
	return sv
}

func forget(key weak.Pointer[mcp.Server]) {
	servers.Lock()
	defer servers.Unlock()
	delete(servers.m, key)
}

// middleware changes results on their way out, always on copies: the SDK hands
// out the pointers that are registered, and middleware further in may share
// its results between requests. A copy has a Meta of its own, since the SDK
// writes the server's name there.
func (sv *server) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	if sv.opts.VersionedURIs {
		next = versionURIs(next)
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err != nil || isNil(res) {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			rememberHandshake(req)
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Capabilities = advertise(r.Capabilities)
			return &c, nil
		case *mcp.DiscoverResult:
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Capabilities = advertise(r.Capabilities)
			return &c, nil
		case *mcp.ListToolsResult:
			return sv.listTools(ctx, req, r), nil
		case *mcp.ListResourcesResult:
			return sv.listResources(r), nil
		case *mcp.ListResourceTemplatesResult:
			return sv.listTemplates(r), nil
		case *mcp.ReadResourceResult:
			if sv.opts.PlainReadResults {
				return plainRead(r), nil
			}
		}
		return res, nil
	}
}
