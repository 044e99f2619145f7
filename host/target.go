package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Target says where a server is. Set exactly one of Command, URL, Server and
// Transport; the other fields go with them.
type Target struct {
	// Command is a program and its arguments that speaks MCP on its standard
	// input and output.
	Command []string
	Dir     string   // working directory of Command; "" for this one
	Env     []string // added to this process's environment, as KEY=VALUE

	// URL is the endpoint of a streamable HTTP server.
	URL string
	// Header is added to each HTTP request, for an authorization for instance,
	// but not to one that the server redirects to another host.
	Header http.Header
	// HTTPClient makes the requests; nil for a plain one.
	HTTPClient *http.Client

	// Server is a server in this process.
	Server *mcp.Server

	// Transport makes a transport for each connection. A
	// [mcp.StreamableClientTransport] is listened to as one made from URL is.
	Transport func(context.Context) (mcp.Transport, error)
}

// ParseTarget reads what a person writes on a command line: one http or https
// URL, or a command with its arguments.
func ParseTarget(args []string) (Target, error) {
	if len(args) == 0 {
		return Target{}, errors.New("name a server: an http URL, or -- and a command with its arguments")
	}
	if len(args) == 1 && (strings.HasPrefix(args[0], "http://") || strings.HasPrefix(args[0], "https://")) {
		t := Target{URL: args[0]}
		return t, t.validate()
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return Target{}, fmt.Errorf("no such command: %w", err)
	}
	return Target{Command: args}, nil
}

func (t *Target) validate() error {
	set := 0
	for _, ok := range []bool{len(t.Command) > 0, t.URL != "", t.Server != nil, t.Transport != nil} {
		if ok {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("a Target has one of Command, URL, Server and Transport, not %d", set)
	}
	if t.URL != "" {
		u, err := url.Parse(t.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("the URL %q is not an http or https address", t.URL)
		}
	}
	return nil
}

// String names the target to people.
func (t Target) String() string {
	switch {
	case len(t.Command) > 0:
		return strings.Join(t.Command, " ")
	case t.URL != "":
		return t.URL
	case t.Server != nil:
		return "a server in this process"
	default:
		return "a transport"
	}
}

// transport makes the transport of one connection, with the taps in it.
func (t *Target) transport(ctx context.Context, o *Options) (mcp.Transport, error) {
	switch {
	case len(t.Command) > 0:
		return tapTransport{&stdio{target: t, limit: o.MessageBytes, stderr: o.Stderr, stdout: o.stray}}, nil
	case t.URL != "":
		return tapHTTP(&mcp.StreamableClientTransport{Endpoint: t.URL, HTTPClient: t.HTTPClient}, t.Header, o.MessageBytes), nil
	case t.Server != nil:
		near, far := inMemory()
		if _, err := t.Server.Connect(context.WithoutCancel(ctx), far, nil); err != nil {
			return nil, err
		}
		return tapTransport{near}, nil
	}
	tr, err := t.Transport(ctx)
	if err != nil {
		return nil, err
	}
	if s, ok := tr.(*mcp.StreamableClientTransport); ok {
		return tapHTTP(s, t.Header, o.MessageBytes), nil
	}
	return tapTransport{tr}, nil
}

// tapHTTP returns a copy of s that is listened to.
func tapHTTP(s *mcp.StreamableClientTransport, header http.Header, limit int) *mcp.StreamableClientTransport {
	tapped := *s
	client := http.Client{}
	if s.HTTPClient != nil {
		client = *s.HTTPClient
	}
	next := client.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	if to, err := url.Parse(s.Endpoint); err == nil && len(header) > 0 {
		next = withHeader{next, header, to}
	}
	client.Transport = httpTap{next: next, limit: limit}
	tapped.HTTPClient = &client
	return &tapped
}

// withHeader adds a header to the requests to one server, and not to those that
// it redirects elsewhere: the header may hold a secret.
type withHeader struct {
	next   http.RoundTripper
	header http.Header
	to     *url.URL
}

func (t withHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != t.to.Host || t.to.Scheme == "https" && req.URL.Scheme != "https" {
		return t.next.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	for k, v := range t.header {
		req.Header[http.CanonicalHeaderKey(k)] = v
	}
	return t.next.RoundTrip(req)
}
