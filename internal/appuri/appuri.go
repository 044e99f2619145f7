// Package appuri decides which URIs an app may have.
package appuri

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Example is a URI for messages.
const Example = "ui://server/view.html"

// Validate reports why uri can't be the URI of an app. The message begins with the
// URI, quoted and shortened.
func Validate(uri string) error {
	rest, ok := strings.CutPrefix(uri, "ui://")
	switch {
	case !ok:
		return fmt.Errorf("%s does not begin with %q: every app has a URI such as %q", text.Quote(uri), "ui://", Example)
	case rest == "":
		return fmt.Errorf("%s has nothing after %q", text.Quote(uri), "ui://")
	}
	for i := range len(uri) {
		switch c := uri[i]; {
		case c <= ' ' || c >= 0x7f:
			return fmt.Errorf("%s has a space, control or non-ASCII character at byte %d: percent-encode it, since the URI travels in an HTTP header", text.Quote(uri), i)
		case c == '{':
			return fmt.Errorf("%s is a template, which hosts do not expand: use a URI without variables, and register the template with RegisterAppResourceTemplate", text.Quote(uri))
		case c == '#':
			return fmt.Errorf("%s has a fragment: hosts use the URI literally, so remove the fragment", text.Quote(uri))
		}
	}
	if _, err := url.Parse(uri); err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return fmt.Errorf("%s is not a URI: %s", text.Quote(uri), text.Shorten(err.Error(), 120))
	}
	return nil
}

// Before protocol version 2025-11-25, a missing resource had this code. Later it is
// invalid params; the URI is the only parameter of a read.
const codeResourceNotFound = -32002

// IsNotFound reports whether the error of a resources/read says that there is
// no resource at the URI.
func IsNotFound(err error) bool {
	var rpc *jsonrpc.Error
	return errors.As(err, &rpc) && (rpc.Code == codeResourceNotFound || rpc.Code == jsonrpc.CodeInvalidParams)
}
