package mcpapps

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options apply to a whole server, and are set by [Enable] before the first
// Register function. The zero value suits most servers. What to set, by situation:
//
//   - Standard input and output, HTTP with sessions: nothing.
//   - Stateless HTTP: nothing. StripUIForText and OmitAppToolsForText do less
//     there, since the capabilities of clients before protocol version 2026-07-28
//     are unknown in all requests but the first.
//   - A server per request: nothing if the servers share their tools' schemas, else
//     KeepSchemas. Make document handlers once, outside of the function that makes
//     the servers: some, such as bundle.Handler, keep what they made.
//   - A gateway: nothing, but call Enable, so that it advertises the extension
//     whatever its backends do. With VersionedURIs each list would read the apps of
//     all backends.
//   - A feature flag that turns apps off: DisableApps. For some clients only:
//     StripUIForText and OmitAppToolsForText, with a middleware that applies
//     [WithClientSupport].
//   - Hosts or CDNs that cache documents, and old conversations that should show
//     the new build: VersionedURIs.
//   - Agents without UI, whose lists should be small: StripUIForText and
//     OmitAppToolsForText, and what their comments say of hosts that declare nothing.
//   - Documents of 100 kB and more that are read often: PlainReadResults.
//   - People who pick resources from the server's list: UnlistResources.
//   - A validator that rejects the deprecated key: OmitLegacyURI.
//
// Options are compared with ==.
type Options struct {
	// DisableApps turns the apps of the server off, for a feature flag, whatever
	// is registered: the server does not advertise the extension, its lists have
	// no app-only tools, no _meta.ui or other key that names an app, and no app
	// resources, and every client counts as [SupportNone], so that [TextFor]
	// gives the full text. Apps stay readable, for conversations that show one.
	DisableApps bool
	// OmitLegacyURI leaves the flat key [LegacyResourceURIKey] out of
	// tools/list, for every tool of the server. Hosts that read only that key
	// then show text.
	OmitLegacyURI bool
	// StripUIForText leaves _meta.ui and the flat key out of tools/list, and out of
	// results that name a view, for clients that are known to have no UI
	// ([SupportNone]). Lists then differ between clients, so all of them have cacheScope
	// "private".
	//
	// A client that declares no UI may show apps all the same: some declare nothing, and
	// some hosts use several clients for one connector, list first with one that
	// declares nothing, and keep that list for the others. Their users lose the views
	// until they add the connector again; package check reports it as capability-gated.
	// So leave this off unless you know your clients, or add KeepViews of package compat
	// after Enable, since it has no effect if it is added before: clients that are known
	// to show apps are then [SupportUnknown], whatever they declare. For hosts of your
	// own, a middleware that applies [WithClientSupport] does the same.
	//
	// Keys of other vendors that name a view, such as openai/outputTemplate, stay in the
	// list and in results. DisableApps removes that one too.
	StripUIForText bool
	// OmitAppToolsForText leaves tools that the model may not see out of
	// tools/list for clients that are known to have no UI, with the same effect
	// on cacheScope and the same risk: where a host keeps such a list, its views can't
	// call those tools. Hosts with a UI need them in the list and hide them from the
	// model themselves.
	OmitAppToolsForText bool
	// UnlistResources keeps app resources and their templates out of
	// resources/list and resources/templates/list. They stay readable, and
	// hosts find them through tools. A few hosts take the CSP from the list, and
	// then block every external origin.
	UnlistResources bool
	// VersionedURIs appends a hash of an app's document and metadata to its URI
	// in lists, as in "ui://hello/index.html?v=0123456789ab". Hosts cache
	// documents by URI, and otherwise keep showing the old one after an update.
	// Reading any version, or the URI without one, returns the current document,
	// so old URIs keep working; a subscription to any of them is one to the app, and
	// the client is notified under the URI that it subscribed to. To compute the
	// hashes, each tools/list and resources/list reads the listed apps on behalf of
	// the client, at most four at a time, so the next list shows an edit. An app that
	// can't be read, or not within a second, or not within two with all others, is
	// listed without a version. These lists have cacheScope "private", since clients
	// may read different documents.
	//
	// Documents of [HTML], and of [HTMLFile] with an embed.FS, are read once, those of
	// [HTMLFunc] by a call of the function alone, and a document that is the same
	// string as before is not hashed again: a list of such apps costs about a tenth
	// more than without the option. Middleware added before Enable sees a read of each
	// app for each list, which costs up to 2.5 times as much: add it after Enable, unless
	// it decides what a client may read.
	VersionedURIs bool
	// PlainReadResults answers resources/read for apps with a result type that
	// encodes faster than the SDK's, to the same JSON. Middleware added after
	// [Enable] then does not see a *mcp.ReadResourceResult.
	PlainReadResults bool
	// KeepSchemas leaves the schemas in tools/list as the SDK has them.
	// Otherwise each *jsonschema.Schema is encoded once per process, true as the
	// schema of a property becomes {}, because clients reject true, and
	// middleware added after [Enable] sees json.RawMessage. Set it if the program
	// changes schemas after they were first listed, or if it clones them for each
	// server: encodings are found by the schema's pointer, so those of clones are
	// used once. Servers share schemas by the tools that they register, or by
	// ServerOptions.SchemaCache.
	KeepSchemas bool
}

