package preview

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/inject"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/throttle"
)

// Options configure a preview. A nil pointer and zero fields mean the defaults.
type Options struct {
	// Port is the page's port on the loopback addresses. The views use Port+1. If
	// zero, two free ports are chosen.
	Port int
	// UnsafeListenEverywhere binds all addresses instead of the loopback ones, for
	// a preview in a container whose ports are forwarded. Whoever can reach the
	// machine can then call the server's tools through the page.
	UnsafeListenEverywhere bool
	// Connect has the options of the connection to the server. Without an
	// ElicitationHandler in Client, the page asks its user. May be nil.
	Connect *host.ConnectOptions
	// Ready is called with the page's address once the page is served. May be nil.
	Ready func(url string)
	// Logger receives what happens outside of the page: rejected requests, the loss
	// of the connection, and the connection's own log unless Connect.Logger is set.
	// If nil, these are discarded.
	Logger *slog.Logger
	// Watch follows the edits of a command's author. When a file changes from which
	// the program was made (the program itself, a file among its arguments, a Go file
	// from which "go run" builds it), the command is started again. When a file
	// changes that the program embeds, the documents of the open views are read again
	// and the views load them, without a call: package bundle makes them of the files
	// on disk. If the documents do not show the edit, the command is started again.
	Watch bool
	// WatchDirs are folders whose files make up the documents, for servers in any
	// language: when one changes, the documents of the open views are read again. If
	// they are what they were, a command is started again. Names that begin with a dot
	// and node_modules are left out.
	WatchDirs []string
	// Emulate is the host as which the page shows views at first, see [host.Emulate].
	// Its user can choose another one of package compat. Nil is the preview's own
	// host, which supports everything. The server is told the name of that host's
	// client, where it is known and Connect has no ClientInfo; the choice of the user
	// does not change it.
	Emulate *compat.Profile
	// Findings returns what the page shows as findings about the server's apps. It
	// is called each time the tools are listed. May be nil.
	Findings func(context.Context, *mcp.ClientSession) ([]Finding, error)
	// Event is called for each event in the views, in the order of the events of a
	// view. Calls for different views may overlap. It must not block. May be nil.
	Event func(Event)

	patience *patience // other than the default in tests
}

// A Finding is something about a server's apps that their author should know.
type Finding struct {
	Level   host.Level `json:"level"`
	Place   string     `json:"place"` // for example: tool "x", or ui://x/y.html:12
	Message string     `json:"message"`
	Remedy  string     `json:"remedy,omitempty"`
}

// A Preview serves a web page that shows the apps of one server, and the sandbox of
// its views. The page and each view have separate origins. Its methods are safe for
// concurrent use.
//
// While the page is visible it asks each view for a sign of life. It reports a view
// that is silent for 15 s, because its script hangs or is stopped in a debugger, and
// reports when the view answers again. It closes a view whose process died.
type Preview struct {
	opts        Options
	log         *slog.Logger
	origin      string // of the page: http://localhost:PORT
	pagePort    int
	sandboxPort int
	token       string // known to the page, but not to pages of other sites
	subject     string // the user as servers are told them, see requestHints
	patience    patience
	script      string // in the documents of the page's own views

	ctx    context.Context
	cancel context.CancelFunc

	target string // as the page shows it
	kind   string // of the server, see [host.Target.Kind]
	told   string // the client name that the server is told, "" for that of package host
	forms  bool   // it is told that the client shows OpenAI's forms
	turns  turns

	toolsChanged *throttle.Throttle
	listed       atomic.Pointer[map[string]any] // the last event with the tools
	output       output
	process      process
	failure      atomic.Pointer[failure] // nil while the server runs
	states       chan error              // of the connection

	rereading sync.Mutex   // one time at once
	rereads   atomic.Int64 // times
	documents documents
	changed   *throttle.Throttle // after what the server announces
	announced *ratelimit.Limiter // what it announces

	buffers buffers

	mu    sync.Mutex
	tabs  map[string]*tab
	views map[string]*view

	asks asks

	servers []*http.Server
	failed  chan error // of the listeners
}

// announcements is the time between two reads after what the server announces.
const announcements = 100 * time.Millisecond

// Beyond these, each read after an announcement waits a second.
const (
	announcedRate  = 1 // per second
	announcedBurst = 50
)

// Serve serves a preview of the server at t until ctx ends, and then returns nil. It
// returns an error if the preview can't start or a listener fails.
func Serve(ctx context.Context, t host.Target, opts *Options) error {
	p, err := Start(ctx, t, opts)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Wait(ctx)
}

