package chrome

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// An execContext is where the scripts of one document run.
type execContext struct {
	page  *Page
	frame frameKey
	id    string // unique in the browser
}

// A frameKey names a frame in the session of the process that has it.
type frameKey struct{ session, frame string }

// event keeps track of the frames of the pages, of what they show, and of the
// contexts in them. Frames in processes of their own are targets of their own,
// and get a session each.
func (b *Browser) event(m message) {
	var p struct {
		SessionID  string
		TargetInfo struct{ Type string }
		FrameID    string
		URL        string
		Frame      struct{ ID, URL string }
		Context    struct {
			UniqueID string
			AuxData  struct {
				IsDefault bool
				FrameID   string
			}
		}
		ExecutionContextUniqueID string
	}
	b.mu.Lock()
	page := b.pages[m.SessionID]
	b.mu.Unlock()
	if page == nil && m.Method != "Target.detachedFromTarget" {
		return
	}
	switch m.Method {
	case "Runtime.consoleAPICalled":
		page.consoleCalled(m.Params)
		return
	case "Log.entryAdded":
		page.logged(m.Params)
		return
	case "Runtime.exceptionThrown":
		page.exceptionThrown(m.Params)
		return
	case "Runtime.exceptionRevoked":
		page.exceptionRevoked(m.Params)
		return
	case "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed":
		page.network(m.SessionID, m.Method, m.Params)
		return
	case "Debugger.scriptParsed":
		page.scriptParsed(m.SessionID, m.Params)
		return
	case "Debugger.paused":
		page.paused(m.SessionID, m.Params)
		return
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch m.Method {
	case "Target.attachedToTarget":
		b.pages[p.SessionID] = page
		go func() { // the answers come by this goroutine
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_ = b.prepare(ctx, p.SessionID, page, page.catching && p.TargetInfo.Type == "iframe")
		}()
	case "Target.detachedFromTarget":
		b.detached(p.SessionID)
	case "Inspector.targetCrashed":
		page.crashed = true
		page.gone = page.gone || m.SessionID == page.session
		b.drop(func(c execContext) bool { return c.frame.session == m.SessionID })
		b.failCalls(func(c *call) bool { return c.session == m.SessionID })
	case "Page.frameNavigated":
		b.urls[frameKey{m.SessionID, p.Frame.ID}] = p.Frame.URL
	case "Page.navigatedWithinDocument":
		b.urls[frameKey{m.SessionID, p.FrameID}] = p.URL
	case "Page.frameRequestedNavigation", "Page.frameStartedLoading":
		b.loading[frameKey{m.SessionID, p.FrameID}] = true
	case "Page.frameStoppedLoading":
		delete(b.loading, frameKey{m.SessionID, p.FrameID})
	case "Page.frameDetached":
		delete(b.urls, frameKey{m.SessionID, p.FrameID})
		delete(b.loading, frameKey{m.SessionID, p.FrameID})
	case "Runtime.executionContextCreated":
		if c := p.Context; c.AuxData.IsDefault && c.AuxData.FrameID != "" {
			b.contexts = append(b.contexts, execContext{page, frameKey{m.SessionID, c.AuxData.FrameID}, c.UniqueID})
		}
	case "Runtime.executionContextDestroyed":
		b.drop(func(c execContext) bool { return c.id == p.ExecutionContextUniqueID })
	case "Runtime.executionContextsCleared":
		b.drop(func(c execContext) bool { return c.frame.session == m.SessionID })
	}
}

// drop removes contexts, and fails what is being evaluated in them. The caller
// holds b.mu.
func (b *Browser) drop(gone func(execContext) bool) {
	kept := b.contexts[:0]
	for _, c := range b.contexts {
		if !gone(c) {
			kept = append(kept, c)
			continue
		}
		b.failCalls(func(call *call) bool { return call.contextID == c.id })
	}
	b.contexts = kept
}

// detached forgets a session, and if it is that of a whole page, those of its
// frames. The caller holds b.mu.
func (b *Browser) detached(session string) {
	page := b.pages[session]
	if page == nil {
		return
	}
	page.gone = page.gone || session == page.session
	gone := func(s string) bool { return s == session || session == page.session && b.pages[s] == page }
	b.drop(func(c execContext) bool { return gone(c.frame.session) })
	b.failCalls(func(c *call) bool { return c.session != "" && gone(c.session) })
	for key := range b.urls {
		if gone(key.session) {
			delete(b.urls, key)
		}
	}
	for key := range b.loading {
		if gone(key.session) {
			delete(b.loading, key)
		}
	}
	for s := range b.pages {
		if s != session && gone(s) {
			delete(b.pages, s)
		}
	}
	delete(b.pages, session)
}

// prepare lets the session of a page, or of a frame in a process of its own,
// report what happens, gives it the page's media, and lets it run: until then it
// waits, so that nothing is missed. With caught, it reports errors that a script
// catches.
func (b *Browser) prepare(ctx context.Context, session string, page *Page, caught bool) error {
	var calls []*call
	var failed error
	b.mu.Lock()
	media := page.media
	b.mu.Unlock()
	type method struct {
		method string
		params any
	}
	list := []method{
		{"Inspector.enable", nil},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 1}}, // no content is kept, nor told
		{"Page.enable", nil},
		{"Emulation.setEmulatedMedia", media},
		{"Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}},
		{"Runtime.runIfWaitingForDebugger", nil},
	}
	if caught {
		list = slices.Insert(list, 0, method{"Debugger.enable", map[string]any{"maxScriptsCacheSize": 0}}, method{"Debugger.setPauseOnExceptions", map[string]any{"state": "all"}})
	}
	for _, c := range list {
		c, err := b.send(ctx, &call{session: session, method: c.method}, c.params)
		if err != nil {
			return err
		}
		calls = append(calls, c)
	}
	for _, c := range calls { // a worker, which is a target too, knows only some
		if _, err := b.wait(ctx, c); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}
