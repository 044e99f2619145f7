package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server checks a server in this process, over connections of its own: one that
// declares the extension, one that does not, and one for each other protocol
// version that the server speaks. The error says that it could not be checked,
// or is one of the options; an entry of Options.Off that nothing matches is an
// error beside the report.
func Server(ctx context.Context, s *mcp.Server, opts *Options) (*Report, error) {
	if s == nil {
		return nil, errors.New("check: the server is nil")
	}
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return run(ctx, &o, true, true, func(ctx context.Context) (wire, error) { return connectMemory(ctx, s) })
}

// Session checks what a connected session shows. The SDK has decoded it
// already, so whatever the SDK drops or refuses, the wire and other protocol
// versions are not seen, and no tool is called that Options.Calls does not name.
func Session(ctx context.Context, cs *mcp.ClientSession, opts *Options) (*Report, error) {
	if cs == nil {
		return nil, errors.New("check: the session is nil")
	}
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	w := &sessionWire{cs}
	h := w.hello()
	cl := &client{wire: w, version: versionMain, ui: true, timeout: o.Timeout, limit: o.MaxBytes}
	s := fetch(ctx, cl, h, everything, &o, callable(&o, false))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	if err := unknownCalls(&o, s); err != nil {
		return nil, err
	}
	var c collector
	c.surface(s)
	return c.report(newReport(s), &o)
}

// An extra is a further look at the server, beside the main one.
type extra struct {
	version string
	ui      bool
	depth   depth
}

// extras are the connections besides the main one. Documents are compared
// between the two generations of the protocol, lists between all versions.
func extras(allVersions bool) []extra {
	list := []extra{{versionMain, false, lists}, {versionModern, true, documents}}
	if allVersions {
		for _, v := range versionsOld {
			list = append(list, extra{v, true, lists})
		}
	}
	return list
}

// run checks a server to which it can connect any number of times. Auto lets it
// call tools that say that they do no harm.
func run(ctx context.Context, o *Options, auto, allVersions bool, connect func(context.Context) (wire, error)) (*Report, error) {
	main, noise, err := look(ctx, o, extra{versionMain, true, everything}, auto, connect)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	if err := unknownCalls(o, main); err != nil {
		return nil, err
	}
	more := extras(allVersions)
	if main.ended {
		more = nil
	}
	surfaces := make([]*surface, len(more))
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, maxTimeouts*o.Timeout)
		defer cancel()
		each(len(more), func(i int) {
			surfaces[i], _, _ = look(ctx, o, more[i], auto, connect) // a version may not be there
		})
	}()
	var c collector
	for _, line := range noise {
		c.add("server-stdout", place{}, "standard output has a line that is no message: %s", quote(line))
	}
	c.surface(main)
	r := newReport(main)
	<-done
	for i, e := range more {
		s := surfaces[i]
		switch {
		case s == nil || s.hello.version != e.version:
		case !e.ui:
			c.gated(main, s)
		default:
			r.Versions = append(r.Versions, e.version)
			c.versions(main, s)
		}
	}
	if o.Live && !main.ended {
		if err := c.live(ctx, o, main, auto, connect); err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return c.report(r, o)
}

// look connects once and fetches what there is to see.
func look(ctx context.Context, o *Options, e extra, auto bool, connect func(context.Context) (wire, error)) (*surface, []string, error) {
	w, err := connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer w.close()
	cl := &client{wire: w, version: e.version, ui: e.ui, timeout: o.Timeout, limit: o.MaxBytes}
	if e.depth == everything { // the first look of all
		cl.timeout = o.start
	}
	h, err := cl.handshake(ctx)
	cl.timeout = o.Timeout
	if err != nil {
		return nil, nil, explain(w, fmt.Errorf("%s: %w", handshakeName(cl), plainError{err}))
	}
	s := fetch(ctx, cl, h, e.depth, o, callable(o, auto))
	return s, w.noise(), nil
}

func handshakeName(c *client) string {
	if c.modern() {
		return "server/discover"
	}
	return "initialize"
}

// An explainer is a wire that knows more about a failure.
type explainer interface{ explain(error) error }

func explain(w wire, err error) error {
	if e, ok := w.(explainer); ok {
		return e.explain(err)
	}
	return err
}

func newReport(s *surface) *Report {
	r := &Report{Server: s.hello.server, Tools: len(s.tools)}
	if s.hello.version != "" {
		r.Versions = []string{s.hello.version}
	}
	for _, d := range s.reads {
		if d.err == nil {
			r.Apps++
		}
	}
	return r
}
