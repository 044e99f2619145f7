package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A Driver is a script in Node.js that answers requests, several at once. It
// reads and writes lines of JSON, see driver/lines.mjs.
type Driver struct {
	cmd  *exec.Cmd
	read chan struct{} // closed after the last line

	mu      sync.Mutex
	in      io.WriteCloser
	calls   int
	answers map[int]chan reply
	ended   bool
}

type reply struct {
	ID      int
	Result  json.RawMessage
	Failure string
}

// StartDriver starts a script below [Dir].
func StartDriver(script string, args ...string) (*Driver, error) {
	d := &Driver{read: make(chan struct{}), answers: map[int]chan reply{}}
	d.cmd = exec.Command("node", append([]string{filepath.FromSlash(script)}, args...)...)
	d.cmd.Dir = Dir()
	d.cmd.Stderr = os.Stderr
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go d.receive(out)
	return d, nil
}

// receive passes each answer to the call that waits for it, until the script
// ends. Then it closes the channels of the calls that are still waiting.
func (d *Driver) receive(out io.Reader) {
	defer close(d.read)
	for r := bufio.NewReader(out); ; {
		line, err := r.ReadBytes('\n')
		d.mu.Lock()
		if err != nil {
			for _, waiting := range d.answers {
				close(waiting)
			}
			clear(d.answers)
			d.ended = true
			d.mu.Unlock()
			return
		}
		var a reply
		if json.Unmarshal(line, &a) == nil && d.answers[a.ID] != nil {
			d.answers[a.ID] <- a
			delete(d.answers, a.ID)
		}
		d.mu.Unlock()
	}
}

// Call sends a request and returns the result. The test fails if the script
// reports a failure or gives no answer within ten minutes.
func (d *Driver) Call(t testing.TB, request map[string]any) json.RawMessage {
	t.Helper()
	waiting := make(chan reply, 1)
	if err := d.send(request, waiting); err != nil {
		t.Fatal(err)
	}
	select {
	case a, ok := <-waiting:
		if !ok {
			t.Fatal("the driver ended")
		}
		if a.Failure != "" {
			t.Fatal(a.Failure)
		}
		return a.Result
	case <-time.After(10 * time.Minute):
		t.Fatal("the driver gave no answer within ten minutes")
	}
	return nil
}

func (d *Driver) send(request map[string]any, waiting chan reply) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return errors.New("the driver ended")
	}
	d.calls++
	request["id"] = d.calls
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	d.answers[d.calls] = waiting
	_, err = fmt.Fprintf(d.in, "%s\n", line)
	return err
}

// Close ends the script, which closes its browser first.
func (d *Driver) Close() {
	d.in.Close()
	late := time.AfterFunc(time.Minute, func() { _ = d.cmd.Process.Kill() })
	defer late.Stop()
	<-d.read
	_ = d.cmd.Wait()
}
