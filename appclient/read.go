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

// ReadOptions are the options of [ReadApp].
type ReadOptions struct {
	// MaxBytes limits the size of the document, in bytes of HTML after decoding.
	// Zero or less means 8 MiB. The SDK has received the whole message by then:
	// to limit what is received, limit the transport.
	MaxBytes int64
	// Timeout limits the read, in addition to the context. Zero or less means 30
	// seconds.
	Timeout time.Duration
	// Listed is the _meta of the app's entry in resources/list, if the caller has
	// it. Its _meta.ui applies if the content item has none.
	Listed mcp.Meta
}

const (
	defaultMaxBytes    = 8 << 20
	defaultReadTimeout = 30 * time.Second
)

// An App is a UI resource that was read.
type App struct {
	// URI is the requested URI.
	URI string
	// HTML is the document as the server sent it: not empty, valid UTF-8, and
	// not trusted.
	HTML string
	// UI is the metadata in effect, from which a host makes the policy and the
	// permissions of the document's frame.
	UI mcpapps.ResourceUIMetadata
	// MetadataErr is the error of invalid metadata, which is left out of UI, or
	// nil. The app is usable, but gets less than it asked for.
	MetadataErr error
	// Contents is a copy of the content item that holds the document.
	Contents *mcp.ResourceContents
}

// ReadApp reads the app at a ui:// URI with one resources/read. It does not list
// resources, because servers may leave apps out of resources/list (MCP Apps,
// Resource Discovery). The document is the first content item with the requested
// URI and the media type of apps in any spelling, or else the first such item
// without a URI; as text, or else as a blob. opts may be nil.
//
// If the call fails or there is no document, the error is a [*ReadError], whose
// Reason a host can translate. A nil session and a URI that no app can have are
// errors without a reason. ReadApp returns when the timeout has passed or ctx
// ends, even if the server has stopped reading; the session then still waits for
// the call.
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
	// The SDK may cache the result and return it to other callers.
	contents := *item
	contents.Blob = bytes.Clone(item.Blob)
	if item.Meta != nil {
		contents.Meta = jsonvalue.Clone(map[string]any(item.Meta)).(map[string]any)
	}
	app.Contents = &contents
	return app, nil
}

// appItem returns the content item that is the app.
func appItem(uri string, contents []*mcp.ResourceContents) (*mcp.ResourceContents, error) {
	var unnamed, otherType *mcp.ResourceContents
	var others []string
	for _, c := range contents {
		switch {
		case c == nil:
		case c.URI != uri && c.URI != "":
			if len(others) < 5 { // for the message
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

// htmlOf returns the document in a content item.
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
