package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/appclient"
)

// ErrNoApp is the error of [Connection.Open] for a tool without an app.
var ErrNoApp = errors.New("the tool has no app to open")

// NewBridge returns the bridge of a view whose tools and resources belong to this
// server, for programs that make the tool call themselves.
func (c *Connection) NewBridge(ctx context.Context, opts *BridgeOptions) (*Bridge, error) {
	s, err := c.connected(ctx)
	if err != nil {
		return nil, err
	}
	return s.newBridge(opts)
}

func (s *session) newBridge(opts *BridgeOptions) (*Bridge, error) {
	b, err := newBridge(s.link(), opts)
	if err != nil {
		return nil, err
	}
	if err := s.add(b); err != nil {
		return nil, err
	}
	return b, nil
}

func (s *session) link() *link {
	return &link{session: s.sdk, catalog: s.catalog, own: s}
}

// Open calls a tool and returns the bridge of the view that it opens. It does not
// wait for the result: it reads the app while the call runs. [Bridge.WaitApp] and
// [Bridge.WaitResult] wait for the two. The view receives the input, with the
// schema's defaults filled in, and then the result as the server sent it, or a
// cancellation with the reason of the failure.
//
// ctx governs the call: when it ends, the call is cancelled, at the server too,
// with the context's cause as the reason. An HTTP handler that returns before the
// result is known passes a context that outlives its request
// ([context.WithoutCancel]). Closing the bridge cancels the call too: close it
// when the view's frame is gone, and if WaitApp fails.
//
// The error is [ErrNoApp] if the tool has no app: call it with [Connection.Call].
func (c *Connection) Open(ctx context.Context, tool string, args any, opts *BridgeOptions) (*Bridge, error) {
	var s *session
	var raw json.RawMessage
	var t *Tool
	err := c.onSession(ctx, func(now *session) (err error) {
		if s == nil { // not on the session that replaces a lost one
			err = c.ping(ctx, now)
		}
		if s = now; err == nil {
			raw, t, err = s.arguments(ctx, tool, args)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.UIError != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrNoApp, tool, t.UIError)
	}
	if t.UI.ResourceURI == "" {
		return nil, fmt.Errorf("%w: %q", ErrNoApp, tool)
	}
	var o BridgeOptions
	if opts != nil {
		o = *opts
	}
	if o.Emulation != nil && o.Emulation.NoApps {
		return nil, fmt.Errorf("%w: the emulated host shows no apps", ErrNoApp)
	}
	o.Tool = t.Tool
	b, err := newBridge(s.link(), &o)
	if err != nil {
		return nil, err
	}
	b.setToolInfo(t.Tool, t.Raw)
	if err := b.SendToolInput(raw); err != nil {
		return nil, err
	}
	callCtx, cancel := context.WithCancelCause(ctx)
	b.opening = &opening{cancel: cancel, read: make(chan struct{}), called: make(chan struct{})}
	if err := s.add(b); err != nil { // from here on it can be closed at any time
		cancel(err)
		return nil, err
	}
	go func() {
		defer close(b.opening.read)
		app, err := s.readApp(b.ctx, t.UI.ResourceURI, b.emulation.documentBytes(c.opts.DocumentBytes))
		if err != nil && b.ctx.Err() != nil {
			err = context.Cause(b.ctx)
		}
		b.mu.Lock()
		if b.opts.App == nil { // else SetApp was faster
			b.opts.App, b.opening.appErr = b.emulation.app(app), err
			b.giveDocument()
		}
		b.release()
		if err != nil && b.ctx.Err() == nil {
			b.note(LevelError, NoteDocument, "reading the app: "+err.Error())
		}
	}()
	go func() {
		defer cancel(nil)
		stop := context.AfterFunc(b.ctx, func() { cancel(context.Cause(b.ctx)) })
		defer stop()
		result, err := s.call(callCtx, tool, raw, b.opts.Limits.CallTimeout, nil)
		b.opening.result, b.opening.callErr = result, err
		// Whoever waits for the result may close the bridge: the view has its outcome
		// first. The transport is not waited for.
		if err == nil {
			b.noteOtherView(result, t.UI.ResourceURI)
			err = b.sendResult(result, b.release)
		}
		if err != nil && !errors.Is(err, ErrClosed) {
			_ = b.sendOutcome(cancelledParams(err.Error()), true, b.release)
		}
		close(b.opening.called)
	}()
	return b, nil
}

// ReadApp reads the app at a ui:// URI, with the metadata of its entry in the
// server's list of resources if the document has none of its own. [Connection.Open]
// reads a view's app by itself; ReadApp is for reading it again, see
// [Bridge.SetApp], or without a view.
func (c *Connection) ReadApp(ctx context.Context, uri string) (app *appclient.App, err error) {
	err = c.onSession(ctx, func(s *session) error {
		app, err = s.readApp(ctx, uri, c.opts.DocumentBytes)
		return err
	})
	return app, err
}

// readApp reads an app. If its content item has no metadata, it takes that of the
// resource's entry in the list. Only then does it fetch the list: servers may
// leave apps out of it.
func (s *session) readApp(ctx context.Context, uri string, maxBytes int64) (*appclient.App, error) {
	app, err := appclient.ReadApp(ctx, s.sdk, uri, &appclient.ReadOptions{MaxBytes: maxBytes})
	if err != nil || app.Contents.Meta["ui"] != nil {
		return app, err
	}
	bounds := s.catalog.bounds
	ctx, cancel := context.WithTimeout(ctx, bounds.timeout)
	defer cancel()
	cursor, size, items := "", 0, 0
	for range bounds.pages {
		var page *mcp.ListResourcesResult
		raw, err := do(ctx, &exchange{most: bounds.items}, func(ctx context.Context) (res *mcp.ListResourcesResult, err error) {
			page, err = s.sdk.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
			return page, err
		})
		if err != nil || page == nil {
			return app, nil // without a list there is no metadata
		}
		for _, r := range page.Resources {
			if r != nil && r.URI == uri {
				app.UI, app.MetadataErr = mcpapps.ResourceUI(r.Meta, app.Contents.Meta)
				return app, nil
			}
		}
		size, items = size+len(raw), items+len(page.Resources)
		if page.NextCursor == "" || page.NextCursor == cursor || size > bounds.bytes || items > bounds.items {
			break
		}
		cursor = page.NextCursor
	}
	return app, nil
}

// An opening is the part of [Connection.Open] that continues after it returned.
type opening struct {
	cancel context.CancelCauseFunc

	read   chan struct{}
	appErr error // b.mu guards it

	called  chan struct{}
	result  json.RawMessage
	callErr error
}

// WaitApp waits until the view's document and metadata are read and returns them,
// or the error of reading. Without [Connection.Open] it returns BridgeOptions.App,
// which may be nil.
//
// A program whose frame is a sandbox proxy as in the specification does not need
// it: the bridge answers the proxy's ui/notifications/sandbox-proxy-ready.
func (b *Bridge) WaitApp(ctx context.Context) (*appclient.App, error) {
	if o := b.opening; o != nil {
		select {
		case <-o.read:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if o := b.opening; o != nil && o.appErr != nil {
		return nil, o.appErr
	}
	return b.opts.App, nil
}

// WaitResult waits for the call that opened the view and returns its result as the
// server sent it, or its error. Without [Connection.Open] it returns nil, nil.
func (b *Bridge) WaitResult(ctx context.Context) (json.RawMessage, error) {
	o := b.opening
	if o == nil {
		return nil, nil
	}
	select {
	case <-o.called:
		return o.result, o.callErr
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Cancel cancels the call that opened the view, at the server too, and sends the
// view the reason; nil means that the user cancelled it. It has no effect after
// the result, or without [Connection.Open].
func (b *Bridge) Cancel(reason error) {
	if reason == nil {
		reason = errors.New("cancelled by the user")
	}
	if b.opening != nil {
		b.opening.cancel(reason)
	}
}
