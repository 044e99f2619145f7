package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// peer is the client's end of a stream of messages.
type peer struct {
	write func(jsonrpc.Message) error
	shut  func()

	mu      sync.Mutex
	next    int64
	pending map[int64]chan *jsonrpc.Response
	err     error // of reading, once ended is closed
	ended   chan struct{}

	unsentAnswers atomic.Int32
}

// maxUnsentAnswers bounds the answers that wait for a server which sends requests
// and does not read.
const maxUnsentAnswers = 100

// endGrace is how long a failed write waits for the end of reading, whose error says
// more.
const endGrace = time.Second

// newPeer returns a peer that sends by write and ends by shut. The caller starts
// serve.
func newPeer(write func(jsonrpc.Message) error, shut func()) *peer {
	return &peer{write: write, shut: shut, pending: make(map[int64]chan *jsonrpc.Response), ended: make(chan struct{})}
}

// serve reads until read fails.
func (p *peer) serve(read func() (jsonrpc.Message, error)) {
	for {
		msg, err := read()
		if err != nil {
			p.mu.Lock()
			p.err = err
			p.mu.Unlock()
			close(p.ended)
			return
		}
		switch m := msg.(type) {
		case *jsonrpc.Response:
			id, _ := m.ID.Raw().(int64)
			p.mu.Lock()
			ch := p.pending[id]
			delete(p.pending, id)
			p.mu.Unlock()
			if ch != nil {
				ch <- m
			}
		case *jsonrpc.Request:
			if m.IsCall() {
				p.answer(m)
			}
		}
	}
}

// answer answers a request of the server: a ping with {}, others with an error. It
// does not wait until the server reads the answer: the server may be waiting for
// the peer to read. Requests beyond maxUnsentAnswers are not answered.
func (p *peer) answer(req *jsonrpc.Request) {
	res := &jsonrpc.Response{ID: req.ID}
	if req.Method == "ping" {
		res.Result = json.RawMessage("{}")
	} else {
		res.Error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "not supported by this client"}
	}
	if p.unsentAnswers.Add(1) > maxUnsentAnswers {
		p.unsentAnswers.Add(-1)
		return
	}
	go func() {
		defer p.unsentAnswers.Add(-1)
		_ = p.write(res)
	}()
}

// Call implements Conn.
func (p *peer) Call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	ch := make(chan *jsonrpc.Response, 1)
	p.mu.Lock()
	p.next++
	n := p.next
	p.pending[n] = ch
	p.mu.Unlock()
	id, err := jsonrpc.MakeID(float64(n))
	if err != nil {
		return nil, err
	}
	written := make(chan error, 1)
	go func() { written <- p.write(&jsonrpc.Request{ID: id, Method: method, Params: raw}) }()
	for {
		select {
		case res := <-ch:
			return resultOf(res)
		case err := <-written:
			if err != nil {
				select {
				case <-p.ended:
					return nil, p.Failure()
				case <-time.After(endGrace):
					return nil, fmt.Errorf("%w: %v", ErrClosed, err)
				}
			}
			written = nil
		case <-p.ended:
			select { // the answer may have arrived just before
			case res := <-ch:
				return resultOf(res)
			default:
				return nil, p.Failure()
			}
		case <-ctx.Done():
			p.mu.Lock()
			delete(p.pending, n)
			p.mu.Unlock()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, ErrTimeout
			}
			go func() { // the server may not read
				_ = p.write(&jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(fmt.Sprintf(`{"requestId":%d}`, n))})
			}()
			return nil, ctx.Err()
		}
	}
}

func resultOf(res *jsonrpc.Response) (json.RawMessage, error) {
	if res.Error != nil {
		return nil, res.Error
	}
	return res.Result, nil
}

// Ended implements Ending.
func (p *peer) Ended() <-chan struct{} { return p.ended }

// Failure implements Ending: the error of requests on a connection that has ended.
func (p *peer) Failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(p.err, ErrFlood) {
		return p.err
	}
	return fmt.Errorf("%w: %v", ErrClosed, p.err)
}

// Notify implements Conn.
func (p *peer) Notify(ctx context.Context, method string, params map[string]any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- p.write(&jsonrpc.Request{Method: method, Params: raw}) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ErrTimeout
	}
}

// StrayLines implements Conn.
func (p *peer) StrayLines() []string { return nil }

// Close implements Conn.
func (p *peer) Close() { p.shut() }
