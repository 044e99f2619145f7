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
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/unasked"
)

const screenshotText = `Calls a tool and renders its view to a PNG file, with an installed Chromium, once
the view has settled. What went wrong in the view is printed: errors and rejected
promises that no script handled, requests that failed, what the policy blocked,
errors on the console.

With -as, the view is shown as in another host, as far as that is known: its size,
display modes and policy, what it answers, and what the view receives. The server is
told the client name of the host, where it is known: for each host, the command
connects again and calls the tool once.`

func screenshot(ctx context.Context, args []string, std stdio) error {
	return takeScreenshot(ctx, args, std, newCamera)
}

func takeScreenshot(ctx context.Context, args []string, std stdio, makeCamera func() (*camera, error)) error {
	fs := newFlags("screenshot", "-o FILE (URL | -- COMMAND ARG...)", screenshotText, std)
	out := fs.String("o", "", "the PNG `file` to write")
	tool := fs.String("tool", "", "the `name` of the tool to call; by default the first that the model may call and that has a view")
	toolArgs := fs.String("args", "{}", "the tool's arguments as a `JSON` object; defaults of its schema are filled in")
	dark := fs.Bool("dark", false, "use the dark theme")
	size := fs.String("size", "800x", "the view's `size` in CSS pixels, WIDTHxHEIGHT, or WIDTHx for the height that it reports; with -as for hosts whose size is unknown")
	as := listFlag(fs, "as", "the `host` as which the view is shown, such as goose, a host with several platforms, such as claude, a list with commas, or all; may be repeated. With several, each picture has the host's name in its own, as in view-goose.png")
	allow := fs.Bool("allow-errors", false, "exit with 0 although the view or its tool failed")
	loose := fs.Bool("loose", false, "use the policy of the reference example's host, which allows eval, blob: and data: too")
	timeout := fs.Duration("timeout", time.Minute, "how long the command may take, for each picture")
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
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(*toolArgs), &object); err != nil || object == nil {
		return usageError{fmt.Errorf("-args %q is not a JSON object", *toolArgs)}
	}
	target, err := parseTarget(fs.Args(), *header)
	if err != nil {
		return usageError{err}
	}
	shots, leftOut, err := shotsOf(*out, target.Kind(), *as)
	if err != nil {
		return usageError{err}
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o777); err != nil {
		return usageError{fmt.Errorf("-o %q: %w", *out, err)}
	}
	if len(leftOut) > 0 {
		fmt.Fprintf(std.err, "left out, since they show no apps: %s\n", strings.Join(leftOut, ", "))
	}
	if len(target.Command) > 0 { // so that positions are those of the author's files
		target.Env = append(target.Env, devenv.SourceMaps+"=1")
	}
	camera, err := makeCamera()
	if err != nil {
		return err
	}
	all := *timeout * time.Duration(len(shots))
	ctx, cancel := context.WithTimeoutCause(ctx, all, fmt.Errorf("it took longer than %v", all))
	defer cancel()
	p := &photographer{
		std: std, camera: camera, target: target, tool: *tool, frame: frame{width: width, height: height},
		request: liveview.Request{Args: json.RawMessage(*toolArgs), Dark: *dark, Loose: *loose},
	}
	defer p.close()
	var failed error
	for _, s := range shots {
		problem, err := p.shoot(ctx, s)
		if err != nil && len(shots) == 1 {
			return causeOf(ctx, err)
		}
		if err != nil {
			fmt.Fprintf(std.err, "error: %s: %v\n", s.as.ID, causeOf(ctx, err))
			failed = cmp.Or(failed, errors.New("there is no picture as "+s.as.ID))
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if problem != nil && s.as != nil {
			problem = fmt.Errorf("%s: %w", s.as.Name, problem)
		}
		if !*allow {
			failed = cmp.Or(failed, problem)
		}
	}
	if p.missing != nil && !*allow {
		failed = p.missing
	}
	if failed == nil || len(shots) > 1 {
		return exitWith(failed)
	}
	return &exitError{exitFailure, fmt.Errorf("%w (the picture is written; with -allow-errors the exit code is 0)", failed)}
}

// A photographer takes the pictures of one command, over one connection for each.
type photographer struct {
	std     stdio
	camera  *camera
	target  host.Target
	tool    string           // "" for the first with a view
	request liveview.Request // without a tool
	frame   frame

	missing error // why the tool cannot work with these arguments
	browser *chrome.Browser
	done    func()
}

func (p *photographer) close() {
	if p.done != nil {
		p.done()
	}
}

// shoot connects as a host and takes a picture. failed is what went wrong in the view, err
// why there is no picture.
func (p *photographer) shoot(ctx context.Context, s shot) (failed, err error) {
	connected := connecting(p.target, p.std)
	viewer, err := liveview.StartAs(ctx, p.target, connectOptions(p.std), s.as)
	connected()
	if err != nil {
		return nil, err
	}
	defer viewer.Close()
	t, err := toolWithView(ctx, viewer.Connection(), p.tool)
	if err != nil {
		return nil, err
	}
	name := t.Tool.Name
	if missing := missingArguments(name, t.InputSchemaJSON(), p.request.Args); missing != nil && p.missing == nil {
		p.missing = missing
		fmt.Fprintf(p.std.err, "error: %v\n", missing)
	}
	if p.browser == nil {
		if p.browser, p.done, err = p.camera.browser(ctx); err != nil {
			return nil, err
		}
	}
	var entry map[string]any
	_ = json.Unmarshal(t.Raw, &entry) // which was decoded before
	request := p.request
	request.Tool, request.Catching = name, unasked.ReadOnly(entry) // since it may be called once more
	fmt.Fprintf(p.std.err, "rendering the view of %s%s\n", name, asHost(s.as))
	return takeShot(ctx, p.std, viewer, p.browser, p.camera, request, s, p.frame)
}

// exitWith returns the error of a command that has failed, nil for nil.
func exitWith(failed error) error {
	if failed == nil {
		return nil
	}
	return &exitError{exitFailure, failed}
}

func asHost(p *compat.Profile) string {
	if p == nil {
		return ""
	}
	return " as " + emulatedInWords(p)
}

// takeShot opens a view and writes its picture. failed is what went wrong in the view,
// err why there is no picture.
func takeShot(ctx context.Context, std stdio, viewer *liveview.Viewer, browser *chrome.Browser, camera *camera, request liveview.Request, s shot, f frame) (failed, err error) {
	f = frameOf(s.as, f)
	request.Width, request.Height = f.width, cmp.Or(f.height, min(600, f.most))
	if s.as != nil {
		request.Host = s.as.ID
	}
	take := func() (picture []byte, o liveview.Outcome, paused bool, err error) {
		view, err := viewer.Open(ctx, browser, request)
		if err != nil {
			return nil, liveview.Outcome{Failed: err}, false, err
		}
		defer view.Close()
		picture, err = camera.take(ctx, view, f)
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
		return nil, err
	}
	failed = report(std.err, outcome)
	if err := os.WriteFile(s.file, picture, 0o644); err != nil {
		return nil, err
	}
	fmt.Fprintf(std.out, "%s\n", s.file)
	return failed, nil
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
