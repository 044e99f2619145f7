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

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/ratelimit"
	"github.com/mcpapps-go/mcpapps/internal/throttle"
)

// Options say how a preview is served. A nil pointer and zero fields mean the
// defaults.
type Options struct {
	// Port is the page's port on the loopback addresses; the views are on the
	// next one. Default: two free ports.
	Port int
	// UnsafeListenEverywhere binds all addresses in place of the loopback ones,
	// for a preview in a container whose ports are forwarded. Whoever reaches
	// the machine can then call the server's tools through the page.
	UnsafeListenEverywhere bool
	// Connect are the options of the connection to the server. Without an
	// ElicitationHandler in Client, the page asks the person who looks at it.
	Connect *host.ConnectOptions
	// Ready is told the page's address once it is served.
	Ready func(url string)
	// Logger receives what happens outside of the page: requests that were
	// refused, the loss of the server, and what Connect.Logger receives unless
	// that is set. If nil, it is discarded.
	Logger *slog.Logger
	// Watch restarts the server of a command when its program, a file among its
	// arguments, or a file that "go run" builds it from changes. Logger receives
	// each restart. It does nothing for other targets.
	Watch bool
	// Findings are shown on the page beside the server's tools. It is called at
	// each connection.
	Findings func(context.Context, *mcp.ClientSession) ([]Finding, error)
	// Event is told what happens in the views, in the order in which it
	// happens in each. Calls for several views may overlap. It must not wait.
	Event func(Event)
}

// A Finding is something about a server's apps that their author should know.
type Finding struct {
	Level   host.Level `json:"level"`
	Place   string     `json:"place"` // such as: tool "x", or ui://x/y.html:12
	Message string     `json:"message"`
	Remedy  string     `json:"remedy,omitempty"`
}

// A Preview is a web page that shows the apps of one server, and the sandbox
// that its views live in. The page and each view have origins of their own.
//
// While the page is visible it asks each view for a sign of life. It says when
// one is silent for 15 s (its script hangs, or is stopped in a debugger) and
// when that one is back; a view whose process died is closed.
type Preview struct {
	opts        Options
	log         *slog.Logger
	origin      string // of the page: http://localhost:PORT
	pagePort    int
	sandboxPort int
	token       string // the page has it, pages of other sites do not

	ctx    context.Context
	cancel context.CancelFunc

	target string // for people
	turns  turns

	toolsChanged *throttle.Throttle
	listed       atomic.Pointer[map[string]any] // the last event with the tools
	output       output

	buffers buffers

	mu    sync.Mutex
	tabs  map[string]*tab
	views map[string]*view

	asks asks

	servers []*http.Server
	failed  chan error // of the listeners
}

// Serve serves a preview of the server at t until ctx ends. Its error says why
// it could not.
func Serve(ctx context.Context, t host.Target, opts *Options) error {
	p, err := Start(ctx, t, opts)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Wait(ctx)
}

// Start serves a preview of the server at t until it is closed. ctx bounds the
// start alone.
func Start(ctx context.Context, t host.Target, opts *Options) (*Preview, error) {
	p := &Preview{
		token: randomName(),
		tabs:  make(map[string]*tab), views: make(map[string]*view),
		buffers: buffers{most: allBuffers}, failed: make(chan error, 1),
	}
	if opts != nil {
		p.opts = *opts
	}
	if p.log = p.opts.Logger; p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.output.rate = ratelimit.New(outputRate, outputBurst)
	p.toolsChanged = throttle.New(time.Second, p.broadcastTools)
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
	p.ctx, p.cancel = context.WithCancel(context.Background())
	var files map[string]stamp
	if p.opts.Watch {
		files = stampsOf(commandFiles(ctx, t)) // as the server starts from them
	}
	if err := p.connect(ctx, t); err != nil {
		p.cancel()
		closeAll(page)
		closeAll(sandbox)
		return nil, err
	}
	p.serve(page, p.pageHandler(), 64<<10)
	p.serve(sandbox, p.sandboxHandler(), 16<<20) // see host.SandboxHandler
	if p.opts.Watch {
		go p.restartOnChange(t, files)
	}
	if p.opts.Ready != nil {
		p.opts.Ready(p.URL())
	}
	return p, nil
}

// connect connects to the server, listening to what it writes and announces.
func (p *Preview) connect(ctx context.Context, t host.Target) error {
	o := host.ConnectOptions{}
	if p.opts.Connect != nil {
		o = *p.opts.Connect
	}
	stderr := &lineWriter{line: p.serverLine}
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
		go p.stateChanged(err)
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
	}
	p.elicits(&client)
	o.Client = &client
	conn, err := host.Connect(ctx, t, &o)
	if err != nil {
		return err
	}
	text, textClient := o, client
	textClient.ToolListChangedHandler = nil
	text.TextOnly, text.StateChanged, text.Client = true, nil, &textClient
	p.target = t.String()
	p.turns.exclusive = len(t.Command) > 0
	p.turns.conns[withViews] = conn
	p.turns.connectText = func(ctx context.Context) (*host.Connection, error) { return host.Connect(ctx, t, &text) }
	p.turns.changed = p.broadcastServer
	return nil
}

// Connection returns the connection that the preview shows. While a command runs
// for the client without views, which the person at the page can choose, nothing
// may be asked of it: it would start the command a second time.
func (p *Preview) Connection() *host.Connection { return p.turns.conns[withViews] }

// Restart starts the server again and tells the page.
func (p *Preview) Restart(ctx context.Context) error {
	use, err := p.turns.use(ctx, withViews)
	if err != nil {
		return err
	}
	defer use.done()
	return use.conn.Restart(use.ctx)
}

// URL returns the page's address.
func (p *Preview) URL() string { return p.origin + "/" }

// Wait returns nil when ctx ends, and an error if a listener fails before.
func (p *Preview) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-p.failed:
		return err
	}
}

// Close ends the views, the connection and the HTTP servers.
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

// randomName returns a name that can't be guessed, and is a DNS label.
func randomName() string { return strings.ToLower(rand.Text()) }
