package mcpapps

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// subscriptions are the versioned URIs under which each session subscribed to an
// app. The SDK knows the subscription by the URI without a version, which the
// author knows and calls ResourceUpdated with; the client is notified under the
// URIs that it knows.
type subscriptions struct {
	mu sync.Mutex
	m  map[weak.Pointer[mcp.ServerSession]]map[string][]subscription // by session and base URI
}

// A subscription is one of a session to an app. renew subscribes once more, after
// the SDK has ended all subscriptions of the session to the app with one of them;
// it is nil if the SDK knows only the first and the last.
type subscription struct {
	uri   string // that the client sent
	renew func()
}

// maxSubscriptions bounds the subscriptions of a session to one app. Above it, the
// oldest is forgotten: a client can make up any number of versions, and each update
// is sent under each.
const maxSubscriptions = 100

// add adds a subscription, and reports whether it is the first of the session to
// the app.
func (s *subscriptions) add(ss *mcp.ServerSession, base string, sub subscription) (first bool) {
	key := weak.Make(ss)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[weak.Pointer[mcp.ServerSession]]map[string][]subscription)
	}
	if s.m[key] == nil {
		s.m[key] = make(map[string][]subscription)
		runtime.AddCleanup(ss, s.forget, key)
	}
	list := s.m[key][base]
	if sub.renew == nil && slices.ContainsFunc(list, func(other subscription) bool { return other.uri == sub.uri }) {
		return false // as the SDK does, which knows a session once for each URI
	}
	first = len(list) == 0
	if len(list) >= maxSubscriptions {
		list = slices.Clone(list[1:])
	}
	s.m[key][base] = append(list, sub)
	return first
}

func (s *subscriptions) forget(key weak.Pointer[mcp.ServerSession]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, key)
}

// remove removes a subscription, and returns those that remain of the session to
// the app.
func (s *subscriptions) remove(ss *mcp.ServerSession, base, uri string) []subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.m[weak.Make(ss)]
	list := of[base]
	if i := slices.IndexFunc(list, func(sub subscription) bool { return sub.uri == uri }); i >= 0 {
		list = slices.Concat(list[:i], list[i+1:])
	}
	if len(list) > 0 {
		of[base] = list
	} else {
		delete(of, base)
	}
	return list
}

// uris returns the URIs under which a session subscribed to an app, each once.
func (s *subscriptions) uris(ss *mcp.ServerSession, base string) (uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.m[weak.Make(ss)][base] {
		if !slices.Contains(uris, sub.uri) {
			uris = append(uris, sub.uri)
		}
	}
	return uris
}

const (
	methodSubscribe    = "resources/subscribe"
	methodUnsubscribe  = "resources/unsubscribe"
	methodListen       = "subscriptions/listen"
	methodUpdated      = "notifications/resources/updated"
	methodAcknowledged = "notifications/subscriptions/acknowledged"
)

// subscription handles a request about subscriptions to apps. It reports false for
// all other requests.
func (v *versioner) subscription(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error, bool) {
	switch r := req.(type) {
	case *mcp.SubscribeRequest:
		if method == methodSubscribe && r != nil && r.Session != nil && r.Params != nil {
			res, err := v.subscribe(ctx, next, r)
			return res, err, true
		}
	case *mcp.UnsubscribeRequest:
		if method == methodUnsubscribe && r != nil && r.Session != nil && r.Params != nil {
			res, err := v.unsubscribe(ctx, next, r)
			return res, err, true
		}
	case *mcp.SubscriptionsListenRequest:
		if method == methodListen && r != nil && r.Session != nil && r.Params != nil && r.Params.Notifications != nil && len(r.Params.Notifications.ResourceSubscriptions) > 0 {
			res, err := v.listen(ctx, next, r)
			return res, err, true
		}
	}
	return nil, nil, false
}

func (v *versioner) subscribe(ctx context.Context, next mcp.MethodHandler, req *mcp.SubscribeRequest) (mcp.Result, error) {
	uri := req.Params.URI
	base := v.base(uri)
	if !v.subs.add(req.Session, base, subscription{uri: uri}) {
		return ok(ctx, next, req.Session)
	}
	r, p := *req, *req.Params
	p.URI = base
	r.Params = &p
	res, err := next(ctx, methodSubscribe, &r)
	if err != nil {
		v.subs.remove(req.Session, base, uri)
	}
	return res, err
}

