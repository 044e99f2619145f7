package check

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// Server checks a server in this process, over connections of its own: one that
// declares the extension, one that does not, and one for each other protocol
// version that the server offers. The error is an [*UnreachableError], an
// [*OptionError], the context's, or that of the live part. The last comes with a
// report, and so does an entry of Options.Ignore that nothing matches.
func Server(ctx context.Context, s *mcp.Server, opts *Options) (*Report, error) {
	if s == nil {
		return nil, errors.New("the server is nil")
	}
	return Target(ctx, host.Target{Server: s}, opts)
}

// Target checks a server as [Server] does, over connections to whatever the target
// names. A command is started for each connection, one after the other: each ends,
// with all processes that it started, before the next begins.
func Target(ctx context.Context, t host.Target, opts *Options) (*Report, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	for i, p := range o.hosts {
		o.hosts[i] = p.For(t.Kind())
	}
	d, err := newDialer(&t, &o)
	if err != nil {
		return nil, err
	}
	return run(ctx, &o, d)
}

// Session checks what a connected session shows. The SDK has decoded it
// already, so whatever the SDK drops or refuses, the wire and other protocol
// versions are not seen, and no tool is called that Options.Calls does not name.
func Session(ctx context.Context, cs *mcp.ClientSession, opts *Options) (*Report, error) {
	if cs == nil {
		return nil, errors.New("the session is nil")
	}
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return runSession(ctx, &o, cs)
}

// A dialer connects to the server that is checked.
type dialer struct {
	connect func(context.Context) (rpc.Conn, error)
	// live connects the live part, if it does so differently.
	live func(context.Context) (rpc.Conn, error)
	// local is whether the server is on this machine, so that it may be asked to do
	// what it says is harmless.
	local bool
	// oneAtATime is whether a connection may start a program of the author's, of
	// which two at once might not work: they would share a lock or a port.
	oneAtATime bool
	// allVersions is whether a connection is cheap enough for one in each version.
	allVersions bool
}

// connectLive returns how the live part connects.
func (d *dialer) connectLive() func(context.Context) (rpc.Conn, error) {
	if d.live != nil {
		return d.live
	}
	return d.connect
}

// newDialer returns the dialer of a target. It may change defaults of the options.
func newDialer(t *host.Target, o *Options) (*dialer, error) {
	set := 0
	for _, is := range []bool{len(t.Command) > 0, t.URL != "", t.Server != nil, t.Transport != nil} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		return nil, errors.New("a target has exactly one of Command, URL, Server and Transport")
	case len(t.Command) > 0:
		if _, err := exec.LookPath(t.Command[0]); err != nil {
			return nil, &UnreachableError{Err: err}
		}
		if o.firstTimeout == 0 { // the command may compile first
			o.firstTimeout = time.Minute
		}
		mapped := *t // documents come with their source maps, which the other connections do not need
		mapped.Env = append(slices.Clone(t.Env), devenv.SourceMaps+"=1")
		start := func(t *host.Target) func(context.Context) (rpc.Conn, error) {
			return func(context.Context) (rpc.Conn, error) { return rpc.Start(t, o.MaxBytes) }
		}
		return &dialer{local: true, oneAtATime: true, connect: start(t), live: start(&mapped)}, nil
	case t.URL != "":
		return &dialer{local: unasked.OnThisMachine(t.URL), connect: func(context.Context) (rpc.Conn, error) {
			return rpc.HTTP(t, o.MaxBytes), nil
		}}, nil
	case t.Server != nil:
		connect := func(ctx context.Context) (rpc.Conn, error) { return rpc.Memory(ctx, t.Server) }
		return &dialer{local: true, allVersions: true, connect: connect, live: func(ctx context.Context) (rpc.Conn, error) {
			devenv.EnableSourceMaps()
			return connect(ctx)
		}}, nil
	default: // what is at the other end, and where, is unknown
		return &dialer{oneAtATime: true, allVersions: true, connect: func(ctx context.Context) (rpc.Conn, error) {
			transport, err := t.Transport(ctx)
			if err != nil {
				return nil, err
			}
			return rpc.Transport(ctx, transport)
		}}, nil
	}
}
