package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

const screenshotText = `Calls a tool and renders its view to a PNG file, with an installed Chromium, once
the view has settled. What went wrong in the view is printed: errors and rejected
promises that no script handled, requests that failed, what the policy blocked,
errors on the console.`

func screenshot(ctx context.Context, args []string, std stdio) error {
	return takeScreenshot(ctx, args, std, newCamera)
}

func takeScreenshot(ctx context.Context, args []string, std stdio, makeCamera func() (*camera, error)) error {
	fs := newFlags("screenshot", "-o FILE (URL | -- COMMAND ARG...)", screenshotText, std)
	out := fs.String("o", "", "the PNG `file` to write")
	tool := fs.String("tool", "", "the `name` of the tool to call; by default the first that the model may call and that has a view")
	toolArgs := fs.String("args", "{}", "the tool's arguments as a `JSON` object; defaults of its schema are filled in")
	dark := fs.Bool("dark", false, "use the dark theme")
	size := fs.String("size", "800x", "the view's `size` in CSS pixels, WIDTHxHEIGHT, or WIDTHx for the height that it reports")
	allow := fs.Bool("allow-errors", false, "exit with 0 although the view or its tool failed")
	loose := fs.Bool("loose", false, "use the policy of the reference example's host, which allows eval, blob: and data: too")
	timeout := fs.Duration("timeout", time.Minute, "how long the command may take")
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
	if len(target.Command) > 0 { // so that positions are those of the author's files
		target.Env = append(target.Env, devenv.SourceMaps+"=1")
	}
	camera, err := makeCamera()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *timeout, fmt.Errorf("it took longer than %v", *timeout))
	defer cancel()
	connected := connecting(target, std)
	viewer, err := liveview.Start(ctx, target, connectOptions(std))
	connected()
	if err != nil {
		return err
	}
	defer viewer.Close()
	t, err := toolWithView(ctx, viewer.Connection(), *tool)
	if err != nil {
		return causeOf(ctx, err)
	}
	name := t.Tool.Name
	missing := missingArguments(name, t.InputSchemaJSON(), json.RawMessage(*toolArgs))
	if missing != nil {
		fmt.Fprintf(std.err, "error: %v\n", missing)
	}
	fmt.Fprintf(std.err, "rendering the view of %s\n", name)
	browser, done, err := camera.browser(ctx)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer done()
	var entry map[string]any
	_ = json.Unmarshal(t.Raw, &entry) // which was decoded before
	request := liveview.Request{
		Tool: name, Args: json.RawMessage(*toolArgs), Width: width, Height: cmp.Or(height, 600), Dark: *dark, Loose: *loose,
		Catching: unasked.ReadOnly(entry), // since it may be called once more
	}
	take := func() (picture []byte, o liveview.Outcome, paused bool, err error) {
		view, err := viewer.Open(ctx, browser, request)
		if err != nil {
			return nil, liveview.Outcome{Failed: err}, false, err
		}
		defer view.Close()
		picture, err = camera.take(ctx, view, width, height == 0)
		return picture, view.Outcome(), view.Paused(), err
	}
	picture, outcome, paused, err := take()
	if paused {
		caught := outcome.Caught
		request.Catching = false
		picture, outcome, _, err = take()
		outcome.Caught = caught
	}
	if err != nil {
		if outcome.Failed == nil {
			_ = report(std.err, outcome)
		}
		return causeOf(ctx, err)
	}
	failed := cmp.Or(missing, report(std.err, outcome))
	if err := os.WriteFile(*out, picture, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s\n", *out)
	if failed != nil && !*allow {
		return &exitError{exitFailure, fmt.Errorf("%w (the picture is written; with -allow-errors the exit code is 0)", failed)}
	}
	return nil
}

// causeOf adds to an error that ended with the context why that ended.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

var sizePattern = regexp.MustCompile(`^([1-9][0-9]{1,3})x([1-9][0-9]{1,3})?$`)

// parseSize returns the width and the height, 0 for the view's own.
func parseSize(s string) (int, int, error) {
	m := sizePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, fmt.Errorf("-size %q is neither WIDTHxHEIGHT, such as 800x600, nor WIDTHx, such as 800x, from 10 to 9999 pixels", s)
	}
	w, _ := strconv.Atoi(m[1])
	h, _ := strconv.Atoi(m[2])
	return w, h, nil
}
