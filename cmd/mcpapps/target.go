package main

import (
	"errors"
	"flag"
	"net/http"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
)

var errHeader = errors.New("-header is for a server at a URL")

// headerFlag adds the flag for the headers of HTTP requests.
func headerFlag(fs *flag.FlagSet) *http.Header {
	h := make(http.Header)
	fs.Func("header", "a `NAME: VALUE` that each HTTP request has, such as \"Authorization: Bearer …\"; may be repeated", func(s string) error {
		name, value, ok := strings.Cut(s, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(s, "\r\n") {
			return errors.New("write NAME: VALUE")
		}
		h.Add(name, strings.TrimSpace(value))
		return nil
	})
	return &h
}

// parseTarget reads the server that a command line names.
func parseTarget(args []string, header http.Header) (host.Target, error) {
	t, err := host.ParseTarget(args)
	switch {
	case err != nil:
		return t, err
	case len(header) > 0 && t.URL == "":
		return t, errHeader
	}
	if len(header) > 0 {
		t.Header = header
	}
	return t, nil
}
