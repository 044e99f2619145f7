package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/command"
	"github.com/mcpapps-go/mcpapps/internal/pipe"
)

// A Target is a server to connect to. Set exactly one of Command, URL, Server and
// Transport; the other fields belong to one of these.
type Target struct {
	// Command is a program and its arguments. The program is an MCP server on its
	// standard input and output.
	Command []string
	Dir     string   // working directory of Command; "" for this one
	Env     []string // added to this process's environment, as KEY=VALUE

	// URL is the endpoint of a streamable HTTP server.
	URL string
	// Header is added to each HTTP request, such as an authorization, except to
	// requests that the server redirects to another host.
	Header http.Header
	// HTTPClient makes the requests; nil means one with the defaults.
	HTTPClient *http.Client

	// Server is a server in this process.
	Server *mcp.Server

	// Transport returns a transport for each connection. A
	// [mcp.StreamableClientTransport] is treated like one made from URL.
	Transport func(context.Context) (mcp.Transport, error)
}

// ParseTarget parses the arguments of a command line: one http or https URL, or a
// command with its arguments.
func ParseTarget(args []string) (Target, error) {
	if len(args) == 0 {
		return Target{}, errors.New("name a server: an http URL, or -- and a command with its arguments")
	}
	if strings.Contains(args[0], "://") {
		if len(args) > 1 {
			return Target{}, fmt.Errorf("%q after the URL %q: a URL stands alone, and flags come before it", args[1], args[0])
		}
		t := Target{URL: args[0]}
		return t, t.validate()
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return Target{}, noCommand(args[0], err)
	}
	return Target{Command: args}, nil
}

// address matches a URL without its scheme.
var address = regexp.MustCompile(`^(localhost|[0-9]+(?:\.[0-9]+){3}|[\w-]+(?:\.[\w-]+)+)(:[0-9]+)?(/.*)?$`)

func noCommand(name string, err error) error {
	if m := address.FindStringSubmatch(name); m != nil && m[2]+m[3] != "" {
		scheme := "https"
		if m[1] == "localhost" || net.ParseIP(m[1]) != nil {
			scheme = "http"
		}
		return fmt.Errorf("no such command: %q; for a URL, name the scheme, as in %s://%s", name, scheme, name)
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no such command: %q", name)
	}
	var wrong *exec.Error
	if errors.As(err, &wrong) {
		err = wrong.Err
	}
	return fmt.Errorf("the command %q: %w", name, err)
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
		if port, err := strconv.ParseUint(u.Port(), 10, 64); u.Port() != "" && (err != nil || port < 1 || port > 65535) {
			return fmt.Errorf("the URL %q has the port %s: a port is a number from 1 to 65535", t.URL, u.Port())
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

// Kind returns the kind of the server as [compat.Profile.For] takes it: that of a
// command or of a URL, "" for others.
func (t Target) Kind() string {
	switch {
	case len(t.Command) > 0:
		return compat.LocalServers
	case t.URL != "":
		return compat.Connectors
	}
	return ""
}

// transport returns the transport of one connection, wrapped in a tap.
func (t *Target) transport(ctx context.Context, o *ConnectOptions) (mcp.Transport, error) {
	switch {
	case len(t.Command) > 0:
		return tapTransport{&stdio{t.Command, command.Options{
			Dir: t.Dir, Env: t.Env, MaxMessage: o.MessageBytes, Stderr: o.Stderr, Noise: o.noise,
		}}}, nil
	case t.URL != "":
		return tapHTTP(&mcp.StreamableClientTransport{Endpoint: t.URL, HTTPClient: t.HTTPClient}, t.Header, o.MessageBytes), nil
	case t.Server != nil:
		near, far := pipe.New()
		if _, err := t.Server.Connect(context.WithoutCancel(ctx), far, nil); err != nil {
			return nil, err
		}
		return tapTransport{near}, nil
	}
	tr, err := t.Transport(ctx)
	if err != nil {
		return nil, err
	}
	if tr == nil {
		return nil, errors.New("Target.Transport returned neither a transport nor an error")
	}
	if s, ok := tr.(*mcp.StreamableClientTransport); ok {
		return tapHTTP(s, t.Header, o.MessageBytes), nil
	}
	return tapTransport{tr}, nil
}

// stdio is the transport to a command.
type stdio struct {
	args []string
	opts command.Options
}

func (t *stdio) Connect(context.Context) (mcp.Connection, error) {
	p, err := command.Start(t.args, t.opts)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// tapHTTP returns a copy of s whose requests pass through an httpTap.
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

// withHeader adds a header to the requests to one server, but not to those that it
// redirects to another: the header may hold a secret.
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
