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

// ErrClosed is the error of every method of a bridge that is closed.
var ErrClosed = errors.New("the view is closed")

// A Bridge is the host's end of one open view. Make one with [Connection.Open], or
// with [NewBridge] on a session made elsewhere; give it a transport with
// [Bridge.Attach], and every message of the view with [Bridge.Receive].
//
// Before the view sends ui/notifications/initialized, the bridge sends it only
// the answers to its requests. What the bridge is given earlier waits: the tool's
// input, the result, the newest partial input, the changes of the context. A
// document that loads again and repeats the handshake gets input and result
// again.
type Bridge struct {
	opts      BridgeOptions
	emulation *emulation // nil: none
	link      *link      // the server connection that owns the view
	opening   *opening   // nil unless Connection.Open made the bridge

	ctx    context.Context // ends when the bridge closes
	cancel context.CancelCauseFunc

	mu        sync.Mutex
	phase     phase
	transport Transport
	attached  int   // counts transports
	out       queue // waits for the transport
	sending   bool
	rate      *ratelimit.Limiter

	app         AppInfo // from ui/initialize
	load        int     // counts handshakes, so that ids of an earlier document are told apart
	firstLoad   int     // what load is for the first handshake of this document
	incoming    map[string]*incoming
	serverPool  pool                       // requests at the server
	programPool pool                       // requests in a callback of the program
	held        int                        // bytes of the requests that run and wait
	last        map[string]<-chan struct{} // by method: closed when the newest request has ended

	calls  map[string]*outgoing // our requests to the view, by id
	nextID int64

	delivery delivery
	ctxNow   map[string]json.RawMessage
	ctxKnown map[string]json.RawMessage // what the view was told

	modelContext *ModelContext
	appTools     *throttle.Throttle // calls AppToolsChanged; nil without that
	leaving      bool               // RequestTeardown runs
	proxyAsked   bool               // a sandbox proxy has asked for the document
	proxyWaits   bool               // and has not got it yet
	documents    int                // how often a proxy may still ask for it
	violations   violations
	notes        []string // to write once b.mu is unlocked

	done chan struct{}
}

// AppInfo is what a view declares in ui/initialize.
type AppInfo struct {
	Info                  mcp.Implementation
	ProtocolVersion       string
	AvailableDisplayModes []DisplayMode   // nil: not declared
	Tools                 bool            // it offers tools
	ToolsListChanged      bool            // it announces changes of its tools
	Capabilities          json.RawMessage // the appCapabilities object as received
}

type phase int

const (
	phaseNew     phase = iota // waiting for ui/initialize
	phaseGreeted              // answered it, waiting for ui/notifications/initialized
	phaseReady
	phaseClosing // sent ui/resource-teardown, waiting for the answer
	phaseClosed
)

// NewBridge returns the bridge of a view whose tools and resources belong to
// session; with nil the view has no server. It fails if [HostContext.Validate]
// rejects the context.
//
// It neither reads the app nor calls the tool. The program reads the app for
// BridgeOptions.App ([appclient.ReadApp]), calls the tool, and passes input and
// result to [Bridge.SendToolInput] and [Bridge.SendToolResult]. A program that
// only brings its own transport has [Connect], with Target.Transport, and
// [Connection.Open] for that.
//
// On a session that [Connect] made, use [Connection.NewBridge]. Through a session
// made elsewhere results pass the SDK's types: unknown fields and the precision
// of numbers over 2^53 are lost, progress of the view's calls is not delivered,
// and the reason of a cancellation is the SDK's own. The list of tools is fetched
// again every 10 s, since nothing tells the bridge that it changed.
func NewBridge(session *mcp.ClientSession, opts *BridgeOptions) (*Bridge, error) {
	var l *link
	if session != nil {
		l = &link{session: session, catalog: newCatalog(session, listBounds{})}
	}
	return newBridge(l, opts)
}

func newBridge(l *link, opts *BridgeOptions) (*Bridge, error) {
	b := &Bridge{link: l, done: make(chan struct{}), documents: 1, firstLoad: 1}
	if opts != nil {
		b.opts = *opts
	}
	b.opts.Limits = b.opts.Limits.withDefaults()
	var err error
	if b.emulation, err = newEmulation(b.opts.Emulation); err != nil {
		return nil, fmt.Errorf("BridgeOptions.%w", err)
	}
	if e := b.emulation; e != nil {
		if e.HostInfo != nil {
			b.opts.HostInfo = e.HostInfo
		}
		if e.CallTimeout > 0 {
			b.opts.Limits.CallTimeout = min(b.opts.Limits.CallTimeout, e.CallTimeout)
		}
		b.opts.App = e.app(b.opts.App)
	}
	if _, err := json.Marshal(b.opts.Experimental); err != nil {
		return nil, fmt.Errorf("BridgeOptions.Experimental can't be encoded as JSON: %w", err)
	}
	b.rate = ratelimit.New(b.opts.Limits.Rate, b.opts.Limits.Burst)
	if b.opts.HostInfo == nil {
		b.opts.HostInfo = &mcp.Implementation{Name: "mcpapps", Version: mcpapps.SpecVersion}
	}
	b.opts.Context = b.emulation.context(b.opts.Context)
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
	if b.emulation != nil && b.emulation.OmitToolInfo {
		return
	}
	if info := toolInfo(tool, raw); info != nil {
		b.ctxNow["toolInfo"] = info
	}
}

// AppInfo returns what the view declared, and whether it has sent ui/initialize.
func (b *Bridge) AppInfo() (AppInfo, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.app, b.load > 0
}

// Ready reports whether the view is initialized and not closing.
func (b *Bridge) Ready() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.phase == phaseReady
}

// Done returns a channel that is closed when the bridge is.
func (b *Bridge) Done() <-chan struct{} { return b.done }

// Err returns the reason why the bridge closed, and nil before.
func (b *Bridge) Err() error {
	select {
	case <-b.done:
		return context.Cause(b.ctx)
	default:
		return nil
	}
}
