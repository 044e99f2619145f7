package appclient

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/appuri"
	"github.com/mcpapps-go/mcpapps/internal/oldformats"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A ReadReason is the reason why [ReadApp] returned no document.
type ReadReason int

const (
	// ReadFailed: the call failed for the reason in Err, such as
	// [mcp.ErrConnectionClosed].
	ReadFailed ReadReason = iota
	// ReadNotFound: the server has no such resource, or serves no resources.
	ReadNotFound
	// ReadTimeout: the timeout or the context's deadline passed.
	ReadTimeout
	// ReadWrongType: the content has the media type in MIMEType, not that of apps.
	ReadWrongType
	// ReadNoContent: the result has no usable content item for the URI.
	ReadNoContent
	// ReadEmpty: the document is empty or consists of white space.
	ReadEmpty
	// ReadTooLarge: the document is larger than allowed; see Size and Limit.
	ReadTooLarge
	// ReadNotUTF8: the document in a blob is not UTF-8. (In text, the SDK's JSON
	// decoder has already replaced invalid UTF-8.)
	ReadNotUTF8
	// ReadBadBase64: the blob is not base64. The SDK accepts line breaks in it,
	// and ignores unused bits of the last character.
	ReadBadBase64
)

// String returns the name of the reason, such as "not found".
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

// A ReadError is the error of [ReadApp] if it returned no document.
type ReadError struct {
	// URI is the requested URI.
	URI string
	// Reason distinguishes the cases, for callers that branch on them.
	Reason ReadReason
	// MIMEType is the media type of the content, for ReadWrongType. It may be
	// empty.
	MIMEType string
	// Size and Limit are in bytes, for ReadTooLarge.
	Size, Limit int64
	// Err is the error of the call, or more detail, or nil.
	Err error
}

// Error describes the failure.
func (e *ReadError) Error() string {
	var what string
	switch e.Reason {
	case ReadNotFound:
		what = "the server has no such resource; it must register one at exactly the URI that the tool names"
	case ReadTimeout:
		what = "the timeout has passed"
	case ReadWrongType:
		what = fmt.Sprintf("its media type is %s%s; it must be %q", text.Quote(e.MIMEType), oldformats.Note(e.MIMEType), mcpapps.MIMEType)
		if e.MIMEType == "" {
			what = fmt.Sprintf("it has no media type; it must be %q", mcpapps.MIMEType)
		}
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
