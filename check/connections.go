package check

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// A connection says how a check connects, and how much it asks for.
type connection struct {
	version string // of the protocol
	ui      bool   // whether the client declares the extension
	depth   answers.Depth
}

// mainConnection is the one that most findings come from.
var mainConnection = connection{rpc.MainVersion, true, answers.Results}

// furtherConnections are those that are compared with the main one: lists with and
// without the extension and between all versions, documents between the two
// generations of the protocol.
func furtherConnections(allVersions bool) []connection {
	list := []connection{{rpc.MainVersion, false, answers.Lists}, {rpc.NewestVersion, true, answers.Documents}}
	if allVersions {
		for _, v := range rpc.OlderVersions() {
			list = append(list, connection{v, true, answers.Lists})
		}
	}
	return list
}

// run checks a server over connections of its own.
func run(ctx context.Context, o *Options, d *dialer) (*Report, error) {
	calls := o.callPolicy(d.local)
	o.progress(Progress{Part: "connect"})
	first := fetch(ctx, o, d, mainConnection, o.firstTimeout, calls)
	if first.err != nil {
		return nil, first.err
	}
	main := first.record
	if err := o.validateCalls(main); err != nil {
		return nil, err
	}
	further := furtherConnections(d.allVersions)
	records := fetchAll(ctx, o, d, further, first, calls)
	found := o.newFindings(d.local)
	found.judgeStray(first.stray)
	found.judge(main)
	r := newReport(main)
	found.forgotten = first.forgotten
	for i, c := range further {
		found.compare(r, c, main, records[i])
		found.forgotten += records[i].forgotten
	}
	var liveErr error
	if o.Live {
		if liveErr = errEnded; !main.Ended {
			liveErr = found.live(ctx, o, main, calls, d)
		}
		if liveErr != nil {
			r.Unchecked = append(r.Unchecked, Unchecked{Part: "live", Reason: liveErr.Error()})
			liveErr = fmt.Errorf("the live part: %w", liveErr)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found.judgeHosts(r, o, main, calls)
	found.judgeForgotten()
	r, err := found.report(r, o)
	return r, errors.Join(liveErr, err)
}

// runSession checks a session that the SDK has opened.
func runSession(ctx context.Context, o *Options, cs *mcp.ClientSession) (*Report, error) {
	conn, h := rpc.Session(cs)
	client := &rpc.Client{Conn: conn, Version: rpc.MainVersion, UI: true, Timeout: o.Timeout, MaxBytes: o.MaxBytes}
	calls := o.callPolicy(false)
	main := answers.Fetch(ctx, client, h, answers.Results, o.MaxEntries, calls)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := o.validateCalls(main); err != nil {
		return nil, err
	}
	found := o.newFindings(false)
	found.judge(main)
	r := newReport(main)
	found.judgeHosts(r, o, main, calls)
	return found.report(r, o)
}

func newReport(main *answers.Record) *Report {
	r := &Report{Server: main.Hello.Server, Tools: len(main.Tools)}
	if main.Hello.Version != "" {
		r.Versions = []string{main.Hello.Version}
	}
	for _, read := range main.Reads {
		if read.Err == nil {
			r.Apps++
		}
	}
	return r
}

// A fetched is the outcome of a connection.
type fetched struct {
	record *answers.Record
	stray  []string // lines of standard output that are not messages
	err    error    // an *UnreachableError, or errEnded
	opened time.Duration
	// forgotten is how many sessions the server forgot.
	forgotten int
}

// fetch makes one connection.
func fetch(ctx context.Context, o *Options, d *dialer, c connection, firstTimeout time.Duration, calls *unasked.Policy) fetched {
	conn, err := d.connect(ctx)
	if err != nil {
		return fetched{err: unreachable("", nil, err)}
	}
	defer conn.Close()
	client := &rpc.Client{Conn: conn, Version: c.version, UI: c.ui, Timeout: o.Timeout, FirstTimeout: firstTimeout, MaxBytes: o.MaxBytes}
	start := time.Now()
	h, err := client.Handshake(ctx)
	if err != nil {
		return fetched{err: unreachable(client.HandshakeMethod(), conn, err)}
	}
	opened := time.Since(start)
	if c == mainConnection {
		o.progress(Progress{Part: "fetch"})
	}
	r := answers.Fetch(ctx, client, h, c.depth, o.MaxEntries, calls)
	f := fetched{record: r, stray: conn.StrayLines(), opened: opened, forgotten: sessionsForgotten(conn)}
	for i := range r.Failures {
		if r.Failures[i].Kind == answers.Died {
			r.Failures[i].Err = withLastWords(r.Failures[i].Err, conn)
		}
	}
	return f
}

// sessionsForgotten returns how many sessions the server at the other end forgot.
func sessionsForgotten(conn rpc.Conn) int {
	if c, ok := conn.(rpc.Forgetful); ok {
		return c.Forgotten()
	}
	return 0
}

// errEnded is the error of the connections that are not made after the server was
// given up.
var errEnded = errors.New("the server stopped answering before")

// fetchAll makes the further connections, at the same time unless the dialer forbids
// it. A command may take as long to start as it did at first, and three times longer.
func fetchAll(ctx context.Context, o *Options, d *dialer, list []connection, first fetched, calls *unasked.Policy) []fetched {
	firstTimeout := min(max(o.firstTimeout, o.Timeout), o.Timeout+3*first.opened)
	ctx, cancel := context.WithTimeout(ctx, rpc.MaxTimeouts*o.Timeout)
	defer cancel()
	all := make([]fetched, len(list))
	done := o.counted("compare", len(list))
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i, c := range list {
		switch {
		case first.record.Ended:
			all[i].err = errEnded
		case d.oneAtATime:
			all[i] = fetch(ctx, o, d, c, firstTimeout, calls)
			done()
		default:
			wg.Go(func() {
				all[i] = fetch(ctx, o, d, c, firstTimeout, calls)
				mu.Lock()
				defer mu.Unlock()
				done()
			})
		}
	}
	wg.Wait()
	return all
}

// compare judges the difference between the main connection and another. It adds to
// the report the version, if the server offers it, and what could not be compared.
func (found *findings) compare(r *Report, c connection, main *answers.Record, other fetched) {
	unchecked := Unchecked{Part: "version", Version: c.version}
	if !c.ui {
		unchecked = Unchecked{Part: "without-ui", Version: c.version}
	}
	var reason string
	switch {
	case other.err != nil && c.ui && notOffered(other.err):
		return
	case other.err != nil:
		reason = shortReason(other.err)
	case other.record.Hello.Version != c.version:
		return // it offers another version instead
	default:
		if c.ui {
			r.Versions = append(r.Versions, c.version)
		}
		if f := newFailure(main, other.record); f != nil {
			reason = f.Method + ": " + answered(f.Err)
		}
	}
	switch {
	case reason != "":
		unchecked.Reason = text.Printable(text.Shorten(reason, maxSentence))
		r.Unchecked = append(r.Unchecked, unchecked)
	case c.ui:
		found.judgeVersions(main, other.record)
		found.judgeOpenAIVersions(main, other.record)
	default:
		found.judgeGated(main, other.record)
	}
}

// shortReason returns an error without the output of a command.
func shortReason(err error) string {
	var u *UnreachableError
	if !errors.As(err, &u) {
		return err.Error()
	}
	if u.Method == "" {
		return u.Err.Error()
	}
	return u.Method + ": " + u.Err.Error()
}

// newFailure returns a failure of the other record that the main one does not have,
// nil if there is none.
func newFailure(main, other *answers.Record) *answers.Failure {
	type key struct {
		place
		answers.FailureKind
	}
	known := make(map[key]bool, len(main.Failures))
	for _, f := range main.Failures {
		known[key{f.Place, f.Kind}] = true
	}
	for i := range other.Failures {
		if f := &other.Failures[i]; !known[key{f.Place, f.Kind}] {
			return f
		}
	}
	return nil
}
