package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/preview"
)

func screenshot(ctx context.Context, args []string, std stdio) error {
	fs := newFlags("screenshot", "-o FILE (URL | -- COMMAND ARG...)", "Calls a tool and renders its view to a PNG file, with an installed Chromium, once\nthe view has settled.", std)
	out := fs.String("o", "", "the PNG `file` to write")
	tool := fs.String("tool", "", "the `name` of the tool to call; without it, the first for the model that has a view")
	toolArgs := fs.String("args", "{}", "the tool's arguments as a `JSON` object; defaults of its schema are filled in")
	dark := fs.Bool("dark", false, "in the dark theme")
	size := fs.String("size", "800x600", "the view's `size` in CSS pixels")
	loose := fs.Bool("loose", false, "under the policy of the reference example's host, which allows eval, blob: and data:")
	timeout := fs.Duration("timeout", time.Minute, "how long all of it may take")
	header := headerFlag(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	width, height, err := parseSize(*size)
	if err != nil {
		return usageError{err}
	}
	if *out == "" {
		return usageError{errors.New("name the file to write with -o")}
	}
	if _, err := os.Stat(filepath.Dir(*out)); err != nil {
		return usageError{fmt.Errorf("-o %q: %w", *out, err)}
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(*toolArgs), &object); err != nil || object == nil {
		return usageError{fmt.Errorf("-args %q is not a JSON object", *toolArgs)}
	}
	target, err := parseTarget(fs.Args(), *header)
	if err != nil {
		return usageError{err}
	}
	browser, err := chrome.Find()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *timeout, fmt.Errorf("it took longer than %v", *timeout))
	defer cancel()
	fmt.Fprintf(std.err, "connecting to %s\n", target)
	run, err := preview.Start(ctx, target, &preview.Options{Connect: &host.ConnectOptions{Stderr: std.process()}})
	if err != nil {
		return err
	}
	defer run.Close()
	name, err := toolWithView(ctx, run.Connection(), *tool)
	if err != nil {
		return causeOf(ctx, err)
	}
	query := url.Values{"theme": {"light"}, "tool": {name}, "args": {*toolArgs}, "locale": {"en"}}
	if *dark {
		query.Set("theme", "dark")
	}
	if *loose {
		query.Set("policy", "loose")
	}
	fmt.Fprintf(std.err, "rendering the view of %s\n", name)
	b, err := chrome.Launch(ctx, browser)
	if err != nil {
		return err
	}
	defer b.Close()
	page, err := b.Open(ctx, run.ViewURL(query), width, height, *dark)
	if err != nil {
		return causeOf(ctx, err)
	}
	png, err := settled(ctx, page)
	for _, r := range remarks(page, run.URL()) {
		fmt.Fprintf(std.err, "note: %s\n", r)
	}
	if err != nil {
		return causeOf(ctx, err)
	}
	if err := os.WriteFile(*out, png, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s\n", *out)
	return nil
}

func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

// settled waits until the view is initialized and has its result, and then
// until it looks the same for a while, and returns what it looks like. A view
// that never comes to rest, such as an animation, is taken as it is after a
// few seconds.
func settled(ctx context.Context, page *chrome.Page) ([]byte, error) {
	const failedOr = `document.documentElement.dataset.failed || document.documentElement.dataset.`
	if page.Wait(ctx, failedOr+"result") != nil {
		return nil, errors.New("the tool did not answer")
	}
	soon, cancel := context.WithTimeout(ctx, initializeWithin)
	defer cancel()
	if page.Wait(soon, failedOr+"ready") != nil {
		return nil, fmt.Errorf("the view did not initialize within %v", initializeWithin)
	}
	var failed string
	if err := page.Eval(ctx, `document.documentElement.dataset.failed || ""`, &failed); err != nil {
		return nil, err
	}
	if failed != "" {
		return nil, errors.New(failed)
	}
	const (
		every  = 250 * time.Millisecond
		still  = 4 // pictures in a row
		atMost = 8 * time.Second
	)
	var last []byte
	same := 0
	for end := time.Now().Add(atMost); time.Now().Before(end); {
		png, err := page.Screenshot(ctx)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(png, last) {
			if same++; same >= still {
				break
			}
		} else {
			same = 0
		}
		last = png
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(every):
		}
	}
	return last, nil
}

// initializeWithin is how long a view may take once its tool has answered.
var initializeWithin = 30 * time.Second

var sizePattern = regexp.MustCompile(`^([1-9][0-9]{1,3})x([1-9][0-9]{1,3})$`)

func parseSize(s string) (int, int, error) {
	m := sizePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, fmt.Errorf("-size %q is not WIDTHxHEIGHT, such as 800x600, from 10 to 9999 pixels", s)
	}
	w, _ := strconv.Atoi(m[1])
	h, _ := strconv.Atoi(m[2])
	return w, h, nil
}
