package host

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// PreviewOptions say how a preview is served. A nil pointer and zero fields
// mean the defaults.
type PreviewOptions struct {
	// Port is the page's port on the loopback addresses; the views are on the
	// next one. Default: two free ports.
	Port int
	// UnsafeListenEverywhere binds all addresses in place of the loopback ones,
	// for a preview in a container whose ports are forwarded. Whoever reaches
	// the machine can then call the server's tools through the page.
	UnsafeListenEverywhere bool
	// Connect are the options of the connection to the server. Without an
	// ElicitationHandler in Client, the page asks the person who looks at it.
	Connect *Options
	// Ready is told the page's address once it is served.
	Ready func(url string)
	// Log gets a line for what happens outside of the page; nil drops it.
	Log io.Writer
	// Findings are shown on the page beside the server's tools. It is called at
	// each connection.
	Findings func(context.Context, *mcp.ClientSession) ([]Finding, error)
}

// A Finding is something about a server's apps that their author should know.
type Finding struct {
	Level   Level  `json:"level"`
	Place   string `json:"place"` // such as: tool "x", or ui://x/y.html:12
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

// A Preview is a web page that shows the apps of one server, and the sandbox
// that its views live in. The page and each view have origins of their own.
//
// While the page is visible it asks each view for a sign of life. It says when
// one is silent for 15 s (its script hangs, or is stopped in a debugger) and
// when that one is back; a view whose process died is closed.
type Preview struct {
	opts    PreviewOptions
	origin  string // of the page: http://localhost:PORT
	page    int    // ports
	sandbox int
	token   string // the page has it, pages of other sites do not

	ctx    context.Context
	cancel context.CancelFunc

	server *Server
	text   textClient

	toolsChanged *throttle
	lines        lineLimit

	mu    sync.Mutex
	tabs  map[string]*tab
	views map[string]*previewView

	asks asks
}

// NewPreview makes a preview of the server at t. pagePort and sandboxPort are
// where its two handlers are served, on loopback: the page as localhost, each
// view as NAME.localhost. Most programs call [ServePreview], which does that.
// A program with a page of its own needs neither: see [SandboxHandler].
func NewPreview(ctx context.Context, t Target, pagePort, sandboxPort int, opts *PreviewOptions) (*Preview, error) {
	p := &Preview{
		page: pagePort, sandbox: sandboxPort,
		origin: fmt.Sprintf("http://localhost:%d", pagePort),
		token:  randomName(),
		tabs:   make(map[string]*tab), views: make(map[string]*previewView),
	}
	if opts != nil {
		p.opts = *opts
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.toolsChanged = &throttle{every: time.Second, f: p.broadcastTools}
	o := Options{}
	if p.opts.Connect != nil {
		o = *p.opts.Connect
	}
	stderr := &lineWriter{line: p.serverLine}
	if o.Stderr == nil {
		o.Stderr = stderr
	} else {
		o.Stderr = io.MultiWriter(o.Stderr, stderr)
	}
	stdout := &lineWriter{line: func(s string) {
		s = "on standard output, where messages belong: " + s
		p.logf("%s", s)
		p.serverLine(s)
	}}
	if o.Stdout == nil {
		o.Stdout = stdout
	} else {
		o.Stdout = io.MultiWriter(o.Stdout, stdout)
	}
	changed := o.StateChanged
	o.StateChanged = func(err error) {
		if changed != nil {
			changed(err)
		}
		go p.stateChanged(err)
	}
	tools := mcp.ClientOptions{}
	if o.Client != nil {
		tools = *o.Client
	}
	onTools := tools.ToolListChangedHandler
	tools.ToolListChangedHandler = func(ctx context.Context, req *mcp.ToolListChangedRequest) {
		if onTools != nil {
			onTools(ctx, req)
		}
		go p.toolsChanged.call()
	}
	p.elicits(&tools)
	o.Client = &tools
	server, err := Connect(ctx, t, &o)
	if err != nil {
		p.cancel()
		return nil, err
	}
	p.server = server
	text := o
	textTools := tools
	textTools.ToolListChangedHandler = nil
	text.TextOnly, text.StateChanged, text.Client = true, nil, &textTools
	p.text.connect = func() (*Server, error) { return Connect(p.ctx, t, &text) }
	return p, nil
}

// Server returns the connection that the preview shows.
func (p *Preview) Server() *Server { return p.server }

// Restart starts the server again and tells the page.
func (p *Preview) Restart(ctx context.Context) error { return p.server.Restart(ctx) }

// URL returns the page's address.
func (p *Preview) URL() string { return p.origin + "/" }

// Close ends the connection and all views.
func (p *Preview) Close() error {
	p.cancel()
	p.mu.Lock()
	tabs := p.tabs
	p.tabs = map[string]*tab{}
	p.mu.Unlock()
	for _, t := range tabs {
		t.close()
	}
	p.toolsChanged.stop()
	p.text.close()
	return p.server.Close()
}

func (p *Preview) logf(format string, args ...any) {
	if p.opts.Log != nil {
		fmt.Fprintf(p.opts.Log, format+"\n", args...)
	}
}

// ServePreview serves a preview of the server at t until ctx ends.
func ServePreview(ctx context.Context, t Target, opts *PreviewOptions) error {
	var o PreviewOptions
	if opts != nil {
		o = *opts
	}
	run, err := StartPreview(ctx, t, &o)
	if err != nil {
		return err
	}
	defer run.Close()
	return run.Wait(ctx)
}

// A RunningPreview is a preview and its two HTTP servers.
type RunningPreview struct {
	*Preview
	servers []*http.Server
	failed  chan error
}

// StartPreview serves a preview until it is closed.
func StartPreview(ctx context.Context, t Target, opts *PreviewOptions) (*RunningPreview, error) {
	var o PreviewOptions
	if opts != nil {
		o = *opts
	}
	page, pagePort, err := listenLoopback(o.Port, o.UnsafeListenEverywhere)
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	next := 0
	if o.Port != 0 {
		next = o.Port + 1
	}
	sandbox, sandboxPort, err := listenLoopback(next, o.UnsafeListenEverywhere)
	if err != nil {
		closeAll(page)
		return nil, fmt.Errorf("preview: the views' port: %w", err)
	}
	p, err := NewPreview(ctx, t, pagePort, sandboxPort, &o)
	if err != nil {
		closeAll(page)
		closeAll(sandbox)
		return nil, err
	}
	run := &RunningPreview{Preview: p, failed: make(chan error, 1)}
	run.serve(page, p.Page(), 64<<10)
	run.serve(sandbox, p.Sandbox(), sandboxHeaderBytes)
	if o.Ready != nil {
		o.Ready(run.URL())
	}
	return run, nil
}

// Wait returns nil when ctx ends, and an error if a listener fails before.
func (r *RunningPreview) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-r.failed:
		return err
	}
}

func (r *RunningPreview) serve(listeners []net.Listener, h http.Handler, maxHeader int) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHeader}
	r.servers = append(r.servers, srv)
	for _, l := range listeners {
		go func() {
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				select {
				case r.failed <- err:
				default:
				}
			}
		}()
	}
}

// Close ends the views, the connection and the HTTP servers.
func (r *RunningPreview) Close() error {
	err := r.Preview.Close()
	for _, s := range r.servers {
		s.Close()
	}
	return err
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		l.Close()
	}
}

// randomName is unguessable, and a DNS label.
func randomName() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
