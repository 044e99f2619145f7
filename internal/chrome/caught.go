package chrome

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// mostPauses bounds how often the scripts of a page's frames are paused at an
// exception, which takes milliseconds each time. Afterwards they run freely.
const mostPauses = 100

// Paused reports whether a frame was paused so far, and may have lost a message.
func (p *Page) Paused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pauses > 0
}

// Caught returns the first errors that frames of a page of [Browser.OpenCatching], in
// processes of their own, threw and that a script caught: some view libraries catch
// what a handler throws and tell nobody.
func (p *Page) Caught() []Exception {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Exception, len(p.caught))
	for i, c := range p.caught {
		list[i] = c.Exception
	}
	return list
}

// A caught is an error that a script caught, with what tells it from others: the
// same one may be thrown again.
type caught struct {
	Exception
	whole string
}

// A scriptKey names a script in a session.
type scriptKey struct{ session, id string }

const mostScripts = 1000

// scriptParsed takes note of the URL of a script, which pauses do not tell.
func (p *Page) scriptParsed(session string, params json.RawMessage) {
	var e struct{ ScriptID, URL string }
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.scripts) < mostScripts {
		p.scripts[scriptKey{session, e.ScriptID}] = text.Shorten(e.URL, mostText)
	}
}

// paused takes note of why the scripts of a frame are paused, and lets them go on.
func (p *Page) paused(session string, params json.RawMessage) {
	var e struct {
		Reason     string
		CallFrames []struct {
			FunctionName string
			Location     struct {
				ScriptID                 string
				LineNumber, ColumnNumber int
			}
		}
		Data struct {
			remoteObject
			Uncaught  bool
			ClassName string
		}
	}
	err := json.Unmarshal(params, &e)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pauses++
	if err == nil && !e.Data.Uncaught && (e.Reason == "exception" || e.Reason == "promiseRejection") {
		x := caught{Exception{Text: e.Data.thrown(""), Rejection: e.Reason == "promiseRejection"}, e.Data.ClassName + e.Data.Description}
		var stack stackTrace
		for _, f := range e.CallFrames {
			stack.CallFrames = append(stack.CallFrames, struct {
				FunctionName             string
				URL                      string
				LineNumber, ColumnNumber int
			}{f.FunctionName, p.scripts[scriptKey{session, f.Location.ScriptID}], f.Location.LineNumber, f.Location.ColumnNumber})
		}
		if x.Stack = stack.frames(); len(x.Stack) > 0 {
			x.Position = x.Stack[0].Position
		}
		if !slices.ContainsFunc(p.caught, func(c caught) bool { return c.whole == x.whole }) {
			p.caught = append(p.caught, x)
		}
	}
	method := "Debugger.resume"
	if p.pauses >= mostPauses {
		method = "Debugger.disable" // which resumes, too
	}
	go func() { // the answer comes by this goroutine
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_, _ = p.b.call(ctx, session, method, nil)
	}()
}
