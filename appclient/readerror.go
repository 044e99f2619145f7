package appclient

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A ReadReason tells why [ReadApp] returned no document.
type ReadReason int

const (
	// ReadFailed: the call failed, for a reason of the session's or the server's
	// that is in Err, such as [mcp.ErrConnectionClosed].
	ReadFailed ReadReason = iota
	// ReadNotFound: the server has no such resource, or serves no resources.
	ReadNotFound
	// ReadTimeout: the timeout or the context's deadline passed.
	ReadTimeout
	// ReadWrongType: the content has another media type, which is in MIMEType.
	ReadWrongType
	// ReadNoContent: the result has no usable content item for the URI.
	ReadNoContent
	// ReadEmpty: the document is empty, or nothing but white space.
	ReadEmpty
	// ReadTooLarge: the document has more bytes than allowed: see Size and Limit.
	ReadTooLarge
	// ReadNotUTF8: the document, from a blob, is not UTF-8. (In text the SDK has
	// by then replaced what is not UTF-8, as JSON decoders do.)
	ReadNotUTF8
	// ReadBadBase64: the blob is not base64 by the SDK's reading of it, which
	// skips line breaks and ignores stray bits of the last character.
	ReadBadBase64
)

// String returns the reason in words, such as "not found".
func (r ReadReason) String() string {
	switch r {
	case ReadFailed:
		return "failed"
	case ReadNotFound:
		return "not found"
	case ReadTimeout:
		return "timeout"
	case ReadWrongType:
		return "wrong media type"
	case ReadNoContent:
		return "no content"
	case ReadEmpty:
		return "empty"
	case ReadTooLarge:
		return "too large"
	case ReadNotUTF8:
		return "not UTF-8"
	case ReadBadBase64:
		return "bad base64"
	default:
		return fmt.Sprintf("ReadReason(%d)", int(r))
	}
}

// A ReadError is the error of a [ReadApp] that returned no document.
type ReadError struct {
	// URI is the URI that was asked for.
	URI string
	// Reason is what a host branches on.
	Reason ReadReason
	// MIMEType is the media type that came, for ReadWrongType; it may be empty.
	MIMEType string
	// Size and Limit are in bytes, for ReadTooLarge.
	Size, Limit int64
	// Err is the error of the call or the detail, if there is one.
	Err error
}

// Error describes the failure and, where there is one, the remedy.
func (e *ReadError) Error() string {
	var what string
	switch e.Reason {
	case ReadNotFound:
		what = "the server has no such resource"
	case ReadTimeout:
		what = "it took too long"
	case ReadWrongType:
		what = fmt.Sprintf("its media type is %s%s; it must be %q", text.Quote(e.MIMEType), knownType(e.MIMEType), mcpapps.MIMEType)
	case ReadNoContent:
		what = "the result has no usable content for it"
	case ReadEmpty:
		what = "the document is empty"
	case ReadTooLarge:
		what = fmt.Sprintf("the document has %d bytes, more than the limit of %d", e.Size, e.Limit)
	case ReadNotUTF8:
		what = "the document is not UTF-8"
	case ReadBadBase64:
		what = "its blob is not base64"
	default:
		what = "the call failed"
	}
	if e.Err != nil {
		return fmt.Sprintf("reading app %q: %s: %v", e.URI, what, e.Err)
	}
	return fmt.Sprintf("reading app %q: %s", e.URI, what)
}

// Unwrap returns Err.
func (e *ReadError) Unwrap() error { return e.Err }

// knownType says what a media type is that servers are known to send.
func knownType(s string) string {
	if s == "" {
		return ", which says nothing"
	}
	typ, params, err := mime.ParseMediaType(s)
	if err != nil {
		return ""
	}
	switch {
	case typ == "text/html" && params["profile"] == "mcp",
		typ == "text/html+mcp",
		typ == "text/vnd.mcp.ui+html":
		return ", which drafts of this specification used"
	case typ == "text/html+skybridge":
		return ", which is the OpenAI Apps SDK's"
	case typ == "text/html", typ == "text/uri-list", typ == "application/vnd.mcp-ui.remote-dom":
		return ", which MCP-UI resources use"
	}
	return ""
}

// callError classifies the error of a resources/read.
func callError(uri string, err error) error {
	e := &ReadError{URI: uri, Err: err}
	var rpc *jsonrpc.Error
	var corrupt base64.CorruptInputError
	var malformed *json.UnmarshalTypeError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason = ReadTimeout
	case errors.As(err, &corrupt):
		e.Reason = ReadBadBase64
	case errors.As(err, &malformed):
		e.Reason = ReadNoContent
	case appuri.IsNotFound(err), errors.As(err, &rpc) && rpc.Code == jsonrpc.CodeMethodNotFound:
		e.Reason = ReadNotFound
	}
	return e
}
