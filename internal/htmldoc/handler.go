// Package htmldoc is what is behind the handlers of HTML documents that this module
// makes: their text, and who may keep it for how long. Lists of versioned URIs find it
// behind a handler, which other handlers do not allow.
package htmldoc

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Handler serves a document. Its method Serve is the handler for the SDK.
type Handler struct {
	Text func(context.Context, *mcp.ReadResourceRequest) (string, error)
	Kind Kind
}

// Kind says what a document depends on.
type Kind int

const (
	// PerRead documents may differ between clients and between reads.
	PerRead Kind = iota
	// Shared documents are the same for all clients, and may change.
	Shared
	// Unchanging documents are always the same.
	Unchanging
)

// Serve is a [mcp.ResourceHandler].
func (h *Handler) Serve(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	if r, ok := ctx.(*reveal); ok {
		r.handler = h
		return nil, nil
	}
	text, err := h.Text(ctx, req)
	if err != nil {
		return nil, err
	}
	return Result(req, text, h.Kind)
}

// reveal is the context with which Of calls Serve.
type reveal struct {
	context.Context
	handler *Handler
}

var serveCode = reflect.ValueOf((&Handler{}).Serve).Pointer()

// Of returns the Handler behind h, or nil if h is any other handler, which is not
// called.
func Of(h mcp.ResourceHandler) *Handler {
	if reflect.ValueOf(h).Pointer() != serveCode {
		return nil
	}
	r := &reveal{}
	_, _ = h(r, nil)
	return r.handler
}

// mimeType is the media type of apps.
const mimeType = "text/html;profile=mcp-app"

// ErrEmpty is the error for a document without text.
var ErrEmpty = errors.New("the document is empty, which hosts show as a blank frame")

// Result returns the answer to a read of a document.
func Result(req *mcp.ReadResourceRequest, text string, kind Kind) (*mcp.ReadResourceResult, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrEmpty
	}
	return &mcp.ReadResourceResult{
		Cacheable: caching(req, kind),
		Contents:  []*mcp.ResourceContents{{MIMEType: mimeType, Text: text}},
	}, nil
}
