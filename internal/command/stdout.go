package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// Errors of [Process.Read]. They end the connection.
var (
	ErrTooLong = errors.New("the server sent a message that is too large")
	ErrFlood   = errors.New("the server writes text to its standard output, where its messages belong")
)

const (
	maxNoise    = 10_000 // lines in a row that are not messages, blank ones included
	shownNoise  = 1 << 10
	shownInText = 80
)

// Read returns the next message. At the end of the output its error says how
// the process ended. After [Process.Close] it returns [io.EOF].
func (p *Process) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case r := <-p.received:
		return r.msg, r.err
	case <-p.stuck:
		return nil, p.exitReason("")
	case <-p.closing:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// read reads the output until it ends.
func (p *Process) read() {
	defer close(p.outputEnded)
	r := bufio.NewReaderSize(p.out, 64<<10)
	noise, first, spoke := 0, "", false
	for {
		line, err := readLine(r, p.opts.MaxMessage)
		p.keepHead(line)
		var got received
		line = bytes.TrimSpace(line)
		if err == nil {
			if got.msg = decode(line); got.msg != nil {
				spoke, noise = true, 0
			} else if noise++; noise > maxNoise {
				got.err = ErrFlood
			} else {
				if len(line) > 0 {
					first = cmp.Or(first, p.passOver(string(line)))
				}
				continue
			}
		} else if errors.Is(err, ErrTooLong) {
			got.err = fmt.Errorf("%w: it has more than %d bytes", err, p.opts.MaxMessage)
		} else if got.err = p.exitReason("the server closed its standard output"); first != "" && !spoke {
			got.err = fmt.Errorf("%w; in place of messages it wrote %q", got.err, first)
		}
		select {
		case p.received <- got:
		case <-p.closing:
			return
		}
		if got.err != nil {
			return
		}
	}
}

// decode decodes a line that is a JSON-RPC message. It returns nil for all others:
// text, JSON of another kind such as a structured log, and a message that is
// malformed or has something after it on the line, such as a second message.
func decode(line []byte) jsonrpc.Message {
	if !bytes.HasPrefix(line, []byte("{")) {
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(line) // which ignores what follows
	if err != nil || !json.Valid(line) {
		return nil
	}
	return msg
}

// readLine reads one line of at most limit bytes, not counting its end. A last line
// that does not end is a line; the end comes with the next call. With [ErrTooLong]
// it returns what it has read of the line.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(withoutEnd(line)) > limit:
			return line, ErrTooLong
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(line) > 0:
			return line, nil
		default:
			return line, err
		}
	}
}

// withoutEnd returns line without its "\n" or "\r\n", of which only the first half
// may have been read.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

func (p *Process) keepHead(line []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := keptOutput - len(p.head); n > 0 {
		p.head = append(p.head, line[:min(n, len(line))]...)
	}
}

// passOver reports a line that is not a message, and returns it shortened.
func (p *Process) passOver(line string) string {
	short := text.Shorten(line, shownInText)
	p.mu.Lock()
	p.noise, p.noiseAt = short, time.Now()
	p.mu.Unlock()
	if p.opts.Noise != nil {
		p.opts.Noise(text.Shorten(line, shownNoise))
	}
	return short
}

// exitReason says how the process ended, or otherwise where it goes on.
func (p *Process) exitReason(otherwise string) error {
	select {
	case <-p.exited:
	case <-p.closing:
		return io.EOF
	case <-time.After(p.grace):
		return errors.New(otherwise)
	}
	if p.exitErr != nil && !errors.Is(p.exitErr, exec.ErrWaitDelay) {
		return fmt.Errorf("the server's process ended: %w", p.exitErr)
	}
	return errors.New("the server's process ended")
}
