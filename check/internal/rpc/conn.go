package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A wire takes requests to a server and brings the results as they came.
type wire interface {
	call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)
	notify(ctx context.Context, method string, params map[string]any) error
	// noise returns what came on the wire and was no message.
	noise() []string
	close()
}

// What can become of a request besides a JSON-RPC error.
var (
	errTimeout = errors.New("no answer in time")
	errSlow    = fmt.Errorf("%w: the check gives up on a server this slow", errTimeout)
	errFlood   = errors.New("more than the check takes")
	errLong    = fmt.Errorf("%w: a message longer than the limit", errFlood)
	errMuch    = fmt.Errorf("%w: all messages together are many times as long as one may be", errFlood)
	errClosed  = errors.New("the connection ended")
)

// peer is the client's end of a stream of messages.
type peer struct {
	write func(jsonrpc.Message) error
	shut  func()

	mu      sync.Mutex
	next    int64
	pending map[int64]chan *jsonrpc.Response
	err     error
	ended   chan struct{}
	garbage []string

	answers atomic.Int32 // that the server has not taken yet
}

// maxAnswers bounds the answers that wait for a server which asks and does not
// read.
const maxAnswers = 100

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

// answer answers a request of the server's: ping, and nothing else. It does not
// wait for the server to take the answer, which is what the server may do in
// turn; a request beyond those that it may leave waiting is not answered.
func (p *peer) answer(req *jsonrpc.Request) {
	res := &jsonrpc.Response{ID: req.ID}
	if req.Method == "ping" {
		res.Result = json.RawMessage("{}")
	} else {
		res.Error = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "not supported by this client"}
	}
	if p.answers.Add(1) > maxAnswers {
		p.answers.Add(-1)
		return
	}
	go func() {
		defer p.answers.Add(-1)
		_ = p.write(res)
	}()
}

func (p *peer) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
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
			if res.Error != nil {
				return nil, res.Error
			}
			return res.Result, nil
		case err := <-written:
			if err != nil {
				select {
				case <-p.ended:
					return nil, p.failure()
				default:
					return nil, fmt.Errorf("%w: %v", errClosed, err)
				}
			}
			written = nil
		case <-p.ended:
			select { // an answer may have come just before
			case res := <-ch:
				if res.Error != nil {
					return nil, res.Error
				}
				return res.Result, nil
			default:
			}
			return nil, p.failure()
		case <-ctx.Done():
			p.mu.Lock()
			delete(p.pending, n)
			p.mu.Unlock()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, errTimeout
			}
			return nil, ctx.Err()
		}
	}
}

func (p *peer) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(p.err, errFlood) {
		return p.err
	}
	return fmt.Errorf("%w: %v", errClosed, p.err)
}

func (p *peer) notify(ctx context.Context, method string, params map[string]any) error {
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
		return errTimeout
	}
}

func (p *peer) noise() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.garbage
}

func (p *peer) close() { p.shut() }
