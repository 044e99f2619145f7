package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/preview"
)

const previewText = `Shows a server's apps on a web page of this machine until it is interrupted. A
command is restarted when its program, a file among its arguments, or a file that
"go run" builds it from changes; an edit of a view that a Go program embeds is shown
without a restart. The page's address stays the same from one run to the next, so
that it can be kept open and loaded again.

The page can show a view as in another host, as far as that is known. -as chooses one
from the start; the menu "Host" has all. With -as, the server is told the client name
of that host, where it is known; the menu does not change it.`

func previewCommand(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("preview", "(URL | -- COMMAND ARG...)", previewText, std)
	addr := fs.String("addr", "", "the page's `address`, localhost:PORT; the views use the next port, and 0 picks free ports (default localhost:"+strconv.Itoa(stablePort)+", or the next address where both ports are free)")
	as := fs.String("as", "", "the `host` as which views are shown at first, such as goose (default the preview's own, which supports everything)")
	open := fs.Bool("open", false, "open the page in a browser")
	everywhere := fs.Bool("unsafe-listen-on-all-addresses", false, "let everyone who can reach this machine call the server's tools; for containers with forwarded ports")
	var dirs []string
	fs.Func("watch", "show an edit of a file in `DIR`, from which a server in any language makes its views; may be repeated", func(dir string) error {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			err = errors.New("it is a file: name its folder")
		}
		dirs = append(dirs, dir)
		return err
	})
	header := headerFlag(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	target, err := parseTarget(fs.Args(), *header)
	if err != nil {
		return usageError{err}
	}
	var emulated *compat.Profile
	if *as != "" {
		if emulated, err = hostNamed(*as); err != nil {
			return usageError{err}
		}
	}
	port := 0
	if *addr != "" {
		if port, err = loopbackPort(*addr); err != nil {
			return usageError{err}
		}
	} else if port = firstFreePort(stablePort); port != stablePort {
		fmt.Fprintf(std.err, "port %d or the one after it is in use: another preview? This one gets another address\n", stablePort)
	}
	connected := connecting(target, std)
	options := connectOptions(std)
	start := func() (*preview.Preview, error) {
		return preview.Start(ctx, target, &preview.Options{
			Port: port, UnsafeListenEverywhere: *everywhere, Watch: true, WatchDirs: dirs, Findings: findings, Emulate: emulated,
			Logger: options.Logger, Connect: options,
		})
	}
	run, err := start()
	for err != nil && *addr == "" && port != 0 && !(isFree(port) && isFree(port+1)) { // another was faster
		port = firstFreePort(port + 10)
		run, err = start()
	}
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
		return 0, fmt.Errorf("-addr %q is not HOST:PORT, such as localhost:%d", addr, stablePort)
	}
	switch h {
	case "", "localhost", "127.0.0.1", "::1":
	default:
		return 0, fmt.Errorf("-addr %q is not on loopback, where the preview belongs: name localhost (in a container, see -unsafe-listen-on-all-addresses)", addr)
	}
	port, err := strconv.ParseUint(p, 10, 16)
	if err != nil || port == 65535 {
		return 0, fmt.Errorf("-addr %q: the port must be a number from 0 to 65534, as in localhost:%d", addr, stablePort)
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
