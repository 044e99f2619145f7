package check

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/command"
	"github.com/mcpapps-go/mcpapps/internal/connecthint"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// An OptionError says that an option of a check is invalid.
type OptionError struct {
	// Option is the field of [Options]: "Ignore", "Calls" or "Hosts".
	Option string
	// Err says what is wrong with it.
	Err error
}

// Error names the option and says what is wrong with it.
func (e *OptionError) Error() string { return "Options." + e.Option + " " + e.Err.Error() }

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

// An UnreachableError says that a server could not be checked, because no session
// with it could be opened.
type UnreachableError struct {
	// Method is the request that failed: "initialize", or "" if there was no
	// connection to send one on.
	Method string
	// HTTPStatus is the status of the response if that was not an answer, such as
	// 401; otherwise 0.
	HTTPStatus int
	// OldTransport is whether the server speaks HTTP+SSE, the transport of protocol
	// version 2024-11-05, which is not checked.
	OldTransport bool
	// Stdout is the beginning of what a command wrote to its standard output, and
	// Stderr the end of what it wrote to its standard error, or its panic, 2 KiB at
	// most. Both
	// are empty unless the target is a command, and are the server's own words.
	Stdout, Stderr string
	// Err says why.
	Err error

	isCommand bool
	webPage   bool // the server answered with a page for browsers
}

// Error says which request failed and why, and what a command wrote, indented below
// it. The server's words are escaped for terminals.
func (e *UnreachableError) Error() string {
	var b strings.Builder
	if e.Method != "" {
		b.WriteString(e.Method + ": ")
	}
	b.WriteString(text.Printable(text.Shorten(e.Err.Error(), maxName)))
	if hint := e.hint(); hint != "" {
		b.WriteString("; " + hint)
	}
	if e.isCommand {
		writeOutput(&b, "the beginning of standard output", e.Stdout)
		writeOutput(&b, "the end of standard error", e.Stderr)
	}
	return b.String()
}

// hint returns the most likely remedy, or "".
func (e *UnreachableError) hint() string {
	switch {
	case e.OldTransport, e.isCommand:
		return ""
	case e.webPage:
		return connecthint.WebPage
	case e.HTTPStatus != 0:
		return connecthint.ForStatus(e.HTTPStatus)
	default:
		return connecthint.ForNetwork(e.Err)
	}
}

// Unwrap returns Err.
func (e *UnreachableError) Unwrap() error { return e.Err }

func writeOutput(b *strings.Builder, stream, output string) {
	output = strings.TrimSpace(strings.ToValidUTF8(output, "\ufffd"))
	if output == "" {
		fmt.Fprintf(b, "\n%s: nothing", stream)
		return
	}
	fmt.Fprintf(b, "\n%s:", stream)
	for line := range strings.SplitSeq(output, "\n") {
		b.WriteString("\n    " + text.Printable(strings.ReplaceAll(strings.TrimRight(line, "\r"), "\t", "    ")))
	}
}

// unreachable returns the error of a session that could not be opened.
func unreachable(method string, conn rpc.Conn, err error) *UnreachableError {
	e := &UnreachableError{Method: method, Err: err}
	var status *rpc.StatusError
	if errors.As(err, &status) {
		e.HTTPStatus, e.OldTransport, e.webPage = status.Code, status.OldTransport, status.WebPage
	}
	if p, ok := conn.(*rpc.Process); ok {
		e.isCommand = true
		e.Stdout, e.Stderr = p.Output()
	}
	return e
}

// withLastWords adds to the error of a connection that has ended the end of what the
// command wrote to its standard error, if it is one.
func withLastWords(err error, conn rpc.Conn) error {
	p, ok := conn.(*rpc.Process)
	if !ok {
		return err
	}
	_, stderr := p.Output()
	words := strings.TrimSpace(strings.ToValidUTF8(stderr, "\ufffd"))
	if words == "" {
		return err
	}
	if line, place := command.Fault(words); place != "" {
		return fmt.Errorf("%w; its standard error says %s at %s", err, strconv.Quote(text.Shorten(line, maxSentence)), text.Printable(text.Shorten(place, maxSentence)))
	}
	if n := len(words) - maxSentence/2; n > 0 {
		words = "…" + strings.ToValidUTF8(words[n:], "")
	}
	return fmt.Errorf("%w; its standard error ends with %s", err, strconv.Quote(words))
}

// notOffered reports whether an error of a session's opening means that the server
// answers and does not offer the protocol version.
func notOffered(err error) bool {
	var version *rpc.VersionError
	var answer *jsonrpc.Error
	var status *rpc.StatusError
	switch {
	case errors.As(err, &version), errors.As(err, &answer):
		return true
	case errors.As(err, &status):
		switch status.Code {
		case 400, 404, 405, 406: // what SDKs answer to a version that they do not know
			return true
		}
	}
	return false
}
