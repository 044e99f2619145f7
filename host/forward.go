package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// forward sends one request of the view to its server and nowhere else. meta is the
// view's own _meta. Keys that the protocol reserves are left out, since they are
// the client's to set. The progress token is replaced by one that is unique in this
// client, and mapped back.
func (b *Bridge) forward(ctx context.Context, in *incoming, name string, meta map[string]json.RawMessage, send func(context.Context, mcp.Meta) (any, error)) (json.RawMessage, error) {
	f := &Forwarded{Method: in.method, Name: name}
	x := &exchange{rawOnly: true, most: b.listItems(in.method)}
	for k, v := range meta {
		switch {
		case k == "progressToken":
			if b.link.own != nil && in.method == "tools/call" {
				x.token = newToken()
				x.progress = func(params json.RawMessage) { b.progress(in, v, params) }
			}
		case reservedMeta(k):
		default:
			if f.Meta == nil {
				f.Meta = mcp.Meta{}
			}
			f.Meta[k] = v
		}
	}
	next := func(ctx context.Context) (json.RawMessage, error) {
		m := f.Meta
		if x.token != "" {
			m = make(mcp.Meta, len(f.Meta)+1)
			for k, v := range f.Meta {
				m[k] = v
			}
			m["progressToken"] = x.token
		}
		start := time.Now()
		raw, err := do(ctx, x, func(ctx context.Context) (any, error) { return send(ctx, m) })
		if b.link.own != nil {
			err = b.link.own.explain(ctx, err, start)
		}
		return raw, err
	}
	if b.opts.Forward != nil {
		raw, err := b.opts.Forward(ctx, f, next)
		if err == nil && (!isObject(raw) || !json.Valid(raw)) {
			err = fmt.Errorf("the host's Forward callback did not return a result for %s: it must return what next returns", in.method)
		}
		return raw, err
	}
	return next(ctx)
}

// listItems returns how many items a page of a list may have, 0 for other requests.
func (b *Bridge) listItems(method string) int {
	if !strings.HasSuffix(method, "/list") {
		return 0
	}
	return b.link.catalog.bounds.items
}

// reservedMeta reports whether a key of _meta is the protocol's own, such as
// the client's capabilities of protocol version 2026-07-28.
func reservedMeta(key string) bool {
	prefix, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}
	labels := strings.Split(strings.ToLower(prefix), ".")
	return len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp") ||
		slices.Contains(labels, "modelcontextprotocol")
}

// progress tells the view of progress under its own token.
func (b *Bridge) progress(in *incoming, token, params json.RawMessage) {
	var m map[string]json.RawMessage
	if json.Unmarshal(params, &m) != nil {
		return
	}
	m["progressToken"] = token
	b.mu.Lock()
	if b.incoming[string(in.id)] == in && in.ctx.Err() == nil && b.phase == phaseReady {
		b.notify("notifications/progress", mustJSON(m))
	}
	b.release()
}

// server returns an error if the view has no server, or one without the feature.
func (b *Bridge) server(method string, has func(*mcp.ServerCapabilities) bool) error {
	if b.link == nil || !has(b.link.serverCapabilities()) {
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("the view's server has no %s", method)}
	}
	return nil
}

func hasTools(c *mcp.ServerCapabilities) bool     { return c.Tools != nil }
func hasResources(c *mcp.ServerCapabilities) bool { return c.Resources != nil }
func hasPrompts(c *mcp.ServerCapabilities) bool   { return c.Prompts != nil }

func (b *Bridge) readResource(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if result, handled, err := b.answerRead(ctx, in); handled || err != nil {
		return result, err
	}
	if err := b.server(in.method, hasResources); err != nil {
		return nil, err
	}
	var p struct {
		URI  *string                    `json:"uri"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("resources/read: %v", err)
	}
	if p.URI == nil {
		return nil, invalidParams("resources/read: uri is missing")
	}
	if !strings.HasPrefix(*p.URI, "ui://") && (b.opts.AllowRead == nil || !b.opts.AllowRead(*p.URI)) {
		return nil, denied("resources/read: %s is outside ui://, and this host lets views read nothing else", clip([]byte(*p.URI)))
	}
	return b.forward(ctx, in, *p.URI, p.Meta, func(ctx context.Context, meta mcp.Meta) (any, error) {
		return b.link.session.ReadResource(ctx, &mcp.ReadResourceParams{Meta: meta, URI: *p.URI})
	})
}

// A lister is one of the server's lists: which servers have it, and how it is
// fetched.
type lister struct {
	has  func(*mcp.ServerCapabilities) bool
	send func(ctx context.Context, s *mcp.ClientSession, meta mcp.Meta, cursor string) (any, error)
}

// serve forwards a page of the list as it is.
func (l lister) serve(b *Bridge, ctx context.Context, in *incoming) (json.RawMessage, error) {
	if err := b.server(in.method, l.has); err != nil {
		return nil, err
	}
	var p struct {
		Cursor string                     `json:"cursor"`
		Meta   map[string]json.RawMessage `json:"_meta"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("%s: %v", in.method, err)
	}
	return b.forward(ctx, in, "", p.Meta, func(ctx context.Context, meta mcp.Meta) (any, error) {
		return l.send(ctx, b.link.session, meta, p.Cursor)
	})
}

var (
	serverTools = lister{hasTools, func(ctx context.Context, s *mcp.ClientSession, meta mcp.Meta, cursor string) (any, error) {
		return s.ListTools(ctx, &mcp.ListToolsParams{Meta: meta, Cursor: cursor})
	}}
	serverResources = lister{hasResources, func(ctx context.Context, s *mcp.ClientSession, meta mcp.Meta, cursor string) (any, error) {
		return s.ListResources(ctx, &mcp.ListResourcesParams{Meta: meta, Cursor: cursor})
	}}
	serverTemplates = lister{hasResources, func(ctx context.Context, s *mcp.ClientSession, meta mcp.Meta, cursor string) (any, error) {
		return s.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Meta: meta, Cursor: cursor})
	}}
	serverPrompts = lister{hasPrompts, func(ctx context.Context, s *mcp.ClientSession, meta mcp.Meta, cursor string) (any, error) {
		return s.ListPrompts(ctx, &mcp.ListPromptsParams{Meta: meta, Cursor: cursor})
	}}
)

// listChanged passes a list_changed of the server on to an initialized view.
func (b *Bridge) listChanged(method string) {
	b.mu.Lock()
	if b.phase == phaseReady {
		b.notify(method, emptyObject)
	}
	b.release()
}
