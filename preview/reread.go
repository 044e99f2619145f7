package preview

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/appclient"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// rereadTimeout bounds how long the documents of the open views take to be read again.
const rereadTimeout = time.Minute

// reread reads the documents of the open views again, one time each, and loads those
// views again whose document has changed. It reports whether the page shows something
// else then: a document that changed, or one that can't be made. It is not ok while
// the server does not run for the client with views.
func (p *Preview) reread(reason string) (shown, ok bool) {
	p.rereading.Lock()
	defer p.rereading.Unlock()
	p.rereads.Add(1)
	ctx, cancel := context.WithTimeout(p.ctx, rereadTimeout)
	defer cancel()
	use, ok := p.turns.useInTurn(ctx, withViews)
	if !ok {
		return false, false
	}
	defer use.done()
	if use.conn.Err() != nil {
		return false, false // reading would start the server
	}
	views := make(map[string][]*view) // by URI
	for _, v := range p.shownViews() {
		if uri := v.documentURI(); uri != "" {
			views[uri] = append(views[uri], v)
		}
	}
	for uri, all := range views {
		app, err := p.readAgain(use, uri, all[0].tool)
		if err == nil {
			p.documents.add(app)
		}
		for _, v := range all {
			if v.update(app, err, reason) {
				shown = true
			}
		}
	}
	return shown, true
}

// rereadAnnounced reads the documents again after the server announced a change. A
// server may announce one because of that read, without end: no view could be used.
func (p *Preview) rereadAnnounced() {
	if !p.announced.Allow() {
		if n := p.announced.Refused(); n > 0 {
			p.log.Warn("the server announces changes without a pause, so that their documents are read only once a second")
		}
		select {
		case <-time.After(time.Second):
		case <-p.ctx.Done():
			return
		}
	}
	p.reread("the server announced a change")
}

// readAgain reads a document, and the one that the tool names by now if it is no longer
// there.
func (p *Preview) readAgain(use use, uri, tool string) (*appclient.App, error) {
	app, err := use.conn.ReadApp(use.ctx, uri)
	var failed *appclient.ReadError
	if !errors.As(err, &failed) || failed.Reason != appclient.ReadNotFound {
		return app, err
	}
	tools, listErr := use.conn.Tools(use.ctx)
	if listErr != nil {
		return nil, err
	}
	for _, t := range tools {
		if now := t.UI.ResourceURI; t.Tool.Name == tool && t.UIError == nil && now != "" && now != uri {
			return use.conn.ReadApp(use.ctx, now)
		}
	}
	return nil, err
}

// subscribe asks the server to announce changes of a document, if it offers that.
func (p *Preview) subscribe(uri string) {
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	use, ok := p.turns.useInTurn(ctx, withViews)
	if !ok {
		return
	}
	defer use.done()
	session := use.conn.Session()
	if session == nil {
		return
	}
	if res := session.InitializeResult(); res != nil && res.Capabilities != nil && res.Capabilities.Resources != nil && res.Capabilities.Resources.Subscribe {
		_ = session.Subscribe(use.ctx, &mcp.SubscribeParams{URI: uri}) // otherwise the list may be announced
	}
}

// learnDocuments reads the documents of which it is not known yet what they are made
// of, where the server says so.
func (p *Preview) learnDocuments() {
	if !p.documents.told() {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, rereadTimeout)
	defer cancel()
	use, ok := p.turns.useInTurn(ctx, withViews)
	if !ok {
		return
	}
	defer use.done()
	tools, err := use.conn.Tools(use.ctx)
	if err != nil {
		return
	}
	const most = 50
	read := 0
	for _, t := range tools {
		if uri := t.UI.ResourceURI; uri != "" && t.UIError == nil && read < most && !p.documents.knows(uri) {
			read++
			if app, err := use.conn.ReadApp(use.ctx, uri); err == nil {
				p.documents.add(app)
			}
		}
	}
}

// shownViews returns the views that have a document or wait for one that can be made.
func (p *Preview) shownViews() []*view {
	p.mu.Lock()
	defer p.mu.Unlock()
	views := make([]*view, 0, len(p.views))
	for _, v := range p.views {
		views = append(views, v)
	}
	return views
}

func (v *view) documentURI() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.uri
}

// update gives the view what its document is by now, and reports whether that is
// something else than before.
func (v *view) update(app *appclient.App, err error, reason string) bool {
	if err != nil {
		if context.Cause(v.preview.ctx) != nil || v.preview.Connection().Err() != nil {
			return false
		}
		v.tab.buildFailed(v.name, problemOf(err))
		if v.tab.view(v.name) == nil { // it was closed in the meantime, perhaps before this
			v.tab.buildWorks(v.name)
		}
		return true
	}
	read := app // which the bridge gets, and makes the same of
	if e := v.emulation; e != nil && e.UI != nil {
		honoured := *app
		honoured.UI = e.UI(app.UI)
		app = &honoured
	}
	v.mu.Lock()
	before := v.app
	same := before != nil && before.HTML == app.HTML && reflect.DeepEqual(before.UI, app.UI)
	v.mu.Unlock()
	failed := v.tab.buildWorks(v.name)
	if same {
		return failed
	}
	if v.bridge.SetApp(read) != nil {
		return false // it was closed in the meantime
	}
	v.setDocument(app)
	if before == nil {
		v.show(app)
		return true
	}
	v.hints.opened()
	event := v.documentEvent(app)
	event["type"], event["reason"] = "reload", reason
	v.tab.send(event)
	return true
}

// problemOf returns what the page shows of a document that can't be read.
func problemOf(err error) *devenv.BuildError {
	if e := bundleError(err); e != nil {
		return e
	}
	return &devenv.BuildError{Text: err.Error()}
}
