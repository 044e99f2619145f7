// Package chrome drives an installed Chromium over its debugging pipe: enough
// to open a page, to run scripts in it and its frames, and to take a picture.
//
// The pipe, unlike a port, is closed to everybody else, and a headless run with
// --screenshot hangs while a page holds a stream of events open.
package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/command"
)

// Find returns the path of an installed Chromium or Chrome: the one that the
// environment variable MCPAPPS_CHROMIUM names, or one of the usual commands.
func Find() (string, error) {
	if p := os.Getenv("MCPAPPS_CHROMIUM"); p != "" {
		return p, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no Chromium found: install it, or set MCPAPPS_CHROMIUM to its path")
}

// A Browser is a running Chromium with a profile of its own.
type Browser struct {
	cmd     *exec.Cmd
	in, out *os.File
	profile string
	stderr  tail
	exited  chan struct{}
	exit    error
	up      bool // it has answered once
	once    sync.Once

	mu       sync.Mutex
	next     int
	calls    map[int]chan answer
	pages    map[string]*Page // by session, those of frames too
	contexts []execContext
	done     chan struct{}
}

type answer struct {
	result json.RawMessage
	err    error
}

// An execContext is a place where scripts run: one for each document.
type execContext struct {
	session string
	id      int
	page    *Page
}

// Launch starts the browser at path.
func Launch(ctx context.Context, path string) (*Browser, error) {
	profile, err := os.MkdirTemp("", "mcpapps-chrome-")
	if err != nil {
		return nil, err
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		os.RemoveAll(profile)
		return nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		ourOut.Close()
		os.RemoveAll(profile)
		return nil, err
	}
	cmd := exec.Command(path,
		"--headless", "--remote-debugging-pipe", "--user-data-dir="+profile,
		"--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
		"--disable-dev-shm-usage", // which containers have little of, or none
		"--use-fake-ui-for-media-stream", "--force-color-profile=srgb", "--enable-unsafe-swiftshader")
	if os.Geteuid() == 0 { // Chromium refuses to run as root with its sandbox
		cmd.Args = append(cmd.Args, "--no-sandbox")
	}
	if len(profile) < 50 { // a socket is made there, and its path is bounded
		cmd.Env = append(os.Environ(), "TMPDIR="+profile)
	}
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4
	command.Own(cmd)
	b := &Browser{cmd: cmd, in: ourIn, out: ourOut, profile: profile, exited: make(chan struct{}),
		calls: make(map[int]chan answer), pages: make(map[string]*Page), done: make(chan struct{})}
	cmd.Stderr = &b.stderr
	cmd.WaitDelay = time.Second // a process of the browser's may hold standard error open
	err = cmd.Start()
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		ourIn.Close()
		ourOut.Close()
		os.RemoveAll(profile)
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	go func() {
		b.exit = cmd.Wait()
		close(b.exited)
	}()
	go b.read()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := b.call(ctx, "", "Browser.getVersion", nil); err != nil {
		b.Close()
		return nil, fmt.Errorf("starting %s: %w", path, b.explain(ctx, err))
	}
	b.up = true
	return b, nil
}

// Err returns an error once the browser has ended, and nil before.
func (b *Browser) Err() error {
	select {
	case <-b.done:
	default:
		return nil
	}
	select {
	case <-b.exited:
	case <-time.After(time.Second):
		return errors.New("the browser is gone")
	}
	return b.explain(context.Background(), errors.New("the browser is gone"))
}

// explain adds to the failure of a closed browser how it ended, and what it
// said last.
func (b *Browser) explain(ctx context.Context, err error) error {
	if b.exit != nil && ctx.Err() == nil { // else it is our doing
		err = fmt.Errorf("%w: %w", err, b.exit)
	}
	if said := b.stderr.String(); said != "" {
		err = fmt.Errorf("%w\nthe last of its standard error:\n%s", err, said)
	}
	return err
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() { b.once.Do(b.end) }

func (b *Browser) end() {
	if b.up {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		_, _ = b.call(ctx, "", "Browser.close", nil)
		cancel()
		select {
		case <-b.exited:
		case <-time.After(3 * time.Second):
		}
	}
	command.Kill(b.cmd)
	<-b.exited
	b.out.Close()
	b.in.Close()
	for range 20 { // what was killed may still be at it
		if os.RemoveAll(b.profile) == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (b *Browser) call(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if params == nil {
		raw = json.RawMessage(`{}`)
	}
	ch := make(chan answer, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.calls[id] = ch
	msg, _ := json.Marshal(wire{ID: id, SessionID: session, Method: method, Params: raw})
	_ = b.out.SetWriteDeadline(time.Now().Add(5 * time.Second)) // a browser may hang
	_, err = b.out.Write(append(msg, 0))
	b.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: the browser is gone: %w", method, err)
	}
	select {
	case a := <-ch:
		if a.err != nil {
			return nil, fmt.Errorf("%s: %w", method, a.err)
		}
		return a.result, nil
	case <-b.done:
		return nil, fmt.Errorf("%s: the browser is gone", method)
	case <-ctx.Done():
		b.mu.Lock()
		delete(b.calls, id)
		b.mu.Unlock()
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (b *Browser) read() {
	defer close(b.done)
	r := bufio.NewReaderSize(b.in, 1<<20)
	for {
		msg, err := readMessage(r)
		if err != nil {
			return
		}
		var w wire
		if json.Unmarshal(msg, &w) != nil {
			continue
		}
		if w.ID != 0 {
			b.mu.Lock()
			ch := b.calls[w.ID]
			delete(b.calls, w.ID)
			b.mu.Unlock()
			if ch != nil {
				a := answer{result: w.Result}
				if w.Error != nil {
					a.err = errors.New(w.Error.Message)
				}
				ch <- a
			}
			continue
		}
		b.event(w)
	}
}

// event keeps the list of frames and of the contexts in them. Frames of other
// origins are targets of their own, attached to as they come.
func (b *Browser) event(w wire) {
	b.mu.Lock()
	page := b.pages[w.SessionID]
	b.mu.Unlock()
	if page == nil {
		return
	}
	switch w.Method {
	case "Target.attachedToTarget":
		var p struct{ SessionID string }
		if json.Unmarshal(w.Params, &p) == nil {
			b.mu.Lock()
			b.pages[p.SessionID] = page
			b.mu.Unlock()
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				_ = b.prepare(ctx, p.SessionID)
			}()
		}
	case "Runtime.executionContextCreated":
		var p struct {
			Context struct {
				ID      int
				AuxData struct{ IsDefault bool }
			}
		}
		if json.Unmarshal(w.Params, &p) == nil && p.Context.AuxData.IsDefault {
			b.mu.Lock()
			b.contexts = append(b.contexts, execContext{w.SessionID, p.Context.ID, page})
			b.mu.Unlock()
		}
	case "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared", "Target.detachedFromTarget":
		var p struct {
			ExecutionContextID int
			SessionID          string
		}
		_ = json.Unmarshal(w.Params, &p)
		b.mu.Lock()
		kept := b.contexts[:0]
		for _, c := range b.contexts {
			gone := c.session == w.SessionID && (w.Method == "Runtime.executionContextsCleared" || p.ExecutionContextID == c.id) || p.SessionID != "" && c.session == p.SessionID
			if !gone {
				kept = append(kept, c)
			}
		}
		b.contexts = kept
		b.mu.Unlock()
	case "Network.eventSourceMessageReceived":
		page.streamEvent(w.Params)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
		if w.Method == "Runtime.exceptionThrown" {
			page.exception(w.Params)
		}
		page.mu.Lock()
		if len(page.console) < 1000 {
			page.console = append(page.console, shorten(string(w.Params)))
		}
		page.mu.Unlock()
	}
}

func shorten(s string) string {
	if len(s) > 600 {
		return s[:600] + "…"
	}
	return s
}

func (b *Browser) prepare(ctx context.Context, session string) error {
	for _, c := range []struct {
		method string
		params any
	}{
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", nil},
		{"Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}},
	} {
		if _, err := b.call(ctx, session, c.method, c.params); err != nil {
			return err
		}
	}
	return nil
}
