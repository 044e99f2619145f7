package chrome

import (
	"bufio"
	"context"
	"os"
)

// startOverPipe starts a browser and connects to it by its debugging pipe: the
// descriptors 3, from which it reads, and 4.
func startOverPipe(_ context.Context, path string) (*process, conn, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer theirIn.Close()
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		ourOut.Close()
		return nil, nil, err
	}
	defer theirOut.Close()
	c := &pipeConn{in: ourIn, out: ourOut, r: bufio.NewReaderSize(ourIn, 1<<20)}
	p, err := startProcess(path, []*os.File{theirIn, theirOut}, "--remote-debugging-pipe")
	if err != nil {
		c.close()
		return nil, nil, err
	}
	return p, c, nil
}

// A pipeConn separates messages by a NUL.
type pipeConn struct {
	in, out *os.File
	r       *bufio.Reader
}

// longestMessage bounds a message of the browser, in bytes: it may hold all that
// a page wrote to the console. Longer ones are dropped.
const longestMessage = 64 << 20

func (c *pipeConn) read() ([]byte, error) {
	var msg []byte
	for {
		part, err := c.r.ReadSlice(0)
		if len(msg)+len(part) <= longestMessage {
			msg = append(msg, part...)
		} else {
			msg = append(msg[:0], 0)
		}
		if err == nil {
			return msg[:len(msg)-1], nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

func (c *pipeConn) write(msg []byte) error {
	_, err := c.out.Write(append(msg, 0))
	return err
}

func (c *pipeConn) close() {
	c.out.Close()
	c.in.Close()
}
