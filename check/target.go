package check

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/host"
)

// Target checks a server by connections of its own, as [Server] does: to a
// command, which is started for each and ended with all that it started, to a
// URL, or to what the target says otherwise. The error says that the server
// could not be checked; of a command it has the first of what it wrote to
// standard output, and the last of standard error.
func Target(ctx context.Context, t host.Target, opts *Options) (*Report, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	set := 0
	for _, is := range []bool{len(t.Command) > 0, t.URL != "", t.Server != nil, t.Transport != nil} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		return nil, errors.New("check: a target has one of Command, URL, Server and Transport")
	case t.Server != nil:
		return Server(ctx, t.Server, opts)
	case t.Transport != nil:
		return run(ctx, &o, false, true, func(ctx context.Context) (wire, error) { return connectTransport(ctx, &t) })
	case t.URL != "":
		return run(ctx, &o, isLoopback(t.URL), false, func(context.Context) (wire, error) { return connectHTTP(&t, o.MaxBytes), nil })
	}
	if _, err := exec.LookPath(t.Command[0]); err != nil {
		return nil, err
	}
	if opts == nil || opts.Timeout <= 0 {
		o.start = time.Minute
	}
	return run(ctx, &o, true, false, func(context.Context) (wire, error) { return connectProcess(&t, o.MaxBytes) })
}

// connectTransport connects over a transport of the caller's. Where it is, and
// so whether calls are harmless, is not known.
func connectTransport(ctx context.Context, t *host.Target) (wire, error) {
	transport, err := t.Transport(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	p := newPeer(
		func(m jsonrpc.Message) error { return conn.Write(ctx, m) },
		func() { conn.Close() },
	)
	go p.serve(func() (jsonrpc.Message, error) { return conn.Read(ctx) })
	return p, nil
}
