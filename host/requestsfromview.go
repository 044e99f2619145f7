package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// quick are the requests that are answered at once, in the order of arrival.
var quick = map[string]func(*Bridge, json.RawMessage) (json.RawMessage, *jsonrpc.Error){
	"ui/initialize": (*Bridge).initialize,
	"ping": func(*Bridge, json.RawMessage) (json.RawMessage, *jsonrpc.Error) {
		return emptyObject, nil
	},
}

// A slowHandler answers a request that waits for the server or for the program, on
// a goroutine of its own. An error that is not a *jsonrpc.Error is sent as an
// internal error.
type slowHandler func(*Bridge, context.Context, *incoming) (json.RawMessage, error)

// atServer are the requests that are forwarded to the server.
var atServer = map[string]slowHandler{
	"tools/call":               (*Bridge).callTool,
	"tools/list":               (*Bridge).listTools,
	"resources/read":           (*Bridge).readResource,
	"resources/list":           serverResources.serve,
	"resources/templates/list": serverTemplates.serve,
	"prompts/list":             serverPrompts.serve,
}

// atProgram are the requests that a callback of the program answers.
var atProgram = map[string]slowHandler{
	"sampling/createMessage":  (*Bridge).sample,
	"ui/open-link":            (*Bridge).openLink,
	"ui/message":              (*Bridge).addMessage,
	"ui/update-model-context": (*Bridge).updateModelContext,
	"ui/download-file":        (*Bridge).download,
	"ui/request-display-mode": (*Bridge).requestDisplayMode,
}

var emptyObject = json.RawMessage(`{}`)

// An incoming is a request of the view that is not answered yet.
type incoming struct {
	message
	load   int // the document that asked
	ctx    context.Context
	cancel context.CancelCauseFunc
	handle slowHandler
	pool   *pool // where it runs or waits, nil while it moves; Bridge.mu guards it
	ticket *ticket

	before <-chan struct{} // closed with the previous request of an ordered method; nil for none
	done   chan struct{}   // closed with this one; nil for other methods
}

// ordered are the methods whose requests are served one after the other: the last
// one is what counts, or people see their order.
var ordered = map[string]bool{
	"ui/message":              true,
	"ui/update-model-context": true,
	"ui/request-display-mode": true,
}

func (b *Bridge) receiveRequest(m message) {
	if handle := quick[m.method]; handle != nil {
		result, rpcErr := handle(b, m.params)
		b.mu.Lock()
		b.postAnswer(m.id, result, rpcErr)
		b.unlock()
		return
	}
	if b.refuseEmulated(m) {
		return
	}
	handle, pool := atServer[m.method], &b.serverPool
	if handle == nil {
		handle, pool = atProgram[m.method], &b.programPool
	}
	if handle == nil && b.opts.Answer != nil && m.method != "initialize" {
		handle = (*Bridge).answerUnknown
	}
	if handle == nil {
		text := fmt.Sprintf("no such method: %q", short(m.method))
		if m.method == "initialize" {
			text += "; views begin with ui/initialize"
		}
		b.refuse(m, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: text})
		return
	}
	b.start(m, handle, pool)
}

// start runs a slow request, now or when there is a place for it.
func (b *Bridge) start(m message, handle slowHandler, pool *pool) {
	ctx, cancel := context.WithCancelCause(b.ctx)
	in := &incoming{message: m, ctx: ctx, cancel: cancel, handle: handle, pool: pool}
	key := string(m.id)
	b.mu.Lock()
	if b.phase == phaseClosed {
		b.mu.Unlock()
		cancel(ErrClosed)
		return
	}
	greeted := b.load > 0
	in.load = b.load
	if old := b.incoming[key]; old != nil {
		if old.load == b.load {
			b.mu.Unlock()
			cancel(nil)
			b.refuse(m, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a request with the id %s is open already", clip(m.id))})
			return
		}
		// A document that loaded again counts its ids from the start. Nobody waits
		// for the answer to the earlier document's request.
		old.cancel(errors.New("the view loaded again"))
	}
	if err := pool.tooMany(&b.opts.Limits); err != nil {
		b.mu.Unlock()
		cancel(nil)
		b.refuse(m, err)
		return
	}
	if b.held > 0 && b.held+in.size() > b.opts.Limits.QueueBytes {
		b.mu.Unlock()
		cancel(nil)
		b.refuse(m, denied("too many requests at once: %d bytes are open", b.opts.Limits.QueueBytes))
		return
	}
	b.held += in.size()
	if b.incoming == nil {
		b.incoming = make(map[string]*incoming)
	}
	b.incoming[key] = in
	if ordered[m.method] {
		if b.last == nil {
			b.last = make(map[string]<-chan struct{})
		}
		in.before, in.done = b.last[m.method], make(chan struct{})
		b.last[m.method] = in.done
	}
	in.ticket = &ticket{begin: func() { go b.run(in) }}
	pool.enter(&b.opts.Limits, in.ticket)
	b.mu.Unlock()
	if !greeted {
		b.note(LevelWarning, NoteOrder, fmt.Sprintf("%s before ui/initialize: this host serves it, others may not", m.method))
	}
}

func (in *incoming) size() int { return len(in.id) + len(in.params) }

// waitForPrevious waits for the request of the same method before this one.
func (in *incoming) waitForPrevious() {
	if in.before != nil {
		select {
		case <-in.before:
		case <-in.ctx.Done():
		}
	}
}

// releaseNext starts the next waiting request of the same method, once this and
// all earlier ones have finished.
func (in *incoming) releaseNext() {
	if in.done == nil {
		return
	}
	if in.before != nil {
		select {
		case <-in.before:
		default: // it was cancelled while it waited
			go func() {
				<-in.before
				close(in.done)
			}()
			return
		}
	}
	close(in.done)
}

// run serves a request. One that was cancelled while it waited is not served.
func (b *Bridge) run(in *incoming) {
	var result json.RawMessage
	in.waitForPrevious()
	err := context.Cause(in.ctx)
	if err == nil {
		ctx, stop := context.WithTimeoutCause(in.ctx, b.opts.Limits.CallTimeout,
			fmt.Errorf("%s took longer than %v", in.method, b.opts.Limits.CallTimeout))
		result, err = in.handle(b, ctx, in)
		if cause := context.Cause(ctx); err != nil && ctx.Err() != nil && !errors.Is(err, cause) {
			err = cause
		}
		stop()
	}
	b.finished(in, result, err)
}

// finished answers a request. One that was cancelled gets no answer.
func (b *Bridge) finished(in *incoming, result json.RawMessage, err error) {
	cancelled := in.ctx.Err() != nil
	in.cancel(nil)
	in.releaseNext()
	var rpcErr *jsonrpc.Error
	if err != nil && !errors.As(err, &rpcErr) {
		rpcErr = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	b.mu.Lock()
	b.held -= in.size()
	if in.pool != nil {
		in.pool.leave()
	}
	if b.incoming[string(in.id)] == in {
		delete(b.incoming, string(in.id))
		if !cancelled {
			b.postAnswer(in.id, result, rpcErr)
		}
	}
	b.unlock()
}

func (b *Bridge) postAnswer(id, result json.RawMessage, rpcErr *jsonrpc.Error) {
	if rpcErr != nil {
		b.post(encodeError(id, rpcErr))
		return
	}
	b.post(encodeResult(id, result))
}

func (b *Bridge) refuse(m message, rpcErr *jsonrpc.Error) {
	b.mu.Lock()
	b.post(encodeError(m.id, rpcErr))
	b.unlock()
}
