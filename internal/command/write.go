package command

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// writeTimeout is how long a process may take to read a message.
const writeTimeout = 10 * time.Second

// Write sends a message. A process that does not read it for 10 s is ended: part
// of a line can't be taken back. That is why ctx does not cut a write short.
func (p *Process) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	// Not every system's pipes have deadlines, but a write to a process that has
	// ended returns on all.
	var late atomic.Bool
	timeout := time.AfterFunc(p.patience, func() {
		late.Store(true)
		p.Close()
	})
	_, err = p.in.Write(append(data, '\n'))
	timeout.Stop()
	switch {
	case late.Load():
		return fmt.Errorf("the server's process did not read its input for %v", p.patience)
	case err != nil: // that the process ended says more
		return p.exitReason("the server closed its standard input")
	}
	return nil
}
