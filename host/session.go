package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/throttle"
)

// A session is one connection to the server, from its handshake to its end. A
// Connection makes another after it.
type session struct {
	sdk     *mcp.ClientSession
	catalog *catalog
	why     *endReason

	ctx    context.Context // ends with the session
	cancel context.CancelCauseFunc
	ended  chan struct{} // closed when gone is set
	exited chan struct{} // closed when the transport is closed and a command's process has ended
	done   chan struct{} // closed when everything is cleaned up; callbacks may still run

	isCommand bool
	asking    atomic.Int32 // requests of the server that are open
	endNotice time.Duration

	mu      sync.Mutex
	bridges map[*Bridge]struct{}
	changed map[string]*throttle.Throttle // by method
	gone    error
}

func (c *Connection) dial(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.ConnectTimeout,
		fmt.Errorf("no answer to the handshake within %v", c.opts.ConnectTimeout))
	defer cancel()
	s := &session{why: newEndReason(), done: make(chan struct{}), ended: make(chan struct{}), exited: make(chan struct{}), bridges: make(map[*Bridge]struct{}), isCommand: len(c.target.Command) > 0, endNotice: c.opts.endNotice}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.catalog = newCatalog(nil, listBounds{pages: c.opts.ListPages, items: c.opts.ListItems, bytes: c.opts.ListBytes, timeout: c.opts.ListTimeout})
	s.catalog.own = s
	transport, err := c.target.transport(ctx, &c.opts)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", c.target, err)
	}
	client := mcp.NewClient(c.opts.ClientInfo, c.clientOptions(s))
	client.AddReceivingMiddleware(s.endHandlers, dropInvalidDefaults)
	if !c.opts.KeepDocuments {
		client.AddSendingMiddleware(freshDocuments)
	}
	var session *mcp.ClientSession
	connected := make(chan struct{})
	// The SDK waits for a silent server longer than the context allows.
	err = within(ctx, func() (err error) {
		defer close(connected)
		session, err = client.Connect(ctx, endTransport{transport, s.why}, &mcp.ClientSessionOptions{ProtocolVersion: c.opts.ProtocolVersion})
		if err == nil && ctx.Err() != nil {
			session.Close()
			err = context.Cause(ctx)
		}
		return err
	}, s.why.abandon)
	if err != nil {
		s.cancel(err)
		s.endProcess()
		if s.isCommand { // the process may only just be starting, to be ended then
			select {
			case <-connected:
			case <-time.After(closeTimeout):
			}
		}
		if w := s.why.get(); w != nil && ctx.Err() == nil {
			err = w
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = s.why.withNoise(err, time.Time{})
		}
		if c.target.URL != "" {
			err = c.target.withHint(err)
		}
		return nil, fmt.Errorf("connecting to %s: %w", c.target, err)
	}
	s.sdk, s.catalog.session = session, session
	if caps := session.InitializeResult().Capabilities; caps != nil && caps.Tools != nil && caps.Tools.ListChanged {
		s.catalog.max = 0
	}
	go s.wait()
	return s, nil
}

// wait ends the session when the SDK's session has ended, or when its connection
// failed: the SDK then still waits for handlers of the server's own requests.
func (s *session) wait() {
	waited := make(chan error, 1)
	go func() { waited <- s.sdk.Wait() }()
	var err error
	select {
	case err = <-waited:
	case <-s.why.ended:
	}
	if w := s.why.get(); w != nil {
		err = w
	}
	if err == nil {
		err = errors.New("the server ended the connection")
	}
	s.end(err)
}

// maxServerRequests bounds the server's own requests that are open at the same time.
// Each keeps a goroutine, and perhaps a question to the user.
const maxServerRequests = 64

// endHandlers is middleware that bounds the server's own requests, and cancels their
// handlers, such as one that asks the user something, when the session ends.
func (s *session) endHandlers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !strings.HasPrefix(method, "notifications/") {
			defer s.asking.Add(-1)
			if s.asking.Add(1) > maxServerRequests {
				return nil, denied("too many requests at once: %d are open", maxServerRequests)
			}
		}
		ctx, cancel := s.bound(ctx)
		defer cancel(nil)
		return next(ctx, method, req)
	}
}

