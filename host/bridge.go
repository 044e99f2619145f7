package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// ErrClosed is the error of everything that is asked of a closed bridge.
var ErrClosed = errors.New("the view is closed")

// A Bridge is the host's end of one open view. Make one with [Server.Open], or
// with [NewBridge] on a session made elsewhere; give it a transport with
// [Bridge.Attach], and every message of the view with [Bridge.Receive].
//
// Nothing is sent to the view before its ui/notifications/initialized but the
// answers to its requests. What the bridge is given earlier waits: the tool's
// input, the result, the newest partial input, the changes of the context. A
// document that loads again and shakes hands again gets input and result again.
type Bridge struct {
	opts    ViewOptions
	link    *link    // the server connection that owns the view
	opening *opening // nil unless Server.Open made the bridge

	ctx    context.Context // ends when the bridge closes
	cancel context.CancelCauseFunc

	mu        sync.Mutex
	phase     phase
	transport Transport
	out       []json.RawMessage // waits for the transport
	outBytes  int
	sending   bool
	rate      bucket

	app      AppInfo // what the view said of itself in ui/initialize
	load     int     // counts handshakes, so that ids of an earlier document are told apart
	incoming map[string]*incoming
	running  int
	waiting  []*incoming

	calls  map[string]*outgoing // our requests to the view, by id
	nextID int64

	delivery delivery
	ctxNow   map[string]json.RawMessage
	ctxKnown map[string]json.RawMessage // what the view was told

	modelContext  *ModelContext
	appTools      *throttle // nil: nobody asks
	proxyReady    bool      // a sandbox proxy asked for the document
	documentGiven bool
	violations    reports

	done chan struct{}
}

// AppInfo is what a view said of itself in ui/initialize.
type AppInfo struct {
	Info                  mcp.Implementation
	ProtocolVersion       string
	AvailableDisplayModes []DisplayMode // nil: not declared
	Tools                 bool          // it offers tools
	ToolsListChanged      bool
	Capabilities          json.RawMessage // the appCapabilities object as it came
}

type phase int

const (
	phaseNew     phase = iota // waiting for ui/initialize
	phaseGreeted              // answered it, waiting for ui/notifications/initialized
	phaseReady
	phaseClosing // ui/resource-teardown is out
	phaseClosed
)

// NewBridge returns the bridge of a view whose tools and resources belong to
// session; nil gives a view without a server. It panics on a Context that
// [Context.Validate] refuses.
//
// It opens nothing by itself: the program reads the app ([mcpapps.ReadApp]) for
// ViewOptions.App, calls the tool, and gives the view both input and result by
// [Bridge.SendToolInput] and [Bridge.SendToolResult]. Where only the transport is
// the program's own, [Connect] with Target.Transport has [Server.Open] for that.
//
// On a session that [Connect] made, use [Server.NewBridge]: through a session
// made elsewhere results pass the SDK's types, so that unknown fields and the
// precision of numbers over 2^53 are lost, progress of the view's calls is not
// delivered, a cancellation's reason is the SDK's own, and lists are asked for
// again only after a while, since nobody tells the bridge that they changed.
func NewBridge(session *mcp.ClientSession, opts *ViewOptions) *Bridge {
	var l *link
	if session != nil {
		l = &link{session: session, catalog: newCatalog(session, listBounds{})}
	}
	b, err := newBridge(l, opts)
	if err != nil {
		panic("host.NewBridge: " + err.Error())
	}
	return b
}

func newBridge(l *link, opts *ViewOptions) (*Bridge, error) {
	b := &Bridge{link: l, done: make(chan struct{})}
	if opts != nil {
		b.opts = *opts
	}
	b.opts.Limits = b.opts.Limits.withDefaults()
	if b.opts.HostInfo == nil {
		b.opts.HostInfo = &mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}
	}
	fields, err := b.opts.Context.fields()
	if err != nil {
		return nil, fmt.Errorf("ViewOptions.Context: %w", err)
	}
	b.opts.Context = b.opts.Context.clone()
	b.ctxNow = fields
	b.setToolInfo(b.opts.Tool, nil)
	if f := b.opts.AppToolsChanged; f != nil {
		b.appTools = &throttle{every: time.Second, f: f}
	}
	b.ctx, b.cancel = context.WithCancelCause(context.Background())
	return b, nil
}

func (b *Bridge) setToolInfo(tool *mcp.Tool, raw json.RawMessage) {
	if info := toolInfo(tool, raw); info != nil {
		b.ctxNow["toolInfo"] = info
	}
}

// Attach gives the bridge the transport to its view, or another one in place
// of the last: a frame that was moved or made anew. Messages that wait go to
// it.
func (b *Bridge) Attach(t Transport) {
	b.mu.Lock()
	b.transport = t
	b.unlock()
}

// AppInfo returns what the view said of itself, and whether it has said it.
func (b *Bridge) AppInfo() (AppInfo, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.app, b.load > 0
}

// Ready reports whether the view is initialized and not being closed.
func (b *Bridge) Ready() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.phase == phaseReady
}

// Done is closed when the bridge is.
func (b *Bridge) Done() <-chan struct{} { return b.done }

