// Package command runs an MCP server as a command and exchanges JSON-RPC
// messages with it over its standard input and output, one message a line (MCP,
// stdio transport).
//
// Unlike the SDK's transport it bounds a message, passes over lines that are not
// messages, is not held up by a process that does not read, and ends the process
// with all that it started.
package command

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Options say how a command runs.
type Options struct {
	Dir string   // working directory; "" for this process's
	Env []string // added to this process's environment, as KEY=VALUE
	// MaxMessage bounds a line on standard output, in bytes without its end. A
	// longer one is [ErrTooLong].
	MaxMessage int
	// Noise is called with each line on standard output that is not a message,
	// truncated to 1 KiB, from one goroutine. Nil drops them.
	Noise func(line string)
	// Stderr also receives the standard error. Nil drops it.
	Stderr io.Writer
}

// A Process is a running command and the connection to it. It is an
// mcp.Connection. All methods are safe for concurrent use, but only one
// goroutine at a time may call Read.
type Process struct {
	cmd     *exec.Cmd
	in, out *os.File
	opts    Options

	received    chan received
	outputEnded chan struct{} // nothing more is read from its output
	stuck       chan struct{} // it has ended, and its output still has not
	closing     chan struct{}
	exited      chan struct{}
	exitErr     error // after exited
	gone        chan struct{}

	writing   sync.Mutex
	closeOnce sync.Once
	grace     time.Duration // exitGrace but in tests
	patience  time.Duration // writeTimeout but in tests

	mu   sync.Mutex
	head []byte // of standard output, whatever it is
	tail []byte // of standard error

	noise   string // the last line that is not a message
	noiseAt time.Time
}

type received struct {
	msg jsonrpc.Message
	err error
}

// Start starts a program with its arguments. Close the process when done with
// it.
func Start(args []string, opts Options) (*Process, error) {
	return start(args, opts, exitGrace, writeTimeout)
}

func start(args []string, opts Options, grace, patience time.Duration) (*Process, error) {
	p := &Process{
		cmd: exec.Command(args[0], args[1:]...), opts: opts, grace: grace, patience: patience,
		received: make(chan received), outputEnded: make(chan struct{}), stuck: make(chan struct{}),
		closing: make(chan struct{}), exited: make(chan struct{}), gone: make(chan struct{}),
	}
	p.cmd.Dir = opts.Dir
	p.cmd.Env = append(os.Environ(), opts.Env...)
	p.cmd.Stderr = stderrWriter{p}
	p.cmd.WaitDelay = time.Second // what it started may hold its standard error open
	var err error
	if p.in, p.out, err = startPiped(p.cmd); err != nil {
		return nil, err
	}
	go p.watch()
	go p.read()
	return p, nil
}

// startPiped starts a command that can be ended with all that it started, and
// returns its standard input and output. They are files, so that [exec.Cmd.Wait]
// does not wait for whoever else holds its output open.
func startPiped(cmd *exec.Cmd) (in, out *os.File, err error) {
	Own(cmd)
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		inRead.Close()
		inWrite.Close()
		return nil, nil, err
	}
	cmd.Stdin, cmd.Stdout = inRead, outWrite
	err = cmd.Start()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		inWrite.Close()
		outRead.Close()
		return nil, nil, err
	}
	return inWrite, outRead, nil
}

// SessionID returns "": a process has one session.
func (p *Process) SessionID() string { return "" }

// Stdout returns the first 2 KiB of the standard output, messages included.
func (p *Process) Stdout() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.head)
}

// Stderr returns the last 2 KiB of the standard error or, if the Go runtime said there
// why it ended the program, the first 2 KiB of that.
func (p *Process) Stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(fromFault(p.tail, keptOutput))
}

// LastNoise returns the last line on standard output that is not a message,
// shortened to 80 bytes, and when it was read. The line is "" if there was none.
func (p *Process) LastNoise() (line string, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.noise, p.noiseAt
}

const (
	keptOutput = 2 << 10
	keptStderr = 32 << 10 // in which the trace of a panic begins
)

// stderrWriter keeps the end of what is written and passes all of it on.
type stderrWriter struct{ p *Process }

func (w stderrWriter) Write(data []byte) (int, error) {
	w.p.mu.Lock()
	w.p.tail = append(w.p.tail, data[max(0, len(data)-keptStderr):]...)
	if n := len(w.p.tail); n > 2*keptStderr { // seldom, as it moves all of it
		w.p.tail = append(w.p.tail[:0], w.p.tail[n-keptStderr:]...)
	}
	w.p.mu.Unlock()
	if w.p.opts.Stderr != nil {
		_, _ = w.p.opts.Stderr.Write(data) // whose failure is not the server's
	}
	return len(data), nil
}
