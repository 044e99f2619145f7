package mcpapps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NotifyResourcesChanged tells the clients of s that the documents at the URIs of apps
// have changed: after a new registration, after an edit that a handler serves from now
// on, or after a tool has changed what they hold. Clients that subscribed to one of the
// URIs get notifications/resources/updated for it, and all clients that listen get
// notifications/resources/list_changed, which hosts pass on to open views. Without URIs
// only the latter is sent. For resources that are not apps, call
// [mcp.Server.ResourceUpdated].
//
// Give the URIs that were registered: a ui:// URI that was not, a misspelled one for
// example, is not reported as an error. With [Options].VersionedURIs a client is notified
// under the versions that it subscribed to, and because the next lists name new versions,
// it gets notifications/tools/list_changed too: hosts take an app's URI from the tool.
// Without, the URIs stay the same, and a host that ignores both notifications goes on
// showing what it has cached.
//
// The lists are announced some milliseconds later, once for calls that follow each other
// at that distance, and never if the server's capabilities say that its lists don't
// change. Clients can subscribe only if [mcp.ServerOptions] has a SubscribeHandler. Only
// clients that are connected to s are told, so a server that is made for each request
// tells nobody.
//
// It returns an error, and sends nothing, if s is nil, if ctx has ended, or if one of
// the URIs is not a ui:// URI.
func NotifyResourcesChanged(ctx context.Context, s *mcp.Server, uris ...string) error {
	const call = "NotifyResourcesChanged"
	if s == nil {
		return fmt.Errorf("mcpapps.%s: the server is nil", call)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("mcpapps.%s: %w", call, err)
	}
	for _, uri := range uris {
		if err := appuri.Validate(uri); err != nil {
			return fmt.Errorf("mcpapps.%s: the URI %w", call, err)
		}
	}
	sv := enable(call, s, nil)
	var failed error
	for _, uri := range uris {
		if sv.versions != nil {
			uri = sv.versions.base(uri)
		}
		failed = errors.Join(failed, s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}))
	}
	sv.announceLists(s)
	if failed != nil {
		return fmt.Errorf("mcpapps.%s: %w", call, failed)
	}
	return nil
}

// The SDK announces a list only if an entry is added to it or removed. So these entries
// are both, at once; lists are made without them, and whoever uses one is told that it
// does not exist.
const (
	announcedURI  = "mcpapps:announced"
	announcedTool = "mcpapps.announced"
)

func (sv *server) announceLists(s *mcp.Server) {
	sv.announces.Store(true)
	addAnnouncedURI(s)
	s.RemoveResources(announcedURI)
	if sv.versions != nil && !sv.versions.readsOnly {
		addAnnouncedTool(s)
		s.RemoveTools(announcedTool)
	}
}

func addAnnouncedURI(s *mcp.Server) {
	s.AddResource(&mcp.Resource{URI: announcedURI, Name: announcedURI}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	})
}

func addAnnouncedTool(s *mcp.Server) {
	s.AddTool(&mcp.Tool{Name: announcedTool, InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", announcedTool)}
	})
}

// withoutAnnounced returns a list without the entry that announces it.
func (sv *server) withoutAnnounced(res mcp.Result) mcp.Result {
	if !sv.announces.Load() {
		return res
	}
	switch r := res.(type) {
	case *mcp.ListToolsResult:
		is := func(t *mcp.Tool) bool { return t != nil && t.Name == announcedTool }
		if slices.ContainsFunc(r.Tools, is) {
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Tools = slices.DeleteFunc(slices.Clone(r.Tools), is)
			return &c
		}
	case *mcp.ListResourcesResult:
		is := func(r *mcp.Resource) bool { return r != nil && r.URI == announcedURI }
		if slices.ContainsFunc(r.Resources, is) {
			c := *r
			c.Meta = maps.Clone(r.Meta)
			c.Resources = slices.DeleteFunc(slices.Clone(r.Resources), is)
			return &c
		}
	}
	return res
}
