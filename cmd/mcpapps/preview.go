package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/mcpapps-go/mcpapps/preview"
)

func previewCommand(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("preview", "(URL | -- COMMAND ARG...)", "Shows a server's apps on a web page of this machine until it is interrupted. A\ncommand is restarted when its program, a file among its arguments, or a file that\n\"go run\" builds it from changes.", std)
	addr := fs.String("addr", "localhost:0", "the page's `address`, localhost:PORT; the views use the next port, and 0 picks free ports")
	open := fs.Bool("open", false, "open the page in a browser")
	everywhere := fs.Bool("unsafe-listen-on-all-addresses", false, "let everyone who can reach this machine call the server's tools; for containers with forwarded ports")
	header := headerFlag(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	target, err := parseTarget(fs.Args(), *header)
	if err != nil {
		return usageError{err}
	}
	port, err := loopbackPort(*addr)
	if err != nil {
		return usageError{err}
	}
	connected := connecting(target, std)
	options := connectOptions(std)
	run, err := preview.Start(ctx, target, &preview.Options{
		Port: port, UnsafeListenEverywhere: *everywhere, Watch: true, Findings: findings,
		Logger: options.Logger, Connect: options,
	})
	connected()
	if err != nil {
		return err
	}
	defer run.Close()
	fmt.Fprintf(std.out, "%s\n", run.URL())
	if *open {
		if err := openBrowser(run.URL()); err != nil {
			fmt.Fprintf(std.err, "the browser can't be opened: %v\n", err)
		}
	}
	return run.Wait(ctx)
}

// loopbackPort returns the port of the address flag. Every name and address of
// loopback stands for both of its addresses.
func loopbackPort(addr string) (int, error) {
	h, p, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, fmt.Errorf("-addr %q is not HOST:PORT, such as localhost:8080", addr)
	}
	switch h {
	case "", "localhost", "127.0.0.1", "::1":
	default:
		return 0, fmt.Errorf("-addr %q is not on loopback, where the preview belongs: name localhost (in a container, see -unsafe-listen-on-all-addresses)", addr)
	}
	port, err := strconv.ParseUint(p, 10, 16)
	if err != nil || port == 65535 {
		return 0, fmt.Errorf("-addr %q has no port from 0 to 65534", addr)
	}
	return int(port), nil
}

func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	default:
		return exec.Command("xdg-open", url).Start()
	}
}