// names returns the names of the options that are set.
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

// server is this package's state for one server. The server's middleware holds
// it, so it must not refer to the server, which could then not be collected.
type server struct {
	opts     Options
	versions *versioner // nil without Options.VersionedURIs
	install  sync.Once  // of the middleware
	// announces is set once the lists were announced: see announceLists.
	announces atomic.Bool
}

var servers struct {
	sync.Mutex
	m map[weak.Pointer[mcp.Server]]*server
}

// Enable makes s advertise the MCP Apps extension and sets the options for it.
// The first Register function called on a server calls it with nil options, which
// keep those already set, or else set the defaults. Enable may be called any
// number of times, from any goroutine, and takes effect with the next request.
//
// Enable panics if opts differ from the options in force, defaults set by a
// Register function included: call it before the first Register function.
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
		if sv.opts.VersionedURIs {
			sv.versions = newVersioner()
			sv.versions.readsOnly = sv.opts.DisableApps // of URIs that were listed before
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
	// Outside of the lock that all servers share: this server's own lock may be
	// held while it produces a list.
	sv.install.Do(func() {
		s.AddReceivingMiddleware(sv.middleware)
		if sv.versions != nil {
			s.AddSendingMiddleware(sv.versions.sendingMiddleware)
		}
	})
	return sv
}

func forget(key weak.Pointer[mcp.Server]) {
	servers.Lock()
	defer servers.Unlock()
	delete(servers.m, key)
}

// middleware changes outgoing results, always on copies: the SDK returns the
// registered pointers, and inner middleware may share its results between
// requests. Each copy has a Meta of its own, because the SDK writes the server's
// name into it.
func (sv *server) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	off := sv.opts.DisableApps
	if sv.opts.VersionedURIs {
		next = sv.versions.middleware(next)
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if off {
			ctx = WithClientSupport(ctx, SupportNone)
		}
		res, err := next(ctx, method, req)
		if err != nil || jsonvalue.IsNil(res) {
			return res, err
		}
		switch r := sv.withoutAnnounced(res).(type) {
		case *mcp.InitializeResult:
			if off {
				return res, nil
			}
			rememberHandshake(req)
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Capabilities = advertise(r.Capabilities)
			return &c, nil
		case *mcp.DiscoverResult:
			if off {
				return res, nil
			}
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
		case *mcp.CallToolResult:
			return sv.callResult(ctx, req, r), nil
		case *mcp.ReadResourceResult:
			if sv.opts.PlainReadResults {
				return plainRead(r), nil
			}
		}
		return res, nil
	}
}
