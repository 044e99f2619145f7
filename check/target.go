package check

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
)

// An Endpoint says where a server is: a command or a URL.
type Endpoint struct {
	Command []string
	Dir     string
	Env     []string

	URL        string
	Header     http.Header
	HTTPClient *http.Client
}

// Target checks a server by connections of its own, as [Server] does: to a
// command, which is started for each and ended with all that it started, or to
// a URL. The error says that the server could not be checked; of a command it
// has the first of what it wrote to standard output, and the last of standard
// error.
func Target(ctx context.Context, t Endpoint, opts *Options) (*Report, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	switch {
	case len(t.Command) > 0 && t.URL == "":
		if _, err := exec.LookPath(t.Command[0]); err != nil {
			return nil, err
		}
		return run(ctx, &o, true, false, func(context.Context) (wire, error) { return connectProcess(&t, o.MaxBytes) })
	case t.URL != "" && len(t.Command) == 0:
		return run(ctx, &o, isLoopback(t.URL), false, func(context.Context) (wire, error) { return connectHTTP(&t, o.MaxBytes), nil })
	}
	return nil, errors.New("check: name a command or a URL, one of the two")
}
