package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/procgroup"
)

// stdio runs a command and speaks with it over its standard input and output,
// one message a line. Unlike the SDK's transport it bounds a line, passes over
// lines that are no JSON (a banner), can't be held up by a process that does
// not read, and ends the process with all its children.
type stdio struct {
	target *Target
	limit  int
	stderr io.Writer
	stdout func(line string) // a line that is no message; nil drops it
}

const (
	writeTimeout = 10 * time.Second // for a process that does not read
	exitGrace    = 2 * time.Second  // between closing its input and ending it
	maxStrays    = 1000             // lines of text between two messages
)

func (t *stdio) Connect(context.Context) (mcp.Connection, error) {
	cmd := exec.Command(t.target.Command[0], t.target.Command[1:]...)
	cmd.Dir = t.target.Dir
	cmd.Env = append(os.Environ(), t.target.Env...)
	cmd.Stderr = t.stderr
	cmd.WaitDelay = time.Second // a grandchild may hold the standard error open
	in, out, err := procgroup.Start(cmd)
	if err != nil {
		return nil, err
	}
	c := &stdioConn{cmd: cmd, in: in, out: out, limit: t.limit, stray: t.stdout,
		lines: make(chan lineOrErr), closed: make(chan struct{}), exited: make(chan struct{})}
	go func() {
		c.exitErr = cmd.Wait()
		close(c.exited)
		// What it left running may hold its output open.
		_ = c.out.SetReadDeadline(time.Now().Add(exitGrace))
	}()
	go c.readLines()
	return c, nil
}

type lineOrErr struct {
	line []byte
	err  error
}

type stdioConn struct {
	cmd     *exec.Cmd
	in, out *os.File
	limit   int
	stray   func(string)
	lines   chan lineOrErr

	writing   sync.Mutex
	closeOnce sync.Once
	closed    chan struct{}
	exited    chan struct{}
	exitErr   error
}

func (c *stdioConn) SessionID() string { return "" }

func (c *stdioConn) readLines() {
	r := bufio.NewReaderSize(c.out, 64<<10)
	strays, first, spoke := 0, "", false
	for {
		line, err := readLine(r, c.limit)
		if err == nil {
			trimmed := bytes.TrimSpace(line)
			if len(trimmed) == 0 {
				continue
			}
			if trimmed[0] != '{' && trimmed[0] != '[' {
				if strays++; strays == 1 {
					first = clip(trimmed)
				}
				if strays > maxStrays {
					err = errors.New("the server writes text to its standard output, where its messages belong")
				} else {
					if c.stray != nil {
						c.stray(clip(trimmed))
					}
					continue
				}
			} else {
				spoke, strays = true, 0
			}
		} else if err == io.EOF || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
			if err = c.exitReason(); strays > 0 && !spoke {
				err = fmt.Errorf("%w; in place of messages it wrote %q", err, first)
			}
		}
		select {
		case c.lines <- lineOrErr{line, err}:
		case <-c.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// exitReason says how the process ended, once its output has.
func (c *stdioConn) exitReason() error {
	select {
	case <-c.exited:
		if c.exitErr != nil {
			return fmt.Errorf("the server's process ended: %w", c.exitErr)
		}
		return errors.New("the server's process ended")
	case <-time.After(exitGrace):
		return errors.New("the server closed its output")
	}
}

// readLine reads one line of at most limit bytes.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > limit {
			return nil, errTooLarge{limit}
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
		return line, err
	}
}

func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case l := <-c.lines:
		if l.err != nil {
			return nil, l.err
		}
		msg, err := jsonrpc.DecodeMessage(l.line)
		if err != nil {
			return nil, fmt.Errorf("the server sent no JSON-RPC message but %s: %w", clip(bytes.TrimSpace(l.line)), err)
		}
		return msg, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	// A line that went out in part can't be taken back, so the connection ends
	// with it. That is why the caller's context does not cut it short.
	_ = c.in.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := c.in.Write(append(data, '\n')); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = fmt.Errorf("the server's process did not read its input for %v", writeTimeout)
			go c.Close()
		}
		return err
	}
	return nil
}

// Close ends the process: by closing its input, then, if that does not do, by
// ending it and its children. It does not wait for long in the first case, nor
// at all for a process that is gone.
func (c *stdioConn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closed)
		c.in.Close()
		select {
		case <-c.exited:
		case <-time.After(exitGrace):
			procgroup.Terminate(c.cmd)
			select {
			case <-c.exited:
			case <-time.After(exitGrace):
			}
		}
		procgroup.Kill(c.cmd) // what it left running
		<-c.exited
		c.out.Close()
	})
	return nil
}

// abandon ends a process that does not answer, at once.
func (c *stdioConn) abandon() {
	procgroup.Kill(c.cmd)
	c.Close()
}