func (v *versioner) unsubscribe(ctx context.Context, next mcp.MethodHandler, req *mcp.UnsubscribeRequest) (mcp.Result, error) {
	base := v.base(req.Params.URI)
	if len(v.subs.remove(req.Session, base, req.Params.URI)) > 0 {
		return ok(ctx, next, req.Session)
	}
	r, p := *req, *req.Params
	p.URI = base
	r.Params = &p
	return next(ctx, methodUnsubscribe, &r)
}

// ok returns the SDK's empty result, whose type it keeps to itself.
func ok(ctx context.Context, next mcp.MethodHandler, ss *mcp.ServerSession) (mcp.Result, error) {
	return next(ctx, "ping", &mcp.ServerRequest[*mcp.PingParams]{Session: ss, Params: &mcp.PingParams{}})
}

// asked is the key of a context value: the URIs of a subscriptions/listen by base.
type asked struct{}

// listen handles a stream of notifications, which lasts as long as the request.
func (v *versioner) listen(ctx context.Context, next mcp.MethodHandler, req *mcp.SubscriptionsListenRequest) (mcp.Result, error) {
	r, p, n := *req, *req.Params, *req.Params.Notifications
	uris := make(map[string][]string)
	n.ResourceSubscriptions = nil
	for _, uri := range req.Params.Notifications.ResourceSubscriptions {
		base := v.base(uri)
		if uris[base] == nil {
			n.ResourceSubscriptions = append(n.ResourceSubscriptions, base)
		}
		uris[base] = append(uris[base], uri)
		v.subs.add(req.Session, base, subscription{uri: uri, renew: func() {
			if ctx.Err() == nil {
				_, _ = next(ctx, methodSubscribe, &mcp.SubscribeRequest{Session: req.Session, Params: &mcp.SubscribeParams{URI: base, Meta: maps.Clone(req.Params.Meta)}})
			}
		}})
	}
	p.Notifications, r.Params = &n, &p
	res, err := next(context.WithValue(ctx, asked{}, uris), methodListen, &r)
	for base, list := range uris {
		var remaining []subscription
		for _, uri := range list {
			remaining = v.subs.remove(req.Session, base, uri)
		}
		if len(remaining) > 0 && remaining[len(remaining)-1].renew != nil {
			remaining[len(remaining)-1].renew()
		}
	}
	return res, err
}

// sendingMiddleware sends notifications about apps under the URIs that the client
// subscribed to.
func (v *versioner) sendingMiddleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case methodUpdated:
			ss, _ := req.GetSession().(*mcp.ServerSession)
			p, _ := req.GetParams().(*mcp.ResourceUpdatedNotificationParams)
			if ss == nil || p == nil {
				break
			}
			uris := v.subs.uris(ss, p.URI)
			for i, uri := range uris {
				c := *p
				c.URI, c.Meta = uri, maps.Clone(p.Meta)
				res, err := next(ctx, method, withParams(req, ss, &c))
				if err != nil || i == len(uris)-1 {
					return res, err
				}
			}
		case methodAcknowledged:
			ss, _ := req.GetSession().(*mcp.ServerSession)
			p, _ := req.GetParams().(*mcp.SubscriptionsAcknowledgedParams)
			uris, _ := ctx.Value(asked{}).(map[string][]string)
			if ss == nil || p == nil || uris == nil {
				break
			}
			c := *p
			c.Notifications.ResourceSubscriptions = nil
			for _, base := range p.Notifications.ResourceSubscriptions {
				c.Notifications.ResourceSubscriptions = append(c.Notifications.ResourceSubscriptions, uris[base]...)
			}
			return next(ctx, method, withParams(req, ss, &c))
		}
		return next(ctx, method, req)
	}
}

// withParams returns a request of the same type as req, which the SDK has two of.
func withParams[P mcp.Params](req mcp.Request, ss *mcp.ServerSession, p P) mcp.Request {
	if _, ok := req.(*mcp.ServerRequest[P]); ok {
		return &mcp.ServerRequest[P]{Session: ss, Params: p}
	}
	return &mcp.ServerRequest[mcp.Params]{Session: ss, Params: p}
}
