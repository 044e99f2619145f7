package appclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ReadOptions bound and complete a [ReadApp].
type ReadOptions struct {
	// MaxBytes is the size of the largest document that is accepted, in bytes of
	// decoded HTML. Zero and less mean 8 MiB. The SDK has by then received the
	// message: to bound what arrives, bound the transport.
	MaxBytes int64
	// Timeout bounds the read, beside the context. Zero and less mean 30 seconds.
	Timeout time.Duration
	// Listed is the _meta of the app's entry in resources/list, where the caller
	// has it: its _meta.ui counts where the content item has none.
	Listed mcp.Meta
}

const (
	defaultMaxBytes    = 8 << 20
	defaultReadTimeout = 30 * time.Second
)

// An App is a UI resource as it was read.
type App struct {
	// URI is the URI that was asked for.
	URI string
	// HTML is the document: not empty and valid UTF-8, otherwise untouched and
	// untrusted.
	HTML string
	// UI is the effective metadata: what the policy and the permissions of the
	// document's frame are made from.
	UI mcpapps.ResourceUIMetadata
	// MetadataErr says what of the metadata could not be read, so that it is not
	// in UI; nil if all could. The app is usable, with less than it asked for.
	MetadataErr error
	// Contents is a copy of the content item that the document comes from.
	Contents *mcp.ResourceContents
}

// ReadApp reads the app at a ui:// URI, with one resources/read: listing is
// neither needed nor done, since servers may leave apps out of resources/list
// (MCP Apps, Resource Discovery). It takes the content item with that URI, or
// with none, and the media type of apps in any spelling, whatever stands before
// it; from text, or else from a blob. opts may be nil.
//
// Where there is no document the error is a [*ReadError], and tells the cases
// apart that a host reports in words of its own. It returns when the timeout
// has passed or ctx ends, also while the peer has stopped reading; the call is
// then abandoned to the session.
func ReadApp(ctx context.Context, cs *mcp.ClientSession, uri string, opts *ReadOptions) (*App, error) {
	var o ReadOptions
	if opts != nil {
		o = *opts
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultReadTimeout
	}
	if cs == nil {
		return nil, errors.New("appclient.ReadApp: the session is nil: pass the one that Client.Connect returned")
	}
	if err := appuri.Validate(uri); err != nil {
		return nil, fmt.Errorf("appclient.ReadApp: the URI %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	res, err := within(ctx, func() (*mcp.ReadResourceResult, error) {
		return cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	})
	if err != nil {
		return nil, callError(uri, err)
	}
	item, err := appItem(uri, res.Contents)
	if err != nil {
		return nil, err
	}
	doc, err := htmlOf(uri, item, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	app := &App{URI: uri, HTML: doc}
	app.UI, app.MetadataErr = mcpapps.ResourceUI(o.Listed, item.Meta)
	// The SDK may keep the result and give it to others.
	contents := *item
	contents.Blob = bytes.Clone(item.Blob)
	if item.Meta != nil {
		contents.Meta = jsonvalue.Clone(map[string]any(item.Meta)).(map[string]any)
	}
	app.Contents = &contents
	return app, nil
}

// appItem chooses the content item that is the app.
func appItem(uri string, contents []*mcp.ResourceContents) (*mcp.ResourceContents, error) {
	var unnamed, otherType *mcp.ResourceContents
	var others []string
	for _, c := range contents {
		switch {
		case c == nil:
		case c.URI != uri && c.URI != "":
			if len(others) < 5 { // enough for a message
				others = append(others, text.Shorten(c.URI, 120))
			}
		case !mcpapps.IsMIMEType(c.MIMEType):
			if otherType == nil {
				otherType = c
			}
		case c.URI == uri:
			return c, nil
		case unnamed == nil:
			unnamed = c
		}
	}
	switch {
	case unnamed != nil:
		return unnamed, nil
	case otherType != nil:
		return nil, &ReadError{URI: uri, Reason: ReadWrongType, MIMEType: otherType.MIMEType}
	case others != nil:
		err := fmt.Errorf("the result has content for %q", others)
		return nil, &ReadError{URI: uri, Reason: ReadNoContent, Err: err}
	default:
		return nil, &ReadError{URI: uri, Reason: ReadNoContent}
	}
}

// htmlOf returns the document in item.
func htmlOf(uri string, item *mcp.ResourceContents, maxBytes int64) (string, error) {
	text, blob := item.Text, item.Blob
	if text != "" && blob != nil && text != string(blob) {
		return "", &ReadError{URI: uri, Reason: ReadNoContent, Err: errors.New("text and blob differ, and a host may take either")}
	}
	size := int64(max(len(text), len(blob)))
	if size > maxBytes {
		return "", &ReadError{URI: uri, Reason: ReadTooLarge, Size: size, Limit: maxBytes}
	}
	if text == "" {
		if !utf8.Valid(blob) {
			return "", &ReadError{URI: uri, Reason: ReadNotUTF8}
		}
		text = string(blob)
	} else if !utf8.ValidString(text) {
		return "", &ReadError{URI: uri, Reason: ReadNotUTF8}
	}
	if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "" {
		return "", &ReadError{URI: uri, Reason: ReadEmpty}
	}
	return text, nil
}

// within runs f and returns its result, or the context's error as soon as ctx
// ends: the SDK waits for a transport whose peer has stopped reading. A panic in
// f, as of the client's own middleware, is the caller's to recover.
func within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		v        T
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.err = errors.New("the call ended its goroutine") // unless it returns
		o.v, o.err = f()
	}()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.v, o.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
