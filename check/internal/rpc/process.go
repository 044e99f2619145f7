package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/command"
)

// A Process is a connection to a server that runs as a command, over its standard
// input and output.
type Process struct {
	*peer
	p *process
}

// process is a running command, alone in its process group.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File
	exited  chan struct{}
	exit    error
	once    sync.Once

	mu      sync.Mutex
	head    []byte // of standard output, whatever it is
	garbage []string
	dropped int
	tail    []byte // of standard error
}

const (
	keptOutput  = 2 << 10
	keptGarbage = 20
	maxGarbage  = 10_000
	exitGrace   = time.Second // for a server whose input is closed, and then for one that is told to go
	writeGrace  = 10 * time.Second
)

// Start starts the command of a target. No message may be longer than maxBytes.
func Start(t *host.Target, maxBytes int) (Conn, error) {
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), t.Env...)
	cmd.WaitDelay = exitGrace // a grandchild may hold standard error open
	p := &process{cmd: cmd, exited: make(chan struct{})}
	cmd.Stderr = tailWriter{p}
	var err error
	if p.in, p.out, err = command.StartPiped(cmd); err != nil {
		return nil, err
	}
	go func() {
		p.exit = cmd.Wait()
		close(p.exited)
	}()
	w := &Process{p: p, peer: newPeer(p.write, p.end)}
	r := bufio.NewReaderSize(p.out, 64<<10)
	go w.serve(func() (jsonrpc.Message, error) { return p.read(r, maxBytes) })
	return w, nil
}

// read reads lines until one is a message.
func (p *process) read(r *bufio.Reader, limit int) (jsonrpc.Message, error) {
	for {
		line, err := readLine(r, limit)
		p.mu.Lock()
		if n := keptOutput - len(p.head); n > 0 {
			p.head = append(p.head, line[:min(n, len(line))]...)
		}
		p.mu.Unlock()
		if text := bytes.TrimSpace(line); err == nil && len(text) > 0 {
			if msg, err := decodeMessage(text); err == nil {
				return msg, nil
			}
			p.mu.Lock()
			if len(p.garbage) < keptGarbage {
				p.garbage = append(p.garbage, strings.ToValidUTF8(string(text[:min(len(text), 200)]), "\ufffd"))
			}
			p.dropped++
			n := p.dropped
			p.mu.Unlock()
			if n > maxGarbage {
				return nil, fmt.Errorf("%w: standard output has over %d lines that are no messages", ErrFlood, maxGarbage)
			}
		}
		if err != nil {
			if err == io.EOF || errors.Is(err, os.ErrClosed) {
				err = p.exitReason("the server closed its standard output")
			}
			return nil, err
		}
	}
}

// decodeMessage decodes a line that is a JSON-RPC message.
func decodeMessage(line []byte) (jsonrpc.Message, error) {
	if line[0] != '{' || !json.Valid(line) {
		return nil, errors.New("not a JSON object")
	}
	return jsonrpc.DecodeMessage(line)
}

func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return line[:0], errLong
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(line) > 0:
			return line, nil // the end comes with the next call
		default:
			return line, err
		}
	}
}

func (p *process) write(msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	_ = p.in.SetWriteDeadline(time.Now().Add(writeGrace)) // for a server that does not read
	_, err = p.in.Write(append(data, '\n'))
	if errors.Is(err, syscall.EPIPE) { // that the process ended says more
		return p.exitReason("the server closed its standard input")
	}
	return err
}

// exitReason says how the process ended, once a pipe of its has. If it goes on,
// otherwise is what is known.
func (p *process) exitReason(otherwise string) error {
	select {
	case <-p.exited:
		if p.exit != nil {
			return fmt.Errorf("the server's process ended: %w", p.exit)
		}
		return errors.New("the server's process ended")
	case <-time.After(exitGrace):
		return errors.New(otherwise)
	}
}

// end ends the process and all that it started: by closing its input, by a
// signal, by force.
func (p *process) end() {
	p.once.Do(func() {
		p.in.Close()
		select {
		case <-p.exited:
		case <-time.After(exitGrace):
			command.Terminate(p.cmd)
			select {
			case <-p.exited:
			case <-time.After(exitGrace):
			}
		}
		command.Kill(p.cmd)
		<-p.exited
		p.out.Close()
	})
}

// StrayLines implements Conn.
func (w *Process) StrayLines() []string {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.p.garbage
}

// Output ends the process and returns the beginning of what it wrote to standard
// output and the end of what it wrote to standard error, 2 KiB of each at most.
func (w *Process) Output() (stdout, stderr string) {
	w.p.end()
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return string(w.p.head), string(w.p.tail)
}

// tailWriter keeps the end of what is written.
type tailWriter struct{ p *process }

func (w tailWriter) Write(data []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.tail = append(w.p.tail, data[max(0, len(data)-keptOutput):]...)
	if n := len(w.p.tail); n > keptOutput {
		w.p.tail = append(w.p.tail[:0], w.p.tail[n-keptOutput:]...)
	}
	return len(data), nil
}
