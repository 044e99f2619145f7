package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// Tools returns the server's tools. It fetches the list once, and again after the
// server announced a change. The tools are shared: do not change them.
func (c *Connection) Tools(ctx context.Context) ([]*Tool, error) {
	var tools []*Tool
	err := c.onSession(ctx, func(s *session) (err error) {
		tools, err = s.catalog.list(ctx)
		return err
	})
	return slices.Clone(tools), err
}

// ModelTools returns the tools that the model may see, for an agent's tool list.
// The others are only for views (MCP Apps, Visibility).
func (c *Connection) ModelTools(ctx context.Context) ([]*mcp.Tool, error) {
	all, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var tools []*mcp.Tool
	for _, t := range all {
		if mcpapps.VisibleTo(t.Tool, mcpapps.VisibilityModel) {
			tools = append(tools, t.Tool)
		}
	}
	return tools, nil
}

// Call calls a tool for the model and returns the CallToolResult as the server
// sent it. The arguments must encode to a JSON object; nil and an empty
// [json.RawMessage] mean {}. The defaults of the input schema are filled in, unless
// the schema itself rejects them.
//
// If an HTTP server refuses the call because it lost the session, Call makes it once
// more on a new one.
func (c *Connection) Call(ctx context.Context, tool string, args any) (json.RawMessage, error) {
	var result json.RawMessage
	err := c.onSession(ctx, func(s *session) error {
		raw, _, err := s.arguments(ctx, tool, args)
		if err == nil {
			result, err = s.call(ctx, tool, raw, c.opts.CallTimeout, nil)
		}
		return err
	})
	return result, err
}

// arguments looks a tool up, encodes its arguments and fills in the defaults.
func (s *session) arguments(ctx context.Context, tool string, args any) (json.RawMessage, *Tool, error) {
	raw, err := argsObject(args)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.catalog.lookup(ctx, tool)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return nil, nil, fmt.Errorf("the server has no tool %q", tool)
	}
	return FillDefaults(t.InputSchemaJSON(), raw), t, nil
}

func (s *session) call(ctx context.Context, tool string, args json.RawMessage, timeout time.Duration, progress func(json.RawMessage)) (json.RawMessage, error) {
	ctx, end := s.bound(ctx)
	defer end(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the tool %q took longer than %v", tool, timeout))
	defer cancel()
	x := &exchange{progress: progress, rawOnly: true}
	if progress != nil {
		x.token = newToken()
	}
	params := &mcp.CallToolParams{Meta: callMeta(ctx, x.token), Name: tool, Arguments: args}
	start := time.Now()
	raw, err := do(ctx, x, func(ctx context.Context) (*mcp.CallToolResult, error) { return s.sdk.CallTool(ctx, params) })
	return raw, s.explain(ctx, err, start)
}

// explain replaces the error of a request that began at start by the reason why the
// connection failed, if that is why the request did. To the error of an answer that
// did not come in time it adds what the server wrote in place of one.
func (s *session) explain(ctx context.Context, err error, start time.Time) error {
	if err == nil || isAnswer(err) {
		return err
	}
	// The end of the session ends ctx too, perhaps just before the SDK noticed it, or
	// while this runs: ctx is looked at once, before its cause.
	done := ctx.Err()
	gone := context.Cause(s.ctx)
	if done == nil || context.Cause(ctx) != gone {
		gone = nil
	}
	if isRefused(err) {
		if gone != nil {
			return refused{gone}
		}
		return refused{fmt.Errorf("the server is gone: %w", err)}
	}
	if gone != nil {
		return gone
	}
	if done != nil {
		if errors.Is(done, context.DeadlineExceeded) {
			return s.why.withNoise(err, start)
		}
		return err
	}
	if s.usableAfter(err) {
		return err
	}
	select {
	case <-s.ended:
	case <-time.After(s.endNotice):
		s.why.set(err)
		<-s.ended
	}
	return fmt.Errorf("the server is gone: %w", s.gone)
}

// isAnswer reports whether an error is the server's answer to a request.
func isAnswer(err error) bool {
	var answer *jsonrpc.Error
	return errors.As(err, &answer) && !errors.Is(err, mcp.ErrConnectionClosed)
}

// usableAfter reports whether the connection continues after a request that failed
// with err.
func (s *session) usableAfter(err error) bool {
	if errors.Is(err, mcp.ErrConnectionClosed) {
		return false
	}
	select {
	case <-s.why.ended:
		return false
	default:
	}
	// Of a connection that is not wrapped only the SDK knows whether it failed. It
	// says so when it is asked to send something, which the context prevents from
	// being sent.
	if !s.why.isBare() {
		return true
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return errors.Is(s.sdk.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "mcpapps"}), context.Canceled)
}
