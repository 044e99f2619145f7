package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withoutValues is the context of a request of the gateway's client, for a request to
// a backend. The SDK's server puts values into it that its client would take for its
// own, such as the protocol version.
type withoutValues struct{ context.Context }

func (withoutValues) Value(any) any { return nil }

// call calls a tool. An error of type *jsonrpc.Error is the backend's answer.
func (u *upstream) call(ctx context.Context, tool string, args json.RawMessage) (*mcp.CallToolResult, error) {
	conn, err := u.connection(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := conn.Call(withoutValues{ctx}, tool, args)
	if err != nil {
		return nil, u.explain(err, "the call may have had an effect")
	}
	var res mcp.CallToolResult
	var structured struct {
		Content json.RawMessage `json:"structuredContent"`
	}
	if err := errors.Join(json.Unmarshal(raw, &res), json.Unmarshal(raw, &structured)); err != nil {
		return nil, fmt.Errorf("backend %q: the result of the tool %q: %w", u.name, tool, err)
	}
	// A new result: other fields are of the connection to the backend. Structured
	// content is passed on byte for byte, so that large numbers stay exact.
	out := &mcp.CallToolResult{Meta: res.Meta, Content: res.Content, IsError: res.IsError}
	if structured.Content != nil {
		out.StructuredContent = structured.Content
	}
	return out, nil
}

// read reads a resource. It tries again, at most twice, if the backend did not answer:
// a server over HTTP that was started again closes its old connections, and does not
// know its old sessions. It does not wait for the pause that begins when the connection
// is lost meanwhile.
func (u *upstream) read(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	ctx = withoutValues{ctx}
	conn, err := u.connection(ctx)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		s := conn.Session()
		if s == nil { // lost just now: asking for the list connects
			_, err := conn.Tools(ctx)
			if s = conn.Session(); s == nil {
				return nil, u.explain(cmp.Or(err, errLost), "try again")
			}
		}
		res, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		if err == nil {
			return &mcp.ReadResourceResult{Meta: res.Meta, Contents: res.Contents, Cacheable: res.Cacheable}, nil
		}
		if attempt == 3 || answerIn(err) != nil || ctx.Err() != nil {
			return nil, u.explain(err, "try again")
		}
		if errors.Is(err, mcp.ErrSessionMissing) && conn.Session() == s {
			_ = conn.Restart(ctx)
		}
	}
}

var errLost = errors.New("the connection was lost")

// answerIn returns the backend's answer to a request, if the error is one.
func answerIn(err error) *jsonrpc.Error {
	const rejectedByTransport = -32005 // by the SDK, which did not send the request
	var answer *jsonrpc.Error
	if errors.As(err, &answer) && answer.Code != rejectedByTransport && !errors.Is(err, mcp.ErrConnectionClosed) {
		return answer
	}
	return nil
}

// explain returns the backend's answer, or an error that names the backend and hides
// the type of err, which in the SDK may be that of an answer.
func (u *upstream) explain(err error, remark string) error {
	if answer := answerIn(err); answer != nil {
		return answer
	}
	return fmt.Errorf("backend %q (%s): %v; %s", u.name, u.target, err, remark)
}

func (u *upstream) listTools(ctx context.Context) []*host.Tool {
	return list(ctx, u, &u.tools, func(ctx context.Context, conn *host.Connection) ([]*host.Tool, error) {
		return conn.Tools(ctx)
	})
}

func (u *upstream) listResources(ctx context.Context) []*mcp.Resource {
	return list(ctx, u, &u.resources, func(ctx context.Context, conn *host.Connection) ([]*mcp.Resource, error) {
		return pages(conn, func(s *mcp.ClientSession) iter.Seq2[*mcp.Resource, error] { return s.Resources(ctx, nil) })
	})
}

func (u *upstream) listTemplates(ctx context.Context) []*mcp.ResourceTemplate {
	return list(ctx, u, &u.templates, func(ctx context.Context, conn *host.Connection) ([]*mcp.ResourceTemplate, error) {
		return pages(conn, func(s *mcp.ClientSession) iter.Seq2[*mcp.ResourceTemplate, error] {
			return s.ResourceTemplates(ctx, nil)
		})
	})
}

// list returns one of the backend's lists. If the backend can't be asked, or takes too
// long, it is the one from before: what is down stays listed, and what hangs does not
// delay the other backends for long.
func list[T any](ctx context.Context, u *upstream, last *[]T, get func(context.Context, *host.Connection) ([]T, error)) []T {
	ctx, cancel := context.WithTimeout(withoutValues{ctx}, u.patience)
	defer cancel()
	var items []T
	conn, err := u.connection(ctx)
	if err == nil {
		items, err = get(ctx, conn)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		*last = items
	}
	return *last
}

// pages returns the items of all pages of a list, without null, for which clients reject
// the whole list.
func pages[T any](conn *host.Connection, all func(*mcp.ClientSession) iter.Seq2[*T, error]) ([]*T, error) {
	const most = 10_000
	s := conn.Session()
	if s == nil {
		return nil, errLost
	}
	var items []*T
	for item, err := range all(s) {
		if err != nil {
			return nil, err
		}
		if item == nil {
			continue
		}
		if items = append(items, item); len(items) > most {
			return nil, fmt.Errorf("a list has more than %d items", most)
		}
	}
	return items, nil
}
