package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

const checkUsage = `usage: mcpapps check [flags] (URL | FILE.html | -- COMMAND ARG…)

Check says what hosts will reject or misread in a server's MCP Apps, or in one
HTML file. It exits 0, 1 if there are findings as severe as -fail-on, and 2 if
it could not check.

`

func checkCommand(_ context.Context, args []string, std stdio) error {
	if code := runCheck(args, std.out, std.err); code != 0 {
		return exitCode(code)
	}
	return nil
}

// runCheck is the check subcommand. It returns the exit code.
func runCheck(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("mcpapps check", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		io.WriteString(stderr, checkUsage)
		fs.PrintDefaults()
	}
	var opts check.Options
	fs.BoolVar(&opts.Live, "live", false, "open each view in an installed Chromium too, and report what happens there")
	asJSON := fs.Bool("json", false, "print the report as JSON")
	failOn := check.Error
	fs.TextVar(&failOn, "fail-on", check.Error, "the least `severity` that makes the exit code 1: error or warning")
	timeout := fs.Duration("timeout", 10*time.Second, "how long the server may take for each answer")
	fs.Func("call", "call a tool, as `TOOL` or TOOL={\"argument\": …}; may be repeated", func(s string) error {
		call, err := parseCall(s)
		opts.Calls = append(opts.Calls, call)
		return err
	})
	fs.Func("off", "turn a rule off, as `CODE=REASON` or CODE@SUBJECT=REASON, where the subject is a tool or URI and may have * in it; may be repeated", func(s string) error {
		off, err := parseOff(s)
		opts.Off = append(opts.Off, off)
		return err
	})
	if len(args) == 1 && args[0] == "-h" { // asked for, so no complaint
		fs.SetOutput(stdout)
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if failOn == check.Note {
		fmt.Fprintln(stderr, "mcpapps check: -fail-on is error or warning: notes never fail")
		return 2
	}
	opts.Timeout = *timeout
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report, err := checkTarget(ctx, fs.Args(), &opts)
	if report != nil {
		if werr := writeReport(stdout, report, *asJSON); werr != nil && err == nil {
			err = werr
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "mcpapps check: %s\n", strings.TrimPrefix(err.Error(), "check: "))
		return 2
	}
	if report.Fails(failOn) {
		return 1
	}
	return 0
}

func writeReport(w io.Writer, r *check.Report, asJSON bool) error {
	if !asJSON {
		return r.WriteText(w)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// checkTarget checks what the arguments name.
func checkTarget(ctx context.Context, args []string, opts *check.Options) (*check.Report, error) {
	if len(args) == 0 {
		return nil, errors.New("name a server, as a URL or as -- and a command, or an HTML file")
	}
	if len(args) == 1 {
		if strings.HasPrefix(args[0], "http://") || strings.HasPrefix(args[0], "https://") {
			return check.Target(ctx, host.Target{URL: args[0]}, opts)
		}
		switch strings.ToLower(filepath.Ext(args[0])) {
		case ".html", ".htm":
			doc, err := os.ReadFile(args[0])
			if err != nil {
				return nil, err
			}
			if len(opts.Calls) > 0 || opts.Live {
				return nil, errors.New("a file has no tools to -call, and is not opened -live: name its server")
			}
			return check.Document(string(doc), opts)
		}
	}
	return check.Target(ctx, host.Target{Command: args}, opts)
}

func parseCall(s string) (check.Call, error) {
	name, raw, has := strings.Cut(s, "=")
	call := check.Call{Tool: name}
	if name == "" {
		return call, errors.New("there is no tool's name")
	}
	if has {
		if err := json.Unmarshal([]byte(raw), &call.Arguments); err != nil {
			return call, fmt.Errorf("the arguments of %s are not a JSON object: %w", name, err)
		}
	}
	return call, nil
}

func parseOff(s string) (check.Off, error) {
	rule, reason, ok := strings.Cut(s, "=")
	code, subject, _ := strings.Cut(rule, "@")
	if !ok || strings.TrimSpace(reason) == "" {
		return check.Off{}, errors.New("there is no reason: write CODE=REASON")
	}
	return check.Off{Code: code, Subject: subject, Reason: reason}, nil
}