// Start starts to serve a preview of the server at t, and returns once the server is
// connected and the page is served. ctx limits only the start. The caller must call
// [Preview.Close].
func Start(ctx context.Context, t host.Target, opts *Options) (*Preview, error) {
	p := &Preview{
		token: randomName(), subject: rand.Text(), patience: defaultPatience,
		tabs: make(map[string]*tab), views: make(map[string]*view),
		buffers: buffers{most: allBuffers}, failed: make(chan error, 1), states: make(chan error, 16),
	}
	if opts != nil {
		p.opts = *opts
	}
	if p.opts.patience != nil {
		p.patience = *p.opts.patience
	}
	if p.log = p.opts.Logger; p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.kind = t.Kind()
	p.output.rate = ratelimit.New(outputRate, outputBurst)
	p.toolsChanged = throttle.New(time.Second, p.broadcastTools)
	p.changed = throttle.New(announcements, p.rereadAnnounced)
	p.announced = ratelimit.New(announcedRate, announcedBurst)
	page, pagePort, err := listenLoopback(p.opts.Port, p.opts.UnsafeListenEverywhere)
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	next := 0
	if p.opts.Port != 0 {
		next = p.opts.Port + 1
	}
	sandbox, sandboxPort, err := listenLoopback(next, p.opts.UnsafeListenEverywhere)
	if err != nil {
		closeAll(page)
		return nil, fmt.Errorf("preview: the views' port: %w", err)
	}
	p.pagePort, p.sandboxPort = pagePort, sandboxPort
	p.origin = fmt.Sprintf("http://localhost:%d", pagePort)
	p.script = inject.Script(p.origin, p.patience.blank)
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.documents.believed = len(t.Command) > 0
	edits, t := newEditor(ctx, t, p.opts.Watch, p.opts.WatchDirs) // before the server starts
	if err := p.connect(ctx, t); err != nil {
		p.cancel()
		closeAll(page)
		closeAll(sandbox)
		return nil, err
	}
	go p.followStates()
	p.serve(page, p.pageHandler(), 64<<10)
	p.serve(sandbox, p.sandboxHandler(), 16<<20) // see host.SandboxHandler
	if p.opts.Watch || len(p.opts.WatchDirs) > 0 {
		go edits.follow(p)
	}
	if p.opts.Ready != nil {
		p.opts.Ready(p.URL())
	}
	return p, nil
}

// connect connects to the server and handles what it writes and announces.
func (p *Preview) connect(ctx context.Context, t host.Target) error {
	o := host.ConnectOptions{}
	if p.opts.Connect != nil {
		o = *p.opts.Connect
	}
	if o.ClientInfo == nil {
		o.ClientInfo = p.clientInfo()
	}
	if o.ClientInfo != nil {
		p.told = o.ClientInfo.Name
	}
	stderr := &lineWriter{line: func(line string) {
		p.process.add(line)
		p.serverLine(line)
	}}
	if o.Stderr == nil {
		o.Stderr = stderr
	} else {
		o.Stderr = io.MultiWriter(o.Stderr, stderr)
	}
	if o.Logger == nil {
		o.Logger = p.log
	}
	o.Logger = slog.New(pageLog{o.Logger.Handler(), p.serverLine})
	changed := o.StateChanged
	o.StateChanged = func(err error) {
		if changed != nil {
			changed(err)
		}
		select {
		case p.states <- err:
		case <-p.ctx.Done():
		}
	}
	client := mcp.ClientOptions{}
	if o.Client != nil {
		client = *o.Client
	}
	onTools := client.ToolListChangedHandler
	client.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		if onTools != nil {
			onTools(ctx, req)
		}
		go p.toolsChanged.Call()
		go p.changed.Call() // a tool may name another document
	}
	onResources := client.ResourceListChangedHandler
	client.ResourceListChangedHandler = func(ctx context.Context, req *mcp.ResourceListChangedRequest) {
		if onResources != nil {
			onResources(ctx, req)
		}
		go p.changed.Call()
	}
	onUpdated := client.ResourceUpdatedHandler
	client.ResourceUpdatedHandler = func(ctx context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
		if onUpdated != nil {
			onUpdated(ctx, req)
		}
		go p.changed.Call()
	}
	p.setElicitationHandler(&client)
	o.Client = &client
	conn, err := host.Connect(ctx, t, &o)
	if err != nil {
		return err
	}
	text, textClient := o, client
	textClient.ToolListChangedHandler, textClient.ResourceListChangedHandler, textClient.ResourceUpdatedHandler = nil, nil, nil
	text.TextOnly, text.StateChanged, text.Client = true, nil, &textClient
	p.target = t.String()
	p.turns.exclusive = len(t.Command) > 0
	p.turns.conns[withViews] = conn
	p.turns.connectText = func(ctx context.Context) (*host.Connection, error) { return host.Connect(ctx, t, &text) }
	p.turns.changed = p.broadcastServer
	p.turns.used = func(changed bool) {
		if p.process.replaces() || changed {
			p.startsAgain()
		}
	}
	return nil
}

// Connection returns the connection that the preview shows. Send no request on it
// while a command runs for the client without views, which the user of the page can
// choose: the request would start the command a second time.
func (p *Preview) Connection() *host.Connection { return p.turns.conns[withViews] }

// URL returns the page's address.
func (p *Preview) URL() string { return p.origin + "/" }

// Wait waits until ctx ends and returns nil. It returns an error if a listener fails
// before.
func (p *Preview) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-p.failed:
		return err
	}
}

// Close closes the views, the connections and the HTTP servers.
func (p *Preview) Close() error {
	p.cancel()
	p.mu.Lock()
	tabs := p.tabs
	p.tabs = map[string]*tab{}
	p.mu.Unlock()
	for _, t := range tabs {
		t.close()
	}
	p.toolsChanged.Stop()
	p.changed.Stop()
	err := p.turns.close()
	for _, s := range p.servers {
		s.Close()
	}
	return err
}

func (p *Preview) serve(listeners []net.Listener, h http.Handler, maxHeader int) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHeader}
	p.servers = append(p.servers, srv)
	for _, l := range listeners {
		go func() {
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				select {
				case p.failed <- err:
				default:
				}
			}
		}()
	}
}

// randomName returns a DNS label that can't be guessed.
func randomName() string { return strings.ToLower(rand.Text()) }
