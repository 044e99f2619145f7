package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/throttle"
)

// ErrClosed is the error of everything that is asked of a closed bridge.
var ErrClosed = errors.New("the view is closed")

// A Bridge is the host's end of one open view. Make one with [Connection.Open], or
// with [NewBridge] on a session made elsewhere; give it a transport with
// [Bridge.Attach], and every message of the view with [Bridge.Receive].
//
// Nothing is sent to the view before its ui/notifications/initialized but the
// answers to its requests. What the bridge is given earlier waits: the tool's
// input, the result, the newest partial input, the changes of the context. A
// document that loads again and shakes hands again gets input and result again.
type Bridge struct {
	opts    BridgeOptions
	link    *link    // the server connection that owns the view
	opening *opening // nil unless Connection.Open made the bridge

	ctx    context.Context // ends when the bridge closes
	cancel context.CancelCauseFunc

	mu        sync.Mutex
	phase     phase
	transport Transport
	attached  int   // counts transports
	out       queue // waits for the transport
	sending   bool
	rate      *ratelimit.Limiter

	app         AppInfo // what the view said of itself in ui/initialize
	load        int     // counts handshakes, so that ids of an earlier document are told apart
	incoming    map[string]*incoming
	serverPool  pool                       // requests at the server
	programPool pool                       // requests in a callback of the program
	held        int                        // bytes of the requests that run and wait
	last        map[string]<-chan struct{} // by method: ends with the request that came last

	calls  map[string]*outgoing // our requests to the view, by id
	nextID int64

	delivery delivery
	ctxNow   map[string]json.RawMessage
	ctxKnown map[string]json.RawMessage // what the view was told

	modelContext  *ModelContext
	appTools      *throttle.Throttle // nil: nobody asks
	leaving       bool               // RequestTeardown runs
	proxyReady    bool               // a sandbox proxy asked for the document
	documentGiven bool
	violations    violations

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
// session; nil gives a view without a server. It is an error if
// [HostContext.Validate] rejects the context.
//
// It opens nothing by itself: the program reads the app ([appclient.ReadApp]) for
// BridgeOptions.App, calls the tool, and gives the view both input and result by
// [Bridge.SendToolInput] and [Bridge.SendToolResult]. Where only the transport is
// the program's own, [Connect] with Target.Transport has [Connection.Open] for that.
//
// On a session that [Connect] made, use [Connection.NewBridge]: through a session
// made elsewhere results pass the SDK's types, so that unknown fields and the
// precision of numbers over 2^53 are lost, progress of the view's calls is not
// delivered, a cancellation's reason is the SDK's own, and lists are asked for
// again only after a while, since nobody tells the bridge that they changed.
func NewBridge(session *mcp.ClientSession, opts *BridgeOptions) (*Bridge, error) {
	var l *link
	if session != nil {
		l = &link{session: session, catalog: newCatalog(session, listBounds{})}
	}
	return newBridge(l, opts)
}

func newBridge(l *link, opts *BridgeOptions) (*Bridge, error) {
	b := &Bridge{link: l, done: make(chan struct{})}
	if opts != nil {
		b.opts = *opts
	}
	b.opts.Limits = b.opts.Limits.withDefaults()
	b.rate = ratelimit.New(b.opts.Limits.Rate, b.opts.Limits.Burst)
	if b.opts.HostInfo == nil {
		b.opts.HostInfo = &mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}
	}
	fields, err := b.opts.Context.fields()
	if err != nil {
		return nil, fmt.Errorf("BridgeOptions.Context: %w", err)
	}
	b.opts.Context = b.opts.Context.clone()
	b.ctxNow = fields
	b.setToolInfo(b.opts.Tool, nil)
	if f := b.opts.AppToolsChanged; f != nil {
		b.appTools = throttle.New(time.Second, f)
	}
	b.ctx, b.cancel = context.WithCancelCause(context.Background())
	return b, nil
}

func (b *Bridge) setToolInfo(tool *mcp.Tool, raw json.RawMessage) {
	if info := toolInfo(tool, raw); info != nil {
		b.ctxNow["toolInfo"] = info
	}
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