// Err returns why the bridge closed, and nil before.
func (b *Bridge) Err() error {
	select {
	case <-b.done:
		return context.Cause(b.ctx)
	default:
		return nil
	}
}

// post queues a message for the view. b.mu is held; unlock sends.
func (b *Bridge) post(msg json.RawMessage) {
	if b.phase == phaseClosed {
		return
	}
	b.out = append(b.out, msg)
	b.outBytes += len(msg)
}

// unlock releases b.mu and sends what is queued. One goroutine at a time sends,
// without the lock, so that a transport may call Receive from Send.
func (b *Bridge) unlock() {
	if b.outBytes > b.opts.Limits.QueueBytes {
		n := b.outBytes
		b.out, b.outBytes = nil, 0
		b.mu.Unlock()
		b.fail(fmt.Errorf("the view's transport took nothing until %d bytes waited for it", n))
		return
	}
	if b.sending || len(b.out) == 0 || b.transport == nil {
		b.mu.Unlock()
		return
	}
	b.sending = true
	for len(b.out) > 0 && b.transport != nil {
		batch, t := b.out, b.transport
		b.out = nil
		b.mu.Unlock()
		sent := 0
		var err error
		for _, msg := range batch {
			b.trace(ToView, msg)
			if err = t.Send(msg); err != nil {
				break
			}
			sent += len(msg)
		}
		b.mu.Lock()
		if err != nil {
			b.out, b.outBytes, b.sending = nil, 0, false
			b.mu.Unlock()
			b.fail(fmt.Errorf("sending to the view: %w", err))
			return
		}
		b.outBytes = max(0, b.outBytes-sent)
	}
	b.sending = false
	b.mu.Unlock()
}

// Receive takes one message from the view. It never panics and never waits for
// the server or a person. Messages that are no JSON-RPC 2.0 are dropped and
// reported to [ViewOptions.Trace], unless they carry an id to answer.
//
// Call it from one goroutine, or otherwise in the order of the messages.
func (b *Bridge) Receive(msg json.RawMessage) {
	lim := &b.opts.Limits
	if len(msg) > lim.MessageBytes {
		b.note(LevelError, fmt.Sprintf("dropped a message of %d bytes: the limit is %d", len(msg), lim.MessageBytes))
		return
	}
	b.trace(FromView, msg)
	m, err := parseMessage(msg)

	b.mu.Lock()
	if b.phase == phaseClosed {
		b.mu.Unlock()
		return
	}
	now := time.Now()
	if !m.isResponse && !b.rate.take(now, lim.Rate, lim.Burst) {
		dropped := b.rate.report(now)
		if m.id != nil {
			b.post(encodeError(m.id, denied("too many messages: the limit is %d a second", lim.Rate)))
		}
		b.unlock()
		if dropped > 0 {
			b.note(LevelError, fmt.Sprintf("refused %d messages: the view sends more than %d a second", dropped, lim.Rate))
		}
		return
	}
	if err != nil {
		if m.id != nil {
			b.post(encodeError(m.id, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}))
		}
		b.unlock()
		b.note(LevelError, err.Error())
		return
	}
	b.mu.Unlock()

	switch {
	case m.isResponse:
		b.receiveResponse(m)
	case m.id == nil:
		b.receiveNotification(m)
	default:
		b.receiveRequest(m)
	}
}

// An outgoing is a request of ours that the view has not answered.
type outgoing struct {
	answer   chan message // buffered
	progress func(json.RawMessage)
}

// call sends a request to the view and waits for its answer.
func (b *Bridge) call(ctx context.Context, method string, params json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error) {
	out := &outgoing{answer: make(chan message, 1), progress: progress}
	b.mu.Lock()
	if b.phase == phaseClosed {
		b.mu.Unlock()
		return nil, ErrClosed
	}
	b.nextID++
	id := fmt.Sprint(b.nextID)
	if b.calls == nil {
		b.calls = make(map[string]*outgoing)
	}
	b.calls[id] = out
	if progress != nil { // params has members, and is ours
		params = slices.Concat(params[:len(params)-1], json.RawMessage(`,"_meta":{"progressToken":`), json.RawMessage(id), json.RawMessage(`}}`))
	}
	b.post(encodeCall(json.RawMessage(id), method, params))
	b.unlock()

	defer func() {
		b.mu.Lock()
		delete(b.calls, id)
		b.mu.Unlock()
	}()
	select {
	case m := <-out.answer:
		if m.err != nil {
			return nil, m.err
		}
		return m.result, nil
	case <-b.done:
		return nil, ErrClosed
	case <-ctx.Done():
		b.mu.Lock()
		if b.phase == phaseReady {
			b.post(encodeCall(nil, "notifications/cancelled", mustJSON(map[string]any{
				"requestId": json.RawMessage(id), "reason": context.Cause(ctx).Error(),
			})))
		}
		b.unlock()
		return nil, context.Cause(ctx)
	}
}

func (b *Bridge) receiveResponse(m message) {
	b.mu.Lock()
	out := b.calls[string(m.id)]
	delete(b.calls, string(m.id))
	b.mu.Unlock()
	if out == nil {
		b.note(LevelWarning, fmt.Sprintf("the view answered a request that is not open: id %s", clip(m.id)))
		return
	}
	out.answer <- m
}
