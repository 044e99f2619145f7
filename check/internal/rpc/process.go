package rpc

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/command"
)

// A Process is a connection to a server that runs as a command, over its standard
// input and output.
type Process struct {
	*peer
	process *command.Process

	mu    sync.Mutex
	stray []string
}

// keptStray is how many lines that are not messages are kept.
const keptStray = 20

// Start starts the command of a target. No message may be longer than maxBytes.
func Start(t *host.Target, maxBytes int) (Conn, error) {
	c := &Process{}
	p, err := command.Start(t.Command, command.Options{Dir: t.Dir, Env: t.Env, MaxMessage: maxBytes, Noise: c.keepStray})
	if err != nil {
		return nil, err
	}
	c.process = p
	c.peer = newPeer(
		func(m jsonrpc.Message) error { return p.Write(context.Background(), m) },
		func() { _ = p.Close() },
	)
	go c.serve(c.read)
	return c, nil
}

// read returns the next message.
func (c *Process) read() (jsonrpc.Message, error) {
	msg, err := c.process.Read(context.Background())
	switch {
	case errors.Is(err, command.ErrTooLong):
		err = errLong
	case errors.Is(err, command.ErrFlood):
		err = fmt.Errorf("%w: %w", ErrFlood, err)
	}
	return msg, err
}

func (c *Process) keepStray(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stray) < keptStray {
		c.stray = append(c.stray, line)
	}
}

// StrayLines implements Conn.
func (c *Process) StrayLines() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stray
}

// Output ends the process and returns the beginning of what it wrote to standard
// output and the end of what it wrote to standard error, or why the Go runtime ended
// it, 2 KiB of each at most.
func (c *Process) Output() (stdout, stderr string) {
	c.Close()
	return c.process.Stdout(), c.process.Stderr()
}
