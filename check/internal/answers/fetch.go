package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

// A Depth is how much of a record to fetch.
type Depth int

const (
	Lists Depth = iota
	Documents
	Results // of calls that the policy allows, and of a ping
)

// maxTimeouts is after how many unanswered requests a connection is given up, so that
// a server that hangs does not cost a timeout for each of its apps.
const maxTimeouts = 3

// Fetch asks a server for its lists, documents and results. What it can't fetch is a
// failure in the record, and it continues with the rest. maxEntries bounds each list.
func Fetch(ctx context.Context, c *rpc.Client, h *rpc.Hello, d Depth, maxEntries int, calls *unasked.Policy) *Record {
	f := &fetcher{Record: &Record{Hello: h, Reads: make(map[string]*Read), ResultReads: make(map[string]error)}, client: c, maxEntries: maxEntries}
	if d == Results && c.HasPing() {
		if _, err := c.Call(ctx, "ping", map[string]any{}); err != nil {
			f.fail(Place{Method: "ping"}, PingFailed, err)
		}
	}
	f.list(ctx, "tools/list", "tools", func(raw json.RawMessage) error {
		t, err := ParseTool(raw)
		if err != nil {
			return err
		}
		f.Tools = append(f.Tools, t)
		return validEntry(t.Object, new(mcp.Tool))
	})
	f.markAmbiguous()
	if h.Capabilities["resources"] != nil || f.HasApps() {
		f.list(ctx, "resources/list", "resources", func(raw json.RawMessage) error {
			r, err := parseResource(raw)
			if err != nil {
				return err
			}
			f.Resources = append(f.Resources, r)
			return validEntry(r.Object, new(mcp.Resource))
		})
	}
	if d >= Documents {
		for _, uri := range f.AppURIs() {
			if f.Ended {
				break
			}
			f.Reads[uri] = f.read(ctx, uri)
		}
	}
	if d == Results {
		for _, t := range f.Tools {
			if f.Ended {
				break
			}
			if args, ok := calls.Arguments(t.ForPolicy()); ok {
				f.Results = append(f.Results, f.call(ctx, t, args))
			}
		}
		f.callHostTools(ctx, calls)
		for _, r := range f.Results {
			f.readNamed(ctx, r)
		}
	}
	return f.Record
}

// readNamed reads the apps that a result names, if they have not been read.
func (f *fetcher) readNamed(ctx context.Context, r *Result) {
	for _, uri := range r.Named() {
		_, known := f.ResultReads[uri]
		if f.Reads[uri] != nil || known || f.Ended || appuri.Validate(uri) != nil {
			continue
		}
		_, err := f.client.Call(ctx, "resources/read", map[string]any{"uri": uri})
		if rpc.EndsSession(err) || errors.Is(err, rpc.ErrTimeout) {
			f.fail(Place{Method: "resources/read", URI: uri}, ReadFailed, err)
			continue
		}
		f.ResultReads[uri] = err
	}
}

type fetcher struct {
	*Record
	client     *rpc.Client
	maxEntries int
}

// fail notes a failure. An error of the connection has a kind of its own.
func (f *fetcher) fail(at Place, kind FailureKind, err error) {
	if f.Ended {
		return
	}
	switch {
	case errors.Is(err, rpc.ErrTimeout):
		f.timeouts++
		if kind != PingFailed || errors.Is(err, rpc.ErrSlow) {
			kind = TimedOut
		}
	case errors.Is(err, rpc.ErrFlood):
		kind = Flooded
	case errors.Is(err, rpc.ErrClosed):
		kind = Died
	}
	f.Ended = rpc.EndsSession(err) || f.timeouts >= maxTimeouts
	f.Failures = append(f.Failures, Failure{Place: at, Kind: kind, Err: err})
}

// markAmbiguous marks the tools that have a different one of their name.
func (f *fetcher) markAmbiguous() {
	first := make(map[string]*Tool)
	for _, t := range f.Tools {
		if other := first[t.Name]; other == nil {
			first[t.Name] = t
		} else if !bytes.Equal(t.Raw, other.Raw) {
			t.Ambiguous, other.Ambiguous = true, true
		}
	}
}

func (f *fetcher) read(ctx context.Context, uri string) *Read {
	raw, err := f.client.Call(ctx, "resources/read", map[string]any{"uri": uri})
	if err != nil {
		f.fail(Place{Method: "resources/read", URI: uri}, ReadFailed, err)
		return &Read{URI: uri, Err: err}
	}
	return parseRead(uri, raw)
}

func (f *fetcher) call(ctx context.Context, t *Tool, args map[string]any) *Result {
	r := &Result{Tool: t}
	r.Raw, r.Err = f.client.Call(ctx, "tools/call", map[string]any{"name": t.Name, "arguments": args})
	if r.Err != nil {
		if rpc.EndsSession(r.Err) || errors.Is(r.Err, rpc.ErrTimeout) {
			f.fail(Place{Method: "tools/call", Tool: t.Name}, TimedOut, r.Err)
		}
		return r
	}
	if err := json.Unmarshal(r.Raw, &r.Object); err != nil || r.Object == nil {
		r.Err = errors.New("the result is not an object")
	}
	return r
}