// bound returns a context that also ends with the session.
func (s *session) bound(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return ctx, func(err error) {
		stop()
		cancel(err)
	}
}

// clientOptions adds the extension and the listeners for changed lists.
func (c *Connection) clientOptions(s *session) *mcp.ClientOptions {
	var o mcp.ClientOptions
	if c.opts.Client != nil {
		o = *c.opts.Client
	}
	if !c.opts.TextOnly {
		appclient.EnableClient(&o)
	}
	o.ElicitationHandler = checkedElicitation(o.ElicitationHandler)
	tools, prompts, resources := o.ToolListChangedHandler, o.PromptListChangedHandler, o.ResourceListChangedHandler
	o.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		s.catalog.invalidate()
		s.listChanged("notifications/tools/list_changed")
		if tools != nil {
			tools(ctx, req)
		}
	}
	o.PromptListChangedHandler = func(ctx context.Context, req *mcp.PromptListChangedRequest) {
		s.listChanged("notifications/prompts/list_changed")
		if prompts != nil {
			prompts(ctx, req)
		}
	}
	o.ResourceListChangedHandler = func(ctx context.Context, req *mcp.ResourceListChangedRequest) {
		s.listChanged("notifications/resources/list_changed")
		if resources != nil {
			resources(ctx, req)
		}
	}
	return &o
}

// end closes the session and, with the reason, its bridges. It waits for the
// program's callbacks, at most closeTimeout in all.
func (s *session) end(reason error) {
	s.mu.Lock()
	if s.gone != nil {
		s.mu.Unlock()
		<-s.done
		return
	}
	s.gone = reason
	close(s.ended)
	bridges := s.bridges
	s.bridges = nil
	for _, t := range s.changed {
		t.Stop()
	}
	s.mu.Unlock()
	var closing sync.WaitGroup
	for b := range bridges {
		closing.Go(func() { b.lost(reason) })
	}
	s.cancel(fmt.Errorf("the server is gone: %w", reason))
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = within(ctx, s.sdk.Close, s.why.abandon)
	s.endProcess()
	close(s.exited)
	for b := range bridges {
		<-b.done
	}
	close(s.done)
	_ = within(ctx, func() error { closing.Wait(); return nil }, func() {})
}

// endProcess ends the process of a command, in case the SDK left it running.
func (s *session) endProcess() {
	if s.isCommand {
		s.why.abandon()
	}
}

// awaitProcess waits until the process of a session that is ending has ended. For
// other targets, and for a nil session, it returns at once.
func (s *session) awaitProcess(ctx context.Context) error {
	if s == nil || !s.isCommand {
		return nil
	}
	select {
	case <-s.exited:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// listChanged notifies the views, at most once per second per list. A change
// during that second is notified at its end.
func (s *session) listChanged(method string) {
	s.mu.Lock()
	t := s.changed[method]
	if t == nil {
		t = throttle.New(time.Second, func() { s.each(func(b *Bridge) { b.listChanged(method) }) })
		if s.changed == nil {
			s.changed = make(map[string]*throttle.Throttle)
		}
		s.changed[method] = t
	}
	gone := s.gone != nil
	s.mu.Unlock()
	if !gone {
		t.Call()
	}
}

// add registers a bridge, to be closed with the session. It fails if one of the two
// has closed.
func (s *session) add(b *Bridge) error {
	s.mu.Lock()
	gone := s.gone
	if gone == nil {
		s.bridges[b] = struct{}{}
	}
	s.mu.Unlock()
	if gone != nil {
		return gone
	}
	// A bridge that closed earlier was removed earlier, and would stay for ever.
	b.mu.Lock()
	err := b.open()
	b.mu.Unlock()
	if err != nil {
		s.remove(b)
	}
	return err
}

func (s *session) remove(b *Bridge) {
	s.mu.Lock()
	delete(s.bridges, b)
	s.mu.Unlock()
}

func (s *session) each(f func(*Bridge)) {
	s.mu.Lock()
	bridges := make([]*Bridge, 0, len(s.bridges))
	for b := range s.bridges {
		bridges = append(bridges, b)
	}
	s.mu.Unlock()
	for _, b := range bridges {
		f(b)
	}
}
